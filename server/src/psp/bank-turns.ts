// Work that is done again and again at every bank. Each bank has its own pace: one that is slow, silent or broken delays
// only its own work.
import { isDatabaseOutage } from '../db/outage.ts';
import type { Deps } from '../deps.ts';
import { type AtBank, atBank, type Banks } from './bank.ts';

/** The work at one bank. Returns how many items it processed. */
export type BankWork = (atBank: AtBank) => Promise<number>;

/** A turn waits this long for the work that it started. After that, the work goes on without being waited for. */
const patienceMs = 1000;
/** How many banks one kind of work calls at the same time, besides the operator's own. */
const maxBanksAtOnce = 8;
/** The pause after failures at one bank: it starts with this, doubles, and is at most a minute. */
const firstPauseMs = 1000;
const maxPauseMs = 60_000;

/** The message in the log about a failure at one bank. */
export const FAILED_AT_BANK = 'background work at a bank failed';

/** The state of one kind of work in this process. */
type WorkState = {
  /** The work that waits for its start or runs, by connection. */
  readonly running: Map<number, Promise<void>>;
  /** The banks whose last run took longer than the patience. A turn starts their work and does not wait for it. */
  readonly slow: Set<number>;
  /** Until when nothing is started at a bank after failures, as a time of `performance.now()`. */
  readonly pauses: Map<number, { readonly failures: number; readonly untilMs: number }>;
  /** The starts that wait until fewer banks are being called. */
  readonly waiting: (() => void)[];
  calledCount: number;
  /** How many items were processed since the last turn ended, also by work of earlier turns. */
  processedCount: number;
  /** That the database was away is nobody's bank's fault: the next turn to end throws it. */
  outage: unknown;
};

type BanksState = { readonly byWork: Map<string, WorkState>; isStopping: boolean };

/** By the banks, and not by the process, because tests run several gateways in one process. */
const states = new WeakMap<Banks, BanksState>();

function stateOfBanks(banks: Banks): BanksState {
  const state = states.get(banks) ?? { byWork: new Map(), isStopping: false };
  states.set(banks, state);
  return state;
}

function stateOf(banks: Banks, workName: string): WorkState {
  const { byWork } = stateOfBanks(banks);
  const state = byWork.get(workName) ?? {
    running: new Map(),
    slow: new Set(),
    pauses: new Map(),
    waiting: [],
    calledCount: 0,
    processedCount: 0,
    outage: undefined,
  };
  byWork.set(workName, state);
  return state;
}

/**
 * Does one turn of a kind of work at these banks, all by default. At a bank where the work of an earlier turn still
 * runs, or that is paused after failures, nothing is started. The turn ends when the work of the banks that answer in
 * time has ended, or after a second. Returns how many items were processed since the last turn; a failure at one bank is
 * logged and pauses that bank. While there is no bank besides the operator's own, the turn waits for all of its work and
 * throws its failures.
 */
export async function takeTurn(
  deps: Deps,
  workName: string,
  work: BankWork,
  connectionIds?: readonly number[],
): Promise<number> {
  const { banks } = deps;
  const all = banks.all().map(({ connection }) => connection.id);
  const ids = connectionIds?.filter((id) => banks.find(id) !== undefined) ?? all;
  if (all.length === 1) return ids.length === 0 ? 0 : work(atBank(deps, banks.house.connection.id));
  const state = stateOf(banks, workName);
  const busy = new Set(busyAt(state));
  const awaited = ids
    .filter((id) => !busy.has(id))
    .flatMap((id) => {
      const isAwaited = !state.slow.has(id);
      const ended = start(deps, { state, workName, work, id });
      return isAwaited ? [ended] : [];
    });
  await withinPatience(Promise.all(awaited));
  const { processedCount, outage } = state;
  state.processedCount = 0;
  state.outage = undefined;
  if (outage !== undefined) throw outage;
  return processedCount;
}

/** The connections at which a turn would start nothing now. */
export function findBusyBanks({ banks }: Pick<Deps, 'banks'>, workName: string): number[] {
  return busyAt(stateOf(banks, workName));
}

function busyAt({ running, pauses }: WorkState): number[] {
  const now = performance.now();
  const paused = [...pauses].flatMap(([id, { untilMs }]) => (untilMs > now ? [id] : []));
  return [...running.keys(), ...paused];
}

type Start = {
  readonly state: WorkState;
  readonly workName: string;
  readonly work: BankWork;
  readonly id: number;
};

function start(deps: Deps, { state, workName, work, id }: Start): Promise<void> {
  const run = async () => {
    const release = await takePlace(deps.banks, state, id);
    const startedAt = performance.now();
    // A bank that is slow gives its place to others, or a few such banks would stop the work at all.
    const timer = setTimeout(() => {
      state.slow.add(id);
      release();
    }, patienceMs);
    try {
      // The gateway may have stopped, or lost the account, while the work waited for its place.
      if (stateOfBanks(deps.banks).isStopping || deps.banks.find(id) === undefined) return;
      const count = await work(atBank(deps, id));
      state.processedCount += count;
      state.pauses.delete(id);
    } catch (err) {
      if (isDatabaseOutage(err)) state.outage = err;
      else pauseAfterFailure(deps, { state, workName, id, err });
    } finally {
      clearTimeout(timer);
      if (performance.now() - startedAt < patienceMs) state.slow.delete(id);
      state.running.delete(id);
      release();
    }
  };
  const ended = run();
  state.running.set(id, ended);
  return ended;
}

function pauseAfterFailure(
  { log }: Deps,
  { state, workName, id, err }: Omit<Start, 'work'> & { readonly err: unknown },
): void {
  const failures = (state.pauses.get(id)?.failures ?? 0) + 1;
  const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** (failures - 1));
  state.pauses.set(id, { failures, untilMs: performance.now() + pauseMs });
  log.error({ err, loop: workName, connectionId: id, failures }, FAILED_AT_BANK);
}

/** Waits until the bank may be called. The operator's own never waits. Returns what gives the place to the next. */
async function takePlace(banks: Banks, state: WorkState, id: number): Promise<() => void> {
  if (id === banks.house.connection.id) return () => {};
  if (state.calledCount >= maxBanksAtOnce)
    await new Promise<void>((resolve) => {
      state.waiting.push(resolve);
    });
  else state.calledCount += 1;
  let isReleased = false;
  return () => {
    if (isReleased) return;
    isReleased = true;
    const next = state.waiting.shift();
    // A freed place passes directly to the next, so that it never counts as free in between.
    if (next === undefined) state.calledCount -= 1;
    else next();
  };
}

/**
 * Starts no more work at banks, and resolves when the work in progress has ended, or after this time. What is then
 * unfinished is due again in the database, as after a crash.
 */
export async function stopTurns(banks: Banks, timeoutMs: number): Promise<void> {
  const state = stateOfBanks(banks);
  state.isStopping = true;
  const running = [...state.byWork.values()].flatMap((ofWork) => [...ofWork.running.values()]);
  await withinPatience(Promise.all(running), timeoutMs);
}

/** Waits for work, whose failures are handled where it runs, but no longer than this. */
async function withinPatience(work: Promise<unknown>, milliseconds = patienceMs): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, timeout]);
  clearTimeout(timer);
}
