import { brlFromCents, type getStatement, type QueryOf, type ResponseOf } from '@jangada/contract';
import type { Db } from '../db/pool.ts';
import { retryOnConflict } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { decodeStatementCursor, encodeStatementCursor, type StatementCursor } from './cursor.ts';
import { selectMovements } from './movement.ts';
import { readStatementPeriod, statementPeriodBounds } from './period.ts';
import {
  type EntryPosition,
  listEntries,
  readTotals,
  type StatementEntry,
  type StatementEntryFilter,
  sumEntries,
} from './store.ts';
import { type EntryWithBalance, toStatementLines } from './to-statement-lines.ts';

/**
 * Entries of this age are settled: no new entry can appear among them. An entry has the time at which its transaction
 * started, but is visible only after the commit; so this age exceeds the longest transaction plus the difference
 * between the clocks of two processes.
 */
export const SETTLED_MS = 2 * 60_000;

/**
 * Reads one page of the movements of a balance, newest first, with the running balance and the totals of the period.
 * The cursor contains the balance, so a page costs the same at any depth. A list filtered by kind has no running
 * balance, because it leaves out movements that change the balance. Refuses with PERIOD_INVALID.
 */
export async function readStatement(
  deps: Pick<Deps, 'db' | 'clock'>,
  merchantId: number,
  query: QueryOf<typeof getStatement>,
): Promise<ResponseOf<typeof getStatement>> {
  const { account, kind, limit } = query;
  const now = deps.clock.now();
  const period = readStatementPeriod(query, now);
  const cursor = query.before === undefined ? undefined : decodeStatementCursor(query.before);
  return inSnapshot(deps.db, async (db) => {
    const totals = await readTotals(db, merchantId, account, period);
    const filter = {
      merchantId,
      account,
      movements: selectMovements(account, kind),
      ...statementPeriodBounds(period),
    };
    const entries = await listEntries(db, filter, {
      order: 'newest first',
      after: cursor?.position,
      limit: limit + 1,
    });
    const readFirstBalance = async () =>
      cursor === undefined ? totals.closingCents : await balanceAfter(db, filter, cursor);
    const firstBalanceCents = kind === undefined ? await readFirstBalance() : undefined;
    const page = withBalances(entries.slice(0, limit), firstBalanceCents);
    const last = entries.length > limit ? page.at(-1) : undefined;
    return {
      lines: await toStatementLines(db, merchantId, account, page),
      ...period,
      opening_balance: brlFromCents(totals.openingCents),
      closing_balance: brlFromCents(totals.closingCents),
      total_in: brlFromCents(totals.inCents),
      total_out: brlFromCents(totals.outCents),
      next: last === undefined ? null : encodeStatementCursor(await cursorAfter(db, filter, last, now)),
    };
  });
}

/** Runs queries in one database snapshot, so that their results are consistent while money moves. */
export function inSnapshot<T>(db: Db, read: (db: Db) => Promise<T>): Promise<T> {
  return retryOnConflict(() =>
    db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read),
  );
}

/** Adds the running balance to entries, newest first. `firstBalanceCents`: the balance after the newest of them. */
function withBalances(
  entries: readonly StatementEntry[],
  firstBalanceCents: number | undefined,
): EntryWithBalance[] {
  let balanceCents = firstBalanceCents;
  return entries.map((entry) => {
    const entryWithBalance = { ...entry, balanceCents };
    if (balanceCents !== undefined) balanceCents -= entry.changeCents;
    return entryWithBalance;
  });
}

/** The balance after the first entry of the page that follows the cursor. */
async function balanceAfter(
  db: Db,
  filter: StatementEntryFilter,
  { position, balanceCents, since }: StatementCursor,
): Promise<number> {
  if (since === undefined) return balanceCents;
  return balanceCents + (await sumEntries(db, filter, { since, before: position }));
}

/**
 * The cursor of the page that follows the entry `last`. If that entry is not settled, older entries may still appear
 * before the next page is read. The cursor then contains the balance at the last settled moment, from which the next
 * page computes its own.
 */
async function cursorAfter(
  db: Db,
  filter: StatementEntryFilter,
  last: EntryWithBalance,
  now: Date,
): Promise<StatementCursor> {
  const position = positionOf(last);
  const balanceCents = (last.balanceCents ?? 0) - last.changeCents;
  const since = new Date(now.getTime() - SETTLED_MS);
  if (last.balanceCents === undefined || last.at <= since)
    return { position, balanceCents, since: undefined };
  return {
    position,
    balanceCents: balanceCents - (await sumEntries(db, filter, { since, before: position })),
    since,
  };
}

export function positionOf({ at, event, reference, changeCents }: StatementEntry): EntryPosition {
  return { at, event, reference, isDebit: changeCents < 0 };
}
