import type { CheckStep } from '@jangada/contract';
import {
  bankToCheck,
  type ConnectionRow,
  checkBank,
  claimChecks,
  lockConnection,
  openCredentials,
  recordAndTellWorking,
  storeCheckSteps,
  updateConnection,
} from '../connections/index.ts';
import { isDatabaseOutage } from '../db/outage.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { shownOf } from './manage-connections.ts';

/** How many checks one process makes at the same time, so that banks that do not answer delay few others. */
const maxConcurrentChecks = 16;

type Checks = { readonly inProgress: Set<Promise<void>>; readonly stop: AbortController };

/** Checks in progress, for each process with a database of its own. */
const running = new WeakMap<Deps['db'], Checks>();

/** Makes the checks that merchants asked for, and returns how many it began. */
export async function makeChecks(deps: Deps): Promise<number> {
  const checks = running.get(deps.db) ?? { inProgress: new Set(), stop: new AbortController() };
  running.set(deps.db, checks);
  const { inProgress, stop } = checks;
  const freeCount = maxConcurrentChecks - inProgress.size;
  if (freeCount <= 0) return 0;
  const rows = await claimChecks({ db: deps.db, now: deps.clock.now() }, freeCount);
  for (const row of rows) {
    const check = makeCheck(deps, row, stop.signal)
      .catch((err: unknown) => deps.log.error({ err, connectionId: row.id }, 'the check of a bank failed'))
      .finally(() => inProgress.delete(check));
    inProgress.add(check);
  }
  return rows.length;
}

/** Waits for the end of the checks that this process is making. */
export async function awaitChecks({ db }: Pick<Deps, 'db'>): Promise<void> {
  await Promise.all(running.get(db)?.inProgress ?? []);
}

/** Gives up the checks that this process is making. The next process that looks for checks begins them anew. */
export async function stopChecks(deps: Pick<Deps, 'db'>): Promise<void> {
  running.get(deps.db)?.stop.abort();
  await awaitChecks(deps);
  running.delete(deps.db);
}

async function makeCheck(deps: Deps, row: ConnectionRow, signal: AbortSignal): Promise<void> {
  const sealed = row.new_sealed_credentials ?? row.sealed_credentials;
  if (row.sealed_key === null || sealed === null) return;
  const loss = new AbortController();
  let latest: readonly CheckStep[] = [];
  let result: { readonly passed: boolean; readonly steps: readonly CheckStep[] };
  try {
    const account = { ...bankToCheck(deps, row, sealed), signal: AbortSignal.any([signal, loss.signal]) };
    result = await checkBank(account, async (stepsSoFar) => {
      latest = stepsSoFar;
      // Of an account that was given up meanwhile, nobody waits for the rest.
      if (!(await storeCheckSteps(deps, row, stepsSoFar))) loss.abort();
    });
  } catch (error) {
    // Another process takes the check over once the database is back.
    if (isDatabaseOutage(error)) throw error;
    deps.log.error(
      { err: error, connectionId: row.id },
      'a check of a bank failed by a defect of the gateway',
    );
    result = { passed: false, steps: stepsOfBrokenOff(latest) };
  }
  if (signal.aborted) return giveBack(deps, row);
  await endCheck(deps, row, result);
  await deps.banks.refresh();
}

/** The steps of a check that ended by an error of the gateway's own: its owner is not left to wait for it. */
function stepsOfBrokenOff(steps: readonly CheckStep[]): CheckStep[] {
  const meaning =
    'A verificação parou por um erro do Jangada. Verifique de novo; se repetir, fale com o operador.';
  const first = { id: 'start', title: 'Início da verificação', asked: '', answered: '', meaning };
  if (steps.length === 0) return [{ ...first, state: 'failed' }];
  return steps.map((step) => {
    if (step.state === 'running') return { ...step, state: 'failed', meaning };
    return step.state === 'waiting' ? { ...step, state: 'skipped' } : step;
  });
}

/** Lets another process make a check at once, instead of when this claim is stale. */
async function giveBack(deps: Deps, claimed: ConnectionRow): Promise<void> {
  await inTransaction(deps, async (tx) => {
    const row = await lockConnection(tx, claimed.id);
    if (row === undefined || !(await storeCheckSteps(tx, claimed, []))) return;
    await updateConnection(tx, row.id, { is_check_claimed: false });
  });
}

/** Stores the result. New credentials that passed take the place of the current ones. */
async function endCheck(
  deps: Deps,
  claimed: ConnectionRow,
  { passed, steps }: { readonly passed: boolean; readonly steps: readonly CheckStep[] },
): Promise<void> {
  await inTransaction(deps, async (tx) => {
    const row = await lockConnection(tx, claimed.id);
    // Another process has taken the check over, or the account was retired meanwhile.
    if (row === undefined || !(await storeCheckSteps(tx, claimed, steps))) return;
    if (passed) await recordAndTellWorking(tx, deps, [row.id]);
    const sealed = row.new_sealed_credentials;
    await updateConnection(tx, row.id, {
      check_ended_at: tx.now,
      check_passed: passed,
      ...(passed && sealed !== null && { sealed_credentials: sealed, new_sealed_credentials: null }),
      ...(passed && sealed !== null && shownOfSealed(deps, row, sealed)),
    });
  });
}

function shownOfSealed({ secrets }: Deps, row: ConnectionRow, sealed: Buffer) {
  return { ...shownOf(openCredentials(secrets, row, sealed)), certificate_warned_days: null };
}
