import { brlFromCents, type getStatement, type QueryOf, type ResponseOf } from '@jangada/contract';
import type { Db } from '../db/pool.ts';
import type { Deps } from '../deps.ts';
import { type Cursor, readCursor, writeCursor } from './cursor.ts';
import { movementsFor } from './movement.ts';
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
 * An entry carries the start time of its transaction but is visible only after the commit, so older entries may still
 * appear within this time. It exceeds the longest transaction and the clock skew between processes.
 */
export const SETTLED_MS = 2 * 60_000;

/**
 * One page of the movements of a balance, newest first, with the running balance and the totals of the period. The
 * cursor carries the balance, so a page costs the same at any depth. Filtered by kind, there is no running balance.
 * Refuses with PERIOD_INVALID.
 */
export async function readStatement(
  deps: Pick<Deps, 'db' | 'clock'>,
  merchantId: number,
  query: QueryOf<typeof getStatement>,
): Promise<ResponseOf<typeof getStatement>> {
  const { account, kind, limit } = query;
  const now = deps.clock.now();
  const period = readStatementPeriod(query, now);
  const after = query.before === undefined ? undefined : readCursor(query.before);
  return inSnapshot(deps.db, async (db) => {
    const totals = await readTotals(db, merchantId, account, period);
    const filter = {
      merchantId,
      account,
      movements: movementsFor(account, kind),
      ...statementPeriodBounds(period),
    };
    const found = await listEntries(db, filter, {
      order: 'newest first',
      behind: after?.place,
      limit: limit + 1,
    });
    const page = found.slice(0, limit);
    const from =
      kind !== undefined
        ? undefined
        : after === undefined
          ? totals.closingCents
          : await balanceAt(db, filter, after);
    const balanced = withBalances(page, from);
    const last = found.length > limit ? balanced.at(-1) : undefined;
    return {
      lines: await toStatementLines(db, merchantId, account, balanced),
      ...period,
      opening_balance: brlFromCents(totals.openingCents),
      closing_balance: brlFromCents(totals.closingCents),
      total_in: brlFromCents(totals.inCents),
      total_out: brlFromCents(totals.outCents),
      next: last === undefined ? null : writeCursor(await cursorBehind(db, filter, last, now)),
    };
  });
}

/** Reads in one snapshot, which stay consistent while money moves. */
export function inSnapshot<T>(db: Db, read: (db: Db) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
}

/** Adds the running balance to entries in newest-first order; `fromCents` is the balance after the first one. */
function withBalances(entries: readonly StatementEntry[], fromCents: number | undefined): EntryWithBalance[] {
  let balanceCents = fromCents;
  return entries.map((entry) => {
    const balanced = { ...entry, balanceCents };
    if (balanceCents !== undefined) balanceCents -= entry.changeCents;
    return balanced;
  });
}

/** The balance after the first entry of the page that follows the cursor. */
async function balanceAt(
  db: Db,
  filter: StatementEntryFilter,
  { place, balanceCents, since }: Cursor,
): Promise<number> {
  return since === undefined
    ? balanceCents
    : balanceCents + (await sumEntries(db, filter, { since, behind: place }));
}

async function cursorBehind(
  db: Db,
  filter: StatementEntryFilter,
  last: EntryWithBalance,
  now: Date,
): Promise<Cursor> {
  const place = placeOf(last);
  const balanceCents = (last.balanceCents ?? 0) - last.changeCents;
  const since = new Date(now.getTime() - SETTLED_MS);
  if (last.balanceCents === undefined || last.at <= since) return { place, balanceCents, since: undefined };
  return {
    place,
    balanceCents: balanceCents - (await sumEntries(db, filter, { since, behind: place })),
    since,
  };
}

export function placeOf({ at, event, reference, changeCents }: StatementEntry): EntryPosition {
  return { at, event, reference, isOut: changeCents < 0 };
}
