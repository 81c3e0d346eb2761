import { sql } from 'kysely';
import type { Tx, TxOrDb } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { HOUSE_CONNECTION } from './bank.ts';
import type { BankReceivedPix } from './psp.ts';

/**
 * A bank's callback about a change: of a payout (`reference` is its idEnvio), of the returns or a dispute of a received
 * Pix (`reference` is the endToEndId of the Pix), of a mandate (its idRec) or of a debit (its txid). A hint is never
 * trusted: to process a hint means to query the bank.
 */
export type Hint = {
  readonly kind: 'payout' | 'return' | 'dispute' | 'mandate' | 'debit';
  readonly reference: string;
};

/** A hint that this process has leased. */
export type LeasedHint = Hint & {
  /** The account whose bank sent the hint, and is to be asked. */
  readonly connectionId: number;
  readonly lastReceivedAt: Date;
  /** How often the bank sent the hint. */
  readonly timesReceived: number;
  /** How often the hint was leased since the bank last sent it, including now. */
  readonly attempts: number;
};

/** The length of a lease (exclusive right to process) on a hint: after a crash, no other process has it for longer. */
const leaseMs = 60_000;
/**
 * How many hints of one merchant's own account wait at most. All that wait are searched for those that are due, and its
 * bank may be of the merchant's own making. What is left out is found by reconciliation.
 */
const maxOwnHints = 5000;
/** A hint that is still not processed after two days is deleted. */
const retentionMs = 2 * 24 * 3_600_000;

/**
 * Stores hints of an account's bank as due. A hint has one row, however often the bank sends it; each repetition makes
 * it due again. The same hint of another bank has a row of its own.
 */
export async function storeHints(
  { db, now }: TxOrDb,
  connectionId: number,
  hints: readonly Hint[],
): Promise<void> {
  if (hints.length === 0) return;
  await sql`
    insert into bank_hints (connection_id, kind, reference, last_received_at, due_at)
    select distinct ${connectionId}::int, kind, reference, ${now}::timestamptz, ${now}::timestamptz
    from unnest(${hints.map(({ kind }) => kind)}::text[], ${hints.map(({ reference }) => reference)}::text[])
      hint (kind, reference)
    where ${connectionId === HOUSE_CONNECTION} or (
      select count(*) from (
        select from bank_hints where connection_id = ${connectionId} limit ${maxOwnHints}
      ) waiting
    ) < ${maxOwnHints}
    order by kind, reference
    on conflict (connection_id, kind, reference) do update
    set last_received_at = excluded.last_received_at, times_received = bank_hints.times_received + 1, attempts = 0,
        due_at = excluded.due_at
  `.execute(db);
}

/** Stores a hint for every Pix that has returns, completed or pending. */
export async function storeReturnHints(
  writer: TxOrDb,
  connectionId: number,
  pix: readonly BankReceivedPix[],
): Promise<void> {
  const pixWithReturns = pix.filter(({ returns }) => returns.length > 0);
  await storeHints(
    writer,
    connectionId,
    pixWithReturns.map(({ endToEndId }) => ({ kind: 'return', reference: endToEndId })),
  );
}

/** Returns the accounts with due hints of a kind. */
export async function findBanksWithDueHints(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  kind: Hint['kind'],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct connection_id as id from bank_hints where kind = ${kind} and due_at <= ${clock.now()}
  `.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Leases due hints of one account and kind for a minute. The caller must end each with `finishHints` or `deferHints`.
 */
export async function leaseHints(
  tx: Tx,
  connectionId: number,
  kind: Hint['kind'],
  limit: number,
): Promise<LeasedHint[]> {
  const leasedUntil = new Date(tx.now.getTime() + leaseMs);
  const { rows } = await sql<LeasedHint>`
    update bank_hints set attempts = attempts + 1, due_at = ${leasedUntil}
    where connection_id = ${connectionId} and kind = ${kind} and reference = any(array(
      select reference from bank_hints
      where connection_id = ${connectionId} and kind = ${kind} and due_at <= ${tx.now}
      order by due_at, reference limit ${limit}
      for update skip locked
    ))
    returning connection_id as "connectionId", kind, reference,
              last_received_at as "lastReceivedAt", times_received as "timesReceived", attempts
  `.execute(tx.db);
  return rows;
}

/** Deletes processed hints. A hint that the bank repeated since it was leased stays due. */
export async function finishHints(tx: Tx, hints: readonly LeasedHint[]): Promise<void> {
  if (hints.length === 0) return;
  await sql`
    with unrepeated as (${lockUnrepeated(hints)})
    delete from bank_hints using unrepeated
    where ${isUnrepeated}
  `.execute(tx.db);
}

/**
 * Makes hints due again with backoff: 1 s after the first attempt, doubling to at most 15 minutes. A hint that the bank
 * repeated since it was leased is left as it is, already due.
 */
export async function deferHints(tx: Tx, hints: readonly LeasedHint[]): Promise<void> {
  if (hints.length === 0) return;
  await sql`
    with unrepeated as (${lockUnrepeated(hints)})
    update bank_hints
    set due_at = ${tx.now}::timestamptz + least(power(2, least(attempts - 1, 10)), 900) * interval '1 second'
    from unrepeated where ${isUnrepeated}
  `.execute(tx.db);
}

/**
 * Selects and locks the hints that the bank has not repeated since they were leased. They are locked in the order in
 * which `storeHints` locks its rows, so that the two do not deadlock.
 */
function lockUnrepeated(hints: readonly LeasedHint[]) {
  return sql`
    select bank_hints.connection_id, bank_hints.kind, bank_hints.reference
    from unnest(${hints.map(({ connectionId }) => connectionId)}::int[], ${hints.map(({ kind }) => kind)}::text[],
                ${hints.map(({ reference }) => reference)}::text[],
                ${hints.map(({ timesReceived }) => timesReceived)}::int[])
      leased (connection_id, kind, reference, times_received)
    join bank_hints using (connection_id, kind, reference, times_received)
    order by connection_id, kind, reference
    for update of bank_hints
  `;
}

const isUnrepeated = sql`(bank_hints.connection_id, bank_hints.kind, bank_hints.reference)
  = (unrepeated.connection_id, unrepeated.kind, unrepeated.reference)`;

/** Deletes hints that the bank last sent over two days ago: reconciliation has found the changes by itself by then. */
export async function pruneHints(tx: Tx): Promise<void> {
  const before = new Date(tx.now.getTime() - retentionMs);
  await sql`delete from bank_hints where last_received_at < ${before}`.execute(tx.db);
}
