import type { StatementAccount } from '@jangada/contract';
import { type RawBuilder, sql } from 'kysely';
import { rowsById, textArray } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import { invariant } from '../invariant.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';
import type { StatementMovement } from './movement.ts';
import type { StatementPeriod } from './period.ts';

/** The column of the books that a statement shows, and the accounts at banks at which it is. */
function bookOf(account: StatementAccount): { column: string; isThere: RawBuilder<boolean> } {
  if (account === 'own') return { column: 'available', isThere: sql`connection_id <> ${HOUSE_CONNECTION}` };
  return { column: account, isThere: sql`connection_id = ${HOUSE_CONNECTION}` };
}

/** The opening and closing balance of a period, and the sums of credits and debits in it, in integer cents. */
export type Totals = {
  readonly openingCents: number;
  readonly closingCents: number;
  readonly inCents: number;
  readonly outCents: number;
};

/**
 * Computes the totals of a period from the current balance and the daily changes since the period's start, so that the
 * cost grows with the number of days, not with the number of movements.
 */
export async function readTotals(
  db: Db,
  merchantId: number,
  account: StatementAccount,
  { from, to }: StatementPeriod,
): Promise<Totals> {
  const { column, isThere } = bookOf(account);
  const change = sql.ref(`${column}_change_cents`);
  const { rows } = await sql<{ balance: number; later_change: number; change: number; credits: number }>`
    select (
             select coalesce(sum(${sql.ref(`${column}_cents`)}), 0)::bigint from ledger_balances
             where merchant_id = ${merchantId} and ${isThere}
           ) as balance,
           coalesce(sum(${change}) filter (where day > ${to}::date), 0)::bigint as later_change,
           coalesce(sum(${change}) filter (where day <= ${to}::date), 0)::bigint as change,
           coalesce(sum(${sql.ref(`${column}_in_cents`)}) filter (where day <= ${to}::date), 0)::bigint as credits
    from ledger_days
    where merchant_id = ${merchantId} and ${isThere} and day >= ${from}::date
  `.execute(db);
  const [row] = rows;
  invariant(row !== undefined, 'a sum without a row');
  const closingCents = row.balance - row.later_change;
  return {
    closingCents,
    openingCents: closingCents - row.change,
    inCents: row.credits,
    outCents: row.credits - row.change,
  };
}

/** A ledger entry, reduced to its change of one balance. */
export type StatementEntry = {
  readonly at: Date;
  readonly event: string;
  readonly reference: string;
  /** The change of the balance, in integer cents. */
  readonly changeCents: number;
};

/**
 * An entry's position among all entries of its balance. Entries of the same time are ordered too: credits before debits
 * (`isOut`).
 */
export type EntryPosition = Pick<StatementEntry, 'at' | 'event' | 'reference'> & {
  readonly isDebit: boolean;
};

export type StatementEntryFilter = {
  readonly merchantId: number;
  readonly account: StatementAccount;
  readonly movements: readonly StatementMovement[];
  readonly from: Date;
  readonly until: Date;
};

export type EntryOrder = 'newest first' | 'oldest first';

/** Lists at most `limit` entries in the given order: those that follow the position `after`, or the first ones. */
export async function listEntries(
  db: Db,
  filter: StatementEntryFilter,
  { order, after, limit }: { order: EntryOrder; after?: EntryPosition | undefined; limit: number },
): Promise<StatementEntry[]> {
  const direction = order === 'newest first' ? sql`desc` : sql`asc`;
  const orderAndLimit = sql`
    order by posted_at ${direction}, (cents < 0) ${direction}, reference ${direction}, event ${direction}
    limit ${limit}::int`;
  const condition = after && afterPositionCondition(after, order);
  const { rows } = await sql<{ at: Date; event: string; reference: string; cents: number }>`
    select posted_at as at, event, reference, cents from ${entriesOf(filter, condition, orderAndLimit)} ${orderAndLimit}
  `.execute(db);
  return rows.map(({ cents, ...row }) => ({ ...row, changeCents: cents }));
}

/** Sums the changes of a balance after the time `since` and before the position `before`, in integer cents. */
export async function sumEntries(
  db: Db,
  filter: Omit<StatementEntryFilter, 'from'>,
  { since, before }: { since: Date; before: EntryPosition },
): Promise<number> {
  // In newest-first order, the entries that follow a position are the earlier ones.
  const olderCondition = afterPositionCondition(before, 'newest first');
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(cents), 0)::bigint as cents
    from ${entriesOf({ ...filter, from: since }, sql`posted_at > ${since} and ${olderCondition}`, sql``)}
  `.execute(db);
  return rows[0]?.cents ?? 0;
}

/** Counts the entries that a filter matches, up to `maxCount`. */
export async function countEntries(db: Db, filter: StatementEntryFilter, maxCount: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count
    from (select 1 from ${entriesOf(filter, undefined, sql``)} limit ${maxCount}::int) counted
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * A subquery of the entries that change a balance, and by how much (`cents`). It reads the entries of each event
 * separately, in the form that the index supports (merchant, event, time). `orderAndLimit` therefore applies to each
 * event alone, and the caller must apply it again to the result.
 */
function entriesOf(
  { merchantId, account, movements, from, until }: StatementEntryFilter,
  condition: RawBuilder<unknown> | undefined,
  orderAndLimit: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const events = [...new Set(movements.map(({ event }) => event))];
  const { column, isThere } = bookOf(account);
  const cents = sql.ref(`${column}_cents`);
  return sql`
    unnest(${textArray(events)}::text[]) movement (event)
    cross join lateral (
      select posted_at, reference, cents
      from (select *, ${cents} as cents from ledger_entries where ${cents} <> 0) entry
      where merchant_id = ${merchantId} and ${isThere}
        and event = movement.event and posted_at >= ${from} and posted_at < ${until}
        ${condition === undefined ? sql`` : sql`and ${condition}`}
      ${orderAndLimit}
    ) entry`;
}

/**
 * The condition that an entry follows a position in the given order. Comparing all fields would be enough; `posted_at`
 * is also compared alone because the index can be used only for that.
 */
function afterPositionCondition(
  { at, isDebit, reference, event }: EntryPosition,
  order: EntryOrder,
): RawBuilder<unknown> {
  const ofEntry = sql`(posted_at, cents < 0, reference, event)`;
  const ofPosition = sql`(${at}::timestamptz, ${isDebit}::boolean, ${reference}::text, ${event}::text)`;
  return order === 'newest first'
    ? sql`posted_at <= ${at} and ${ofEntry} < ${ofPosition}`
    : sql`posted_at >= ${at} and ${ofEntry} > ${ofPosition}`;
}

/** The amount of a payment, its fee and its reserve (the share that is withheld for some days), in integer cents. */
export type PaymentSplit = {
  readonly grossCents: number;
  readonly feeCents: number;
  readonly reservedCents: number;
};

/** Reads the splits of the payments among these entries. Each is found under its entry's `keyOf`. */
export async function readSplits(
  db: Db,
  merchantId: number,
  account: StatementAccount,
  entries: readonly StatementEntry[],
): Promise<Map<string, PaymentSplit>> {
  const { rows } = await sql<{
    event: string;
    reference: string;
    gross: number;
    fee: number;
    reserved: number;
  }>`
    select event, reference, -psp_cents as gross, fees_cents as fee, reserved_cents as reserved
    from ledger_entries
    where reference = any(${textArray(entries.map(({ reference }) => reference))}::text[]) and merchant_id = ${merchantId}
      and ${bookOf(account).isThere} and event in ('payment received', 'unmatched assigned')
  `.execute(db);
  return new Map(
    rows.map(({ event, reference, gross, fee, reserved }) => [
      entryKeyOf({ event, reference }),
      { grossCents: gross, feeCents: fee, reservedCents: reserved },
    ]),
  );
}

/** The key of an entry in maps. Event and reference together identify one entry of a merchant. */
export function entryKeyOf({ event, reference }: Pick<StatementEntry, 'event' | 'reference'>): string {
  return `${event} ${reference}`;
}

/** Returns the ids of the charges paid by these Pix, by endToEndId (the nationwide id of a Pix). */
export async function findChargeIdsOfPix(
  db: Db,
  merchantId: number,
  account: StatementAccount,
  endToEndIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ reference: string; id: string }>`
    select end_to_end_id as reference, charge_id as id from received_pix
    where end_to_end_id = any(${textArray(endToEndIds)}::text[]) and ${bookOf(account).isThere}
      and merchant_id = ${merchantId} and charge_id is not null
  `.execute(db);
  return new Map(rows.map(({ reference, id }) => [reference, id]));
}

/** Returns the ids of refunded charges, by refund id. In `lookUp`, `wanted` is a table that `rowsById` defines. */
export async function findChargeIdsOfRefunds(
  db: Db,
  merchantId: number,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const lookUp = sql`
    select id::text as reference, charge_id as id from refunds
    where merchant_id = ${merchantId} and id = wanted.id and charge_id is not null`;
  const { rows } = await sql<{ reference: string; id: string }>`
    select found.* from ${rowsById(ids, 'uuid', lookUp)}
  `.execute(db);
  return new Map(rows.map(({ reference, id }) => [reference, id]));
}

/** Returns the ids of charges whose payment the bank returned by itself, by rtrId (the nationwide id of a return). */
export async function findChargeIdsOfReturns(
  db: Db,
  merchantId: number,
  rtrIds: readonly string[],
): Promise<Map<string, string>> {
  const lookUp = sql`
    select rtr_id as reference, charge_id as id from refunds
    where merchant_id = ${merchantId} and rtr_id = wanted.id and status <> 'failed' and charge_id is not null`;
  const { rows } = await sql<{ reference: string; id: string }>`
    select found.* from ${rowsById(rtrIds, 'text', lookUp)}
  `.execute(db);
  return new Map(rows.map(({ reference, id }) => [reference, id]));
}

/** Sums the unreleased reserves (withheld shares of payments) by the day of their release, earliest first. */
export async function sumReservesByReleaseDay(
  db: Db,
  merchantId: number,
): Promise<{ day: string; cents: number; payments: number }[]> {
  const { rows } = await sql<{ day: string; cents: number; payments: number }>`
    select (due_at at time zone 'America/Sao_Paulo')::date as day, sum(amount_cents - claimed_cents)::bigint as cents,
           count(*) as payments
    from reserves
    where merchant_id = ${merchantId} and released_at is null and amount_cents > claimed_cents
    group by 1
    order by 1
  `.execute(db);
  return rows;
}

/** The details of a withdrawal that its statement line shows; the fee in integer cents. */
export type WithdrawalDetails = { readonly pixKey: string; readonly feeCents: number };

/** Returns withdrawals by their ids. */
export async function findWithdrawals(
  db: Db,
  merchantId: number,
  ids: readonly string[],
): Promise<Map<string, WithdrawalDetails>> {
  const lookUp = sql`
    select id, pix_key, fee_cents from withdrawals where merchant_id = ${merchantId} and id = wanted.id`;
  const { rows } = await sql<{ id: string; pix_key: string; fee_cents: number }>`
    select found.* from ${rowsById(ids, 'uuid', lookUp)}
  `.execute(db);
  return new Map(rows.map((row) => [row.id, { pixKey: row.pix_key, feeCents: row.fee_cents }]));
}
