import { sql } from 'kysely';
import { calendarDayOf, daysAfter } from '../calendar-day.ts';
import type { Db } from '../db/pool.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { stopDayOf, warningDaysOf } from './fee-statement.ts';
import { publishWarning } from './publish-statement-event.ts';
import { type FeeStatementRow, statementColumns, statementFrom } from './store.ts';

type FeesDeps = Pick<Deps, 'clock'> & {
  readonly db: Db | Tx['db'];
  readonly config: Pick<Deps['config'], 'feesOverdueDays'>;
};

/**
 * Whether a merchant's new charges are refused (FEES_OVERDUE), because a fee statement was not paid for too long after
 * its due date. Reads one index entry; of a charge at the operator's own account it need not be asked.
 */
export async function feesAreOverdue({ db, clock, config }: FeesDeps, merchantId: number): Promise<boolean> {
  const row = await db
    .selectFrom('fee_statements')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('state', '=', 'open')
    .where('due_on', '<=', daysAfter(calendarDayOf(clock.now()), -config.feesOverdueDays))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const batchSize = 200;

/** Tells merchants, once each, that new charges will soon be refused, and that they are. Returns how many were told. */
export async function warnOverdue(deps: Pick<Deps, 'db' | 'clock' | 'config'>): Promise<number> {
  let told = 0;
  for (;;) {
    const count = await inTransaction(deps, (tx) => warnBatch(tx, deps.config));
    told += count;
    if (count < batchSize) return told;
  }
}

async function warnBatch(
  tx: Tx,
  { feesOverdueDays, publicUrl }: Pick<Deps['config'], 'feesOverdueDays' | 'publicUrl'>,
): Promise<number> {
  const today = calendarDayOf(tx.now);
  const warned = daysAfter(today, -warningDaysOf(feesOverdueDays));
  const stopped = daysAfter(today, -feesOverdueDays);
  const columns = sql.join(statementColumns.map((column) => sql.ref(`fee_statements.${column}`)));
  const { rows } = await sql<FeeStatementRow>`
    update fee_statements
    set told = case when fee_statements.due_on <= ${stopped}::date then 'stopped' else 'warned' end
    from (
      select merchant_id, id from fee_statements
      where state = 'open' and due_on <= ${warned}::date
        and (told = 'closed' or (told = 'warned' and due_on <= ${stopped}::date))
      order by merchant_id, id limit ${batchSize}
      for no key update skip locked
    ) due
    where fee_statements.merchant_id = due.merchant_id and fee_statements.id = due.id
    returning ${columns}
  `.execute(tx.db);
  for (const statement of rows.map(statementFrom))
    await publishWarning(tx, statement, {
      stopsOn: stopDayOf(statement.dueOn, feesOverdueDays),
      publicUrl,
    });
  return rows.length;
}
