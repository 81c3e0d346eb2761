import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { type BankHealth, type Banks, type ConnectedBank, HOUSE_CONNECTION } from '../psp/index.ts';
import { emitConnectionEvent } from '../webhooks/index.ts';
import {
  type BrokenConnection,
  type BrokenState,
  readBroken,
  recordAnswers,
  recordBroken,
  takeUntold,
} from './health-store.ts';
import { tellOwner } from './tell-owner.ts';

const minuteMs = 60_000;
/** An account is broken when nothing has worked there for this long, although it was tried again and again. */
const brokenAfterMs = 5 * minuteMs;
/** A process writes about one account at most this often, except when it works again. */
const writePauseMs = minuteMs;

/** The last state of an account that this process saw. Held in memory, so that an account at rest costs no statement. */
type Seen = {
  answers: number;
  failures: number;
  /** Since when this process has seen only failures, and how many there had been then. */
  failing: { readonly since: Date; readonly failures: number } | undefined;
  writtenAt: Date | undefined;
  /** `untold`: recorded while the operator's own bank did not answer either, so its owner was not told yet. */
  broken: BrokenState;
};
const seenByBanks = new WeakMap<Banks, Map<number, Seen>>();

/**
 * Compares what the calls of this process to merchants' own banks have shown with what is recorded, and records and tells
 * the changes. While the operator's own bank does not answer either, the cause may be the gateway's own network: then
 * accounts are recorded as broken, and their owners are told only once it answers.
 */
export async function watchConnections(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  const seenOf = seenByBanks.get(deps.banks) ?? new Map<number, Seen>();
  seenByBanks.set(deps.banks, seenOf);
  const answered: number[] = [];
  const broken: { readonly id: number; readonly seen: Seen; readonly reason: string }[] = [];
  for (const bank of deps.banks.all()) {
    const { id } = bank.connection;
    const health = id === HOUSE_CONNECTION ? undefined : healthOf(bank);
    if (health === undefined) continue;
    const seen = seenOf.get(id) ?? newSeen();
    seenOf.set(id, seen);
    const hasAnswered = update(seen, health, now);
    const mayWrite = seen.writtenAt === undefined || now.getTime() - seen.writtenAt.getTime() >= writePauseMs;
    if (hasAnswered && (mayWrite || seen.broken !== 'no')) answered.push(id);
    else if (seen.broken === 'no' && mayWrite && isBroken(seen, now))
      broken.push({ id, seen, reason: health.lastFailure ?? '' });
  }
  const isHouseReachable = deps.banks.house.psp.reachable() !== false;
  if (answered.length > 0) await recordWorking(deps, answered, seenOf, now);
  for (const { id, seen, reason } of broken) await recordAsBroken(deps, id, seen, reason, isHouseReachable);
  if (isHouseReachable) await tellUntold(deps, seenOf);
}

const newSeen = (): Seen => ({
  answers: 0,
  failures: 0,
  failing: undefined,
  writtenAt: undefined,
  broken: 'no',
});

function healthOf({ health, psp }: ConnectedBank) {
  return health === undefined ? psp.health() : health();
}

/** Notes what the counts of attempts show. Returns whether the bank has answered since the last time. */
function update(seen: Seen, health: Pick<BankHealth, 'answers' | 'failuresInARow'>, now: Date): boolean {
  // New credentials bring a new client, which counts from 0.
  const isNewClient = health.answers < seen.answers;
  const hasAnswered = isNewClient ? health.answers > 0 : health.answers > seen.answers;
  if (hasAnswered || health.failuresInARow === 0) seen.failing = undefined;
  if (health.failuresInARow > 0) seen.failing ??= { since: now, failures: health.failuresInARow };
  seen.answers = health.answers;
  seen.failures = health.failuresInARow;
  return hasAnswered;
}

/** Whether attempts went on failing for long enough: one failure and then silence proves nothing. */
function isBroken({ failing, failures }: Seen, now: Date): boolean {
  if (failing === undefined || failures <= failing.failures) return false;
  return now.getTime() - failing.since.getTime() >= brokenAfterMs;
}

async function recordWorking(
  deps: Deps,
  ids: readonly number[],
  seenOf: ReadonlyMap<number, Seen>,
  now: Date,
): Promise<void> {
  await inTransaction(deps, (tx) => recordAndTellWorking(tx, deps, ids));
  for (const id of ids) {
    const seen = seenOf.get(id);
    if (seen !== undefined) Object.assign(seen, { broken: 'no', writtenAt: now });
  }
}

/** Records that the banks of these accounts answer, and tells the owners who were told that they did not. */
export async function recordAndTellWorking(
  tx: Tx,
  deps: Pick<Deps, 'banks' | 'log'>,
  ids: readonly number[],
): Promise<void> {
  for (const connection of await recordAnswers(tx, ids)) {
    deps.log.warn({ connectionId: connection.id }, 'a merchant’s own account works again');
    if (connection.is_broken_told) await publish(tx, deps, connection, 'restored');
  }
}

async function recordAsBroken(
  deps: Deps,
  id: number,
  seen: Seen,
  reason: string,
  isTold: boolean,
): Promise<void> {
  const since = seen.failing?.since ?? deps.clock.now();
  seen.broken = await inTransaction(deps, async (tx) => {
    const connection = await recordBroken(tx, id, { since, reason, isTold });
    if (connection === undefined) return readBroken(tx, id);
    deps.log.warn({ connectionId: id, since, reason }, 'a merchant’s own account is broken');
    if (isTold) await publish(tx, deps, connection, 'broken');
    return isTold ? 'told' : 'untold';
  });
  seen.writtenAt = deps.clock.now();
  // The bank has answered another process meanwhile, so what failed here is counted from now on.
  if (seen.broken === 'no') seen.failing = undefined;
}

async function tellUntold(deps: Deps, seenOf: ReadonlyMap<number, Seen>): Promise<void> {
  const untold = [...seenOf].filter(([, { broken }]) => broken === 'untold');
  if (untold.length === 0) return;
  await inTransaction(deps, async (tx) => {
    const connections = await takeUntold(
      tx,
      untold.map(([id]) => id),
    );
    for (const connection of connections) await publish(tx, deps, connection, 'broken');
  });
  for (const [, seen] of untold) seen.broken = 'told';
}

/** Tells the owner, and the owner's systems. */
async function publish(
  tx: Tx,
  { banks }: Pick<Deps, 'banks'>,
  connection: BrokenConnection,
  change: keyof typeof texts,
): Promise<void> {
  const { id: connectionId, merchant_id: merchantId, bank, broken_since, broken_reason } = connection;
  const bankName = banks.find(connectionId)?.institution ?? bank;
  const type = `connection.${change}` as const;
  await tellOwner(tx, { merchantId, connectionId, type, ...texts[change](bankName, broken_reason) });
  await emitConnectionEvent(tx, {
    type,
    merchantId,
    connectionId,
    bank,
    bankName,
    pixKey: connection.pix_key,
    brokenSince: broken_since,
    reason: broken_reason,
    createdAt: connection.created_at,
  });
}

const texts = {
  broken: (bankName: string, reason: string) => ({
    title: 'Sua conta bancária parou de funcionar',
    body: `Há mais de cinco minutos, nada funciona na sua conta em ${bankName}. ${reason} Enquanto isso, novas cobranças podem não ser criadas por ela, e pagamentos dela aparecem quando o banco voltar. Veja o que falhou na página da conta.`,
  }),
  restored: (bankName: string) => ({
    title: 'Sua conta bancária voltou a funcionar',
    body: `O banco da sua conta em ${bankName} voltou a responder. O que foi pago enquanto isso aparece em seguida.`,
  }),
};
