import { sql } from 'kysely';
import type { Tx, TxOrDb } from '../db/transaction.ts';
import type { BankReceivedPix } from './psp.ts';

/**
 * The bank hinted that something of ours changed: a payout (by idEnvio), the returns of a received Pix, or a dispute
 * of one (both by endToEndId). A hint is never trusted: whoever processes it queries the bank.
 */
export type Hint = { readonly kind: 'payout' | 'return' | 'dispute'; readonly reference: string };

export type TakenHint = Hint & {
  readonly toldAt: Date;
  /** How often the bank sent it. */
  readonly tellings: number;
  /** Includes this one. */
  readonly attempts: number;
};

/** Lease on a hint: after a crash it becomes due again this much later. */
const leaseMs = 60_000;
const keptMs = 2 * 24 * 3_600_000;

/** One row per hint, however often it is sent; a repeated one becomes due again. */
export async function storeHints({ db, now }: TxOrDb, hints: readonly Hint[]): Promise<void> {
  if (hints.length === 0) return;
  await sql`
    insert into bank_hints (kind, reference, told_at, due_at)
    select distinct kind, reference, ${now}::timestamptz, ${now}::timestamptz
    from unnest(${hints.map(({ kind }) => kind)}::text[], ${hints.map(({ reference }) => reference)}::text[])
      told (kind, reference)
    order by kind, reference
    on conflict (kind, reference) do update
    set told_at = excluded.told_at, tellings = bank_hints.tellings + 1, attempts = 0, due_at = excluded.due_at
  `.execute(db);
}

/** Stores a hint for every Pix that has returns, completed or pending. */
export async function storeReturnHints(written: TxOrDb, pix: readonly BankReceivedPix[]): Promise<void> {
  const returned = pix.filter(({ returns }) => returns.length > 0);
  await storeHints(
    written,
    returned.map(({ endToEndId }) => ({ kind: 'return', reference: endToEndId })),
  );
}

/** Leases due hints of a kind for a minute. Each must end with `finishHints` or `deferHints`. */
export async function takeHints(tx: Tx, kind: Hint['kind'], limit: number): Promise<TakenHint[]> {
  const takenUntil = new Date(tx.now.getTime() + leaseMs);
  const { rows } = await sql<TakenHint>`
    update bank_hints set attempts = attempts + 1, due_at = ${takenUntil}
    where kind = ${kind} and reference = any(array(
      select reference from bank_hints where kind = ${kind} and due_at <= ${tx.now}
      order by due_at, reference limit ${limit}
      for update skip locked
    ))
    returning kind, reference, told_at as "toldAt", tellings, attempts
  `.execute(tx.db);
  return rows;
}

/** Finishes processed hints. One that the bank repeated meanwhile stays due. */
export async function finishHints(tx: Tx, hints: readonly TakenHint[]): Promise<void> {
  if (hints.length === 0) return;
  await sql`
    with same as (${lockAsTold(hints)})
    delete from bank_hints using same
    where bank_hints.kind = same.kind and bank_hints.reference = same.reference
  `.execute(tx.db);
}

/** Retry with backoff: 1 s after the first attempt, doubling to at most 15 minutes. */
export async function deferHints(tx: Tx, hints: readonly TakenHint[]): Promise<void> {
  if (hints.length === 0) return;
  await sql`
    with same as (${lockAsTold(hints)})
    update bank_hints
    set due_at = ${tx.now}::timestamptz + least(power(2, least(attempts - 1, 10)), 900) * interval '1 second'
    from same where bank_hints.kind = same.kind and bank_hints.reference = same.reference
  `.execute(tx.db);
}

/** Hints not repeated since they were taken, locked in the same order as in `storeHints`. */
function lockAsTold(hints: readonly TakenHint[]) {
  return sql`
    select bank_hints.kind, bank_hints.reference
    from unnest(${hints.map(({ kind }) => kind)}::text[], ${hints.map(({ reference }) => reference)}::text[],
                ${hints.map(({ tellings }) => tellings)}::int[]) taken (kind, reference, tellings)
    join bank_hints using (kind, reference, tellings)
    order by kind, reference
    for update of bank_hints
  `;
}

/** Deletes old hints, which reconciliation has covered by now. */
export async function pruneHints(tx: Tx): Promise<void> {
  const before = new Date(tx.now.getTime() - keptMs);
  await sql`delete from bank_hints where told_at < ${before}`.execute(tx.db);
}
