import type { adminFeeStatements, QueryOf } from '@jangada/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { normalizeForSearch } from '../identity/index.ts';
import type { StoredFeeStatement } from './fee-statement.ts';
import { type FeeStatementRow, statementColumns, statementFrom } from './store.ts';

/** A statement with the account that it is about. */
export type StatementOfMerchant = {
  readonly statement: StoredFeeStatement;
  readonly merchant: { readonly id: string; readonly name: string; readonly username: string };
};

type ListedRow = FeeStatementRow & { name: string; username: string };

const selectWithMerchant = sql`
  select ${sql.join(statementColumns.map((column) => sql.ref(`statement.${column}`)))}, owner.name, owner.username
  from fee_statements statement join users owner on owner.id = statement.merchant_id`;

/** Lists the statements of all merchants that the query selects, newest month first. `today`: a calendar day. */
export async function listAllStatements(
  db: Db,
  query: QueryOf<typeof adminFeeStatements>,
  today: string,
): Promise<{ statements: StatementOfMerchant[]; total: number; openCents: number; overdue: number }> {
  const condition = conditionOf(query, today);
  const { page, pageSize } = query;
  const [listed, counted, sums] = await Promise.all([
    sql<ListedRow>`
      ${selectWithMerchant} where ${condition}
      order by statement.month desc, statement.merchant_id desc
      limit ${pageSize} offset ${(page - 1) * pageSize}
    `.execute(db),
    sql<{ total: number }>`
      select count(*) as total
      from fee_statements statement join users owner on owner.id = statement.merchant_id where ${condition}
    `.execute(db),
    sql<{ open_cents: number; overdue: number }>`
      select coalesce(sum(amount_cents), 0)::bigint as open_cents, count(*) filter (where due_on < ${today}::date) as overdue
      from fee_statements where state = 'open'
    `.execute(db),
  ]);
  const { open_cents: openCents = 0, overdue = 0 } = sums.rows[0] ?? {};
  return {
    statements: listed.rows.map(withMerchant),
    total: counted.rows[0]?.total ?? 0,
    openCents,
    overdue,
  };
}

function conditionOf(
  { status, overdue, search = '' }: QueryOf<typeof adminFeeStatements>,
  today: string,
): RawBuilder<unknown> {
  const conditions = [sql`true`];
  if (status !== undefined) conditions.push(sql`statement.state = ${status}`);
  if (overdue !== undefined)
    conditions.push(sql`statement.state = 'open' and statement.due_on < ${today}::date`);
  const text = search.trim();
  if (text !== '')
    conditions.push(
      sql`(strpos(owner.search_text, ${normalizeForSearch(text)}) > 0 or starts_with(statement.number, ${text}))`,
    );
  return sql.join(conditions, sql` and `);
}

function withMerchant({ name, username, ...row }: ListedRow): StatementOfMerchant {
  return { statement: statementFrom(row), merchant: { id: String(row.merchant_id), name, username } };
}

/** The names of the account that a statement is about. */
export async function readMerchantOf(
  db: Db,
  { merchantId }: Pick<StoredFeeStatement, 'merchantId'>,
): Promise<StatementOfMerchant['merchant']> {
  const { name, username } = await db
    .selectFrom('users')
    .select(['name', 'username'])
    .where('id', '=', merchantId)
    .executeTakeFirstOrThrow();
  return { id: String(merchantId), name, username };
}
