import type { Selectable } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { DB } from '../db/schema.ts';
import type { Tx } from '../db/transaction.ts';
import { invariant } from '../invariant.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';
import type { AccountKind } from './chart-of-accounts.ts';

type Row = Selectable<DB['ledger_balances']>;

/** The balance of each of a merchant's accounts, in integer cents. */
export type Balances = Readonly<Record<AccountKind, number>>;

/** All balances of one merchant at one account, in integer cents. */
export async function readBalances(
  db: Db | Tx['db'],
  merchantId: number,
  connectionId = HOUSE_CONNECTION,
): Promise<Balances> {
  return balancesOf(await readRow(db, merchantId, connectionId));
}

function readRow(db: Db | Tx['db'], merchantId: number, connectionId = HOUSE_CONNECTION): Promise<Row> {
  return db
    .selectFrom('ledger_balances')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('connection_id', '=', connectionId)
    .executeTakeFirstOrThrow();
}

function balancesOf(row: Row): Balances {
  return {
    available: row.available_cents,
    reserved: row.reserved_cents,
    blocked: row.blocked_cents,
    in_transit: row.in_transit_cents,
    suspense: row.suspense_cents,
    receivable: row.receivable_cents,
    psp: row.psp_cents,
    fees: row.fees_cents,
    fees_due: row.fees_due_cents,
    adjustments: row.adjustments_cents,
  };
}

/**
 * What a merchant has at the operator's own account, and in sum at accounts of their own, as far as the gateway saw. In
 * integer cents.
 */
export type MerchantBalances = {
  readonly house: Balances;
  /** Undefined if the merchant never connected an account. `available` may be below zero. */
  readonly own: Pick<Balances, 'available' | 'blocked' | 'in_transit'> | undefined;
  /** Dispute shortfalls (disputed amounts that could not be blocked) and debt; incoming money settles them first. */
  readonly obligations: number;
};

/** All balances of one merchant, read at one moment. */
export async function readMerchantBalances(db: Db | Tx['db'], merchantId: number): Promise<MerchantBalances> {
  const rows = await db
    .selectFrom('ledger_balances')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .execute();
  const house = rows.find((row) => row.connection_id === HOUSE_CONNECTION);
  invariant(house !== undefined, 'a merchant without balances');
  const ownRows = rows.filter((row) => row !== house);
  const sumOf = (column: 'available_cents' | 'blocked_cents' | 'in_transit_cents') =>
    ownRows.reduce((sum, row) => sum + row[column], 0);
  const own = {
    available: sumOf('available_cents'),
    blocked: sumOf('blocked_cents'),
    in_transit: sumOf('in_transit_cents'),
  };
  return {
    house: balancesOf(house),
    own: ownRows.length === 0 ? undefined : own,
    obligations: obligationsOf(house),
  };
}

/** The money that a merchant has available at each account, by the account's number, in integer cents. */
export async function readAvailableByAccount(
  db: Db | Tx['db'],
  merchantId: number,
): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('ledger_balances')
    .select(['connection_id', 'available_cents'])
    .where('merchant_id', '=', merchantId)
    .execute();
  return new Map(rows.map((row) => [row.connection_id, row.available_cents]));
}

/** The balance of the receivable account is negative while the merchant owes a debt, so it is subtracted. */
function obligationsOf(row: Pick<Row, 'shortfall_cents' | 'receivable_cents'>): number {
  return row.shortfall_cents - row.receivable_cents;
}

/** The obligations of one merchant, in integer cents: dispute shortfalls and debt. */
export async function readObligations(db: Db | Tx['db'], merchantId: number): Promise<number> {
  const row = await db
    .selectFrom('ledger_balances')
    .select(['shortfall_cents', 'receivable_cents'])
    .where('merchant_id', '=', merchantId)
    .where('connection_id', '=', HOUSE_CONNECTION)
    .executeTakeFirstOrThrow();
  return obligationsOf(row);
}

/** The amount that one merchant may withdraw from the operator's own account, in integer cents. */
export async function readAvailable(db: Db | Tx['db'], merchantId: number): Promise<number> {
  const row = await db
    .selectFrom('ledger_balances')
    .select('available_cents')
    .where('merchant_id', '=', merchantId)
    .where('connection_id', '=', HOUSE_CONNECTION)
    .executeTakeFirstOrThrow();
  return row.available_cents;
}

/**
 * The available balance at the end of each of the `days` (YYYY-MM-DD), in integer cents, at the operator's own account or
 * in sum at all accounts, where the balance now is `currentCents`. The days must be consecutive, oldest first, and end
 * with today, because the balances are computed backwards from the current one.
 */
export async function readDayEndBalances(
  db: Db,
  merchantId: number,
  { at, currentCents }: { readonly at: 'house' | 'all'; readonly currentCents: number },
  days: readonly string[],
): Promise<Map<string, number>> {
  const firstDay = days[0];
  if (firstDay === undefined) return new Map();
  const changes = await db
    .selectFrom('ledger_days')
    .select(['day', 'available_change_cents'])
    .where('merchant_id', '=', merchantId)
    .where('connection_id', at === 'house' ? '=' : '>=', HOUSE_CONNECTION)
    .where('day', '>', firstDay)
    .execute();
  const changesByDay = Map.groupBy(changes, ({ day }) => day);
  const endBalances = new Map<string, number>();
  let balance = currentCents;
  for (const day of days.toReversed()) {
    endBalances.set(day, balance);
    for (const change of changesByDay.get(day) ?? []) balance -= change.available_change_cents;
  }
  return endBalances;
}
