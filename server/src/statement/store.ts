import type { StatementAccount } from '@jangada/contract';
import { type RawBuilder, sql } from 'kysely';
import { texts } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import type { StatementMovement } from './movement.ts';
import type { StatementPeriod } from './period.ts';

/** Opening and closing balance of a period, in integer cents. */
export type Totals = {
  readonly openingCents: number;
  readonly closingCents: number;
  readonly inCents: number;
  readonly outCents: number;
};

/** Computed from the current balance and the daily changes since: the cost grows with days, not with movements. */
export async function readTotals(
  db: Db,
  merchantId: number,
  account: StatementAccount,
  { from, to }: StatementPeriod,
): Promise<Totals> {
  const change = sql.ref(`${account}_change_cents`);
  const { rows } = await sql<{ balance: number; later: number; change: number; came_in: number }>`
    select balance.${sql.ref(`${account}_cents`)} as balance,
           coalesce(sum(${change}) filter (where day > ${to}::date), 0)::bigint as later,
           coalesce(sum(${change}) filter (where day <= ${to}::date), 0)::bigint as change,
           coalesce(sum(${sql.ref(`${account}_in_cents`)}) filter (where day <= ${to}::date), 0)::bigint as came_in
    from ledger_balances balance
    left join ledger_days days on days.merchant_id = balance.merchant_id and day >= ${from}::date
    where balance.merchant_id = ${merchantId}
    group by balance.merchant_id
  `.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error(`merchant ${merchantId} has no balances`);
  const closingCents = row.balance - row.later;
  return {
    closingCents,
    openingCents: closingCents - row.change,
    inCents: row.came_in,
    outCents: row.came_in - row.change,
  };
}

/** A movement of a balance, as in the ledger. */
export type StatementEntry = {
  readonly at: Date;
  readonly event: string;
  readonly reference: string;
  /** The change of the balance, in integer cents. */
  readonly changeCents: number;
};

/** An entry's position among all entries of its balance. At the same moment, credits come before debits. */
export type EntryPosition = Pick<StatementEntry, 'at' | 'event' | 'reference'> & { readonly isOut: boolean };

export type StatementEntryFilter = {
  readonly merchantId: number;
  readonly account: StatementAccount;
  readonly movements: readonly StatementMovement[];
  readonly from: Date;
  readonly until: Date;
};

export type EntryOrder = 'newest first' | 'oldest first';

/** At most `limit` entries after a position, in that order. */
export async function listEntries(
  db: Db,
  filter: StatementEntryFilter,
  { order, behind, limit }: { order: EntryOrder; behind?: EntryPosition | undefined; limit: number },
): Promise<StatementEntry[]> {
  const way = order === 'newest first' ? sql`desc` : sql`asc`;
  // An entry has at most two transfers.
  const legs = sql`order by at ${way}, reference ${way} limit ${2 * limit}::int`;
  const { rows } = await sql<{ at: Date; event: string; reference: string; cents: number }>`
    select at, event, reference, sum(cents)::bigint as cents
    from ${transfersOf(filter, behind && passed(filter.account, behind, order), legs)}
    group by at, event, reference
    order by at ${way}, (sum(cents) < 0) ${way}, reference ${way}, event ${way}
    limit ${limit}::int
  `.execute(db);
  return rows.map(({ cents, ...row }) => ({ ...row, changeCents: cents }));
}

/** Net change of a balance between two positions, in integer cents: after `since` and before `behind`. */
export async function sumEntries(
  db: Db,
  filter: Omit<StatementEntryFilter, 'from'>,
  { since, behind }: { since: Date; behind: EntryPosition },
): Promise<number> {
  const after = sql`at > ${since} and ${passed(filter.account, behind, 'newest first')}`;
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(cents), 0)::bigint as cents
    from ${transfersOf({ ...filter, from: since }, after, sql``)}
  `.execute(db);
  return rows[0]?.cents ?? 0;
}

/** The number of transfers, counted up to `atMost`. */
export async function countTransfers(db: Db, filter: StatementEntryFilter, atMost: number): Promise<number> {
  const { rows } = await sql<{ found: number }>`
    select count(*) as found from (select from ${transfersOf(filter, undefined, sql``)} limit ${atMost}::int) counted
  `.execute(db);
  return rows[0]?.found ?? 0;
}

/**
 * The transfers of a balance with their signed amounts, read by index for each event; `end` sets their order and limit
 * per event.
 */
function transfersOf(
  { merchantId, account, movements, from, until }: StatementEntryFilter,
  condition: RawBuilder<unknown> | undefined,
  end: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const balance = sql.lit(account);
  return sql`
    unnest(${texts(movements.map(({ event }) => event))}::text[], ${texts(movements.map(({ to }) => to))}::text[]) named (event, raised)
    cross join lateral (
      select at, reference, case to_account when ${balance} then amount_cents else -amount_cents end as cents
      from ledger_transfers
      where merchant_id = ${merchantId} and event = named.event and to_account = named.raised
        and (from_account in ('available', 'reserved', 'blocked') or to_account in ('available', 'reserved', 'blocked'))
        and ${balance} in (from_account, to_account)
        and at >= ${from} and at < ${until}
        ${condition === undefined ? sql`` : sql`and ${condition}`}
      ${end}
    ) transfer`;
}

/** Condition: the transfer lies after a position in this order. Its first comparison lets the index be used. */
function passed(
  account: StatementAccount,
  { at, isOut, reference, event }: EntryPosition,
  order: EntryOrder,
): RawBuilder<unknown> {
  const place = sql`(at, named.raised <> ${sql.lit(account)}, reference, named.event)`;
  const here = sql`(${at}::timestamptz, ${isOut}::boolean, ${reference}::text, ${event}::text)`;
  return order === 'newest first'
    ? sql`at <= ${at} and ${place} < ${here}`
    : sql`at >= ${at} and ${place} > ${here}`;
}

/** How a payment was split, in integer cents. */
export type Split = {
  readonly grossCents: number;
  readonly feeCents: number;
  readonly reservedCents: number;
};

/** Splits of the payments among these entries, by event and reference. */
export async function readSplits(
  db: Db,
  merchantId: number,
  entries: readonly StatementEntry[],
): Promise<Map<string, Split>> {
  const { rows } = await sql<{
    event: string;
    reference: string;
    gross: number;
    fee: number;
    reserved: number;
  }>`
    select event, reference, sum(amount_cents)::bigint as gross,
           coalesce(sum(amount_cents) filter (where to_account = 'fees'), 0)::bigint as fee,
           coalesce(sum(amount_cents) filter (where to_account = 'reserved'), 0)::bigint as reserved
    from ledger_transfers
    where reference = any(${texts(entries.map(({ reference }) => reference))}::text[]) and merchant_id = ${merchantId}
      and event in ('payment received', 'unmatched assigned')
    group by event, reference
  `.execute(db);
  return new Map(
    rows.map(({ event, reference, gross, fee, reserved }) => [
      keyOf({ event, reference }),
      { grossCents: gross, feeCents: fee, reservedCents: reserved },
    ]),
  );
}

export function keyOf({ event, reference }: Pick<StatementEntry, 'event' | 'reference'>): string {
  return `${event} ${reference}`;
}

/** Charges paid by these Pix, by endToEndId. */
export async function findChargesOfPix(
  db: Db,
  merchantId: number,
  endToEndIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ reference: string; id: string }>`
    select end_to_end_id as reference, id from charges
    where merchant_id = ${merchantId} and end_to_end_id = any(${texts(endToEndIds)}::text[])
  `.execute(db);
  return new Map(rows.map(({ reference, id }) => [reference, id]));
}

/** Refunded charges, by refund id. */
export async function findChargesOfRefunds(
  db: Db,
  merchantId: number,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ reference: string; id: string }>`
    select id::text as reference, charge_id as id from refunds
    where merchant_id = ${merchantId} and id = any(${texts(ids)}::uuid[]) and charge_id is not null
  `.execute(db);
  return new Map(rows.map(({ reference, id }) => [reference, id]));
}

/** Charges of returns made by the bank itself, by rtrId. */
export async function findChargesOfReturns(
  db: Db,
  merchantId: number,
  rtrIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ reference: string; id: string }>`
    select rtr_id as reference, charge_id as id from refunds
    where merchant_id = ${merchantId} and rtr_id = any(${texts(rtrIds)}::text[]) and status <> 'failed'
      and charge_id is not null
  `.execute(db);
  return new Map(rows.map(({ reference, id }) => [reference, id]));
}

/** Open reserves by release day, earliest first. */
export async function readReleases(
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

/** Withdrawal details shown on its statement line. Amounts in integer cents. */
export type WithdrawalFacts = { readonly pixKey: string; readonly feeCents: number };

/** Withdrawals by their ids. */
export async function findWithdrawals(
  db: Db,
  merchantId: number,
  ids: readonly string[],
): Promise<Map<string, WithdrawalFacts>> {
  const { rows } = await sql<{ id: string; pix_key: string; fee_cents: number }>`
    select id, pix_key, fee_cents from withdrawals
    where merchant_id = ${merchantId} and id = any(${[...ids]}::uuid[])
  `.execute(db);
  return new Map(rows.map((row) => [row.id, { pixKey: row.pix_key, feeCents: row.fee_cents }]));
}
