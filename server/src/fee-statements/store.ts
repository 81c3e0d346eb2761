import type { FeeStatementState } from '@jangada/contract';
import { type Selectable, sql } from 'kysely';
import { numberArray, textArray } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import type { DB } from '../db/schema.ts';
import type { Tx } from '../db/transaction.ts';
import { type FeesOfDay, firstDayOf, monthOf, type StoredFeeStatement } from './fee-statement.ts';

export const statementColumns = [
  'merchant_id',
  'id',
  'month',
  'number',
  'amount_cents',
  'fee_count',
  'closed_at',
  'due_on',
  'state',
  'paid_at',
  'end_to_end_id',
  'paid_reference',
] as const;

export type FeeStatementRow = Pick<Selectable<DB['fee_statements']>, (typeof statementColumns)[number]>;

export function statementFrom(row: FeeStatementRow): StoredFeeStatement {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    month: monthOf(row.month),
    number: row.number,
    amountCents: row.amount_cents,
    feeCount: row.fee_count,
    closedAt: row.closed_at,
    dueOn: row.due_on,
    // The table's CHECK admits only these words.
    state: row.state as FeeStatementState,
    paidAt: row.paid_at,
    endToEndId: row.end_to_end_id,
    paidReference: row.paid_reference,
  };
}

/** Stores statements that were just closed, with their days. */
export async function insertStatements(
  tx: Tx,
  statements: readonly (StoredFeeStatement & { readonly days: readonly FeesOfDay[] })[],
): Promise<void> {
  for (const { days, ...statement } of statements) {
    await tx.db
      .insertInto('fee_statements')
      .values({
        merchant_id: statement.merchantId,
        id: statement.id,
        month: firstDayOf(statement.month),
        number: statement.number,
        amount_cents: statement.amountCents,
        fee_count: statement.feeCount,
        closed_at: statement.closedAt,
        due_on: statement.dueOn,
      })
      .execute();
    await tx.db
      .insertInto('fee_statement_days')
      .values(
        days.map(({ day, feeCount, amountCents }) => ({
          merchant_id: statement.merchantId,
          statement_id: statement.id,
          day,
          fee_count: feeCount,
          amount_cents: amountCents,
        })),
      )
      .execute();
  }
}

export async function findStatement(
  db: Db | Tx['db'],
  merchantId: number,
  id: string,
): Promise<StoredFeeStatement | undefined> {
  const row = await db
    .selectFrom('fee_statements')
    .select(statementColumns)
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && statementFrom(row);
}

/** Reads and locks a statement, so that it is paid once. */
export async function lockStatement(
  tx: Tx,
  merchantId: number,
  id: string,
): Promise<StoredFeeStatement | undefined> {
  const row = await tx.db
    .selectFrom('fee_statements')
    .select(statementColumns)
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row && statementFrom(row);
}

/** The merchant of a statement whose id an administrator names. */
export async function findMerchantOfStatement(db: Db, id: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('fee_statements')
    .select('merchant_id')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.merchant_id;
}

/** Lists a merchant's statements, newest month first, with the number of all of them. */
export async function listStatements(
  db: Db,
  merchantId: number,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{
  statements: StoredFeeStatement[];
  total: number;
  openCents: number;
  oldestOpen: StoredFeeStatement | undefined;
}> {
  const [rows, oldest, sums] = await Promise.all([
    db
      .selectFrom('fee_statements')
      .select(statementColumns)
      .where('merchant_id', '=', merchantId)
      .orderBy('month', 'desc')
      .limit(limit)
      .offset(offset)
      .execute(),
    db
      .selectFrom('fee_statements')
      .select(statementColumns)
      .where('merchant_id', '=', merchantId)
      .where('state', '=', 'open')
      .orderBy('month')
      .limit(1)
      .executeTakeFirst(),
    sql<{ total: number; open_cents: number }>`
      select count(*) as total, coalesce(sum(amount_cents) filter (where state = 'open'), 0)::bigint as open_cents
      from fee_statements where merchant_id = ${merchantId}
    `.execute(db),
  ]);
  const { total = 0, open_cents: openCents = 0 } = sums.rows[0] ?? {};
  const oldestOpen = oldest && statementFrom(oldest);
  return { statements: rows.map(statementFrom), total, openCents, oldestOpen };
}

export async function listStatementDays(
  db: Db,
  { merchantId, id }: Pick<StoredFeeStatement, 'merchantId' | 'id'>,
): Promise<FeesOfDay[]> {
  const rows = await db
    .selectFrom('fee_statement_days')
    .select(['day', 'fee_count', 'amount_cents'])
    .where('merchant_id', '=', merchantId)
    .where('statement_id', '=', id)
    .orderBy('day')
    .execute();
  return rows.map((row) => ({ day: row.day, feeCount: row.fee_count, amountCents: row.amount_cents }));
}

/** Who paid, and how: by a Pix, or as an administrator wrote. */
export type StatementPayment = Pick<StoredFeeStatement, 'merchantId' | 'id'> & {
  readonly paidAt: Date;
  readonly endToEndId: string | null;
  readonly paidReference: string | null;
};

/** Marks statements as paid. The caller has locked them, and posts the payment in the same transaction. */
export async function markPaid(tx: Tx, payments: readonly StatementPayment[]): Promise<void> {
  if (payments.length === 0) return;
  await sql`
    update fee_statements
    set state = 'paid', paid_at = paid.paid_at, end_to_end_id = paid.end_to_end_id, paid_reference = paid.paid_reference
    from unnest(${numberArray(payments.map(({ merchantId }) => merchantId))}::bigint[],
                ${textArray(payments.map(({ id }) => id))}::uuid[],
                ${payments.map(({ paidAt }) => paidAt)}::timestamptz[],
                ${textArray(payments.map(({ endToEndId }) => endToEndId))}::text[],
                ${textArray(payments.map(({ paidReference }) => paidReference))}::text[])
      paid (merchant_id, id, paid_at, end_to_end_id, paid_reference)
    where fee_statements.merchant_id = paid.merchant_id and fee_statements.id = paid.id
  `.execute(tx.db);
}
