import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import type { AccountKind } from './chart-of-accounts.ts';

export type Balances = Readonly<Record<AccountKind, number>>;

/** All balances of one merchant, in integer cents. */
export async function readBalances(db: Db | Tx['db'], merchantId: number): Promise<Balances> {
  const rows = await db
    .selectFrom('ledger_accounts')
    .select(['kind', 'balance_cents'])
    .where('merchant_id', '=', merchantId)
    .execute();
  const of = (kind: AccountKind) => rows.find((row) => row.kind === kind)?.balance_cents ?? 0;
  return {
    available: of('available'),
    reserved: of('reserved'),
    blocked: of('blocked'),
    in_transit: of('in_transit'),
    suspense: of('suspense'),
    receivable: of('receivable'),
    psp: of('psp'),
    fees: of('fees'),
    adjustments: of('adjustments'),
  };
}

/** What one merchant may withdraw, in integer cents. */
export async function readAvailable(db: Db | Tx['db'], merchantId: number): Promise<number> {
  const row = await db
    .selectFrom('ledger_accounts')
    .select('balance_cents')
    .where('merchant_id', '=', merchantId)
    .where('kind', '=', 'available')
    .executeTakeFirstOrThrow();
  return row.balance_cents;
}

/** The available balance at the end of each of the last `days` days up to `today` (YYYY-MM-DD), oldest first. */
export async function readDayEndBalances(
  db: Db,
  merchantId: number,
  days: readonly string[],
): Promise<Map<string, number>> {
  const first = days[0];
  if (first === undefined) return new Map();
  const [now, changes] = await Promise.all([
    readAvailable(db, merchantId),
    db
      .selectFrom('ledger_days')
      .select(['day', 'available_change_cents'])
      .where('merchant_id', '=', merchantId)
      .where('day', '>', first)
      .execute(),
  ]);
  const changeOn = new Map(changes.map((row) => [row.day, row.available_change_cents]));
  const ends = new Map<string, number>();
  let balance = now;
  for (const day of days.toReversed()) {
    ends.set(day, balance);
    balance -= changeOn.get(day) ?? 0;
  }
  return ends;
}
