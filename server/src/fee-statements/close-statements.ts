import { calendarDayOf } from '../calendar-day.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { invariant } from '../invariant.ts';
import { lockBalances } from '../ledger/index.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';
import { newTimeId } from '../time-id.ts';
import { findMerchantsToClose, readDueFees, readOwedFees } from './due-fees-store.ts';
import {
  dueDayOf,
  groupByClosingMonth,
  monthBefore,
  monthOf,
  numberOf,
  type StoredFeeStatement,
  sumCents,
  sumFees,
} from './fee-statement.ts';
import { publishClosed } from './publish-statement-event.ts';
import { insertStatements } from './store.ts';

type CloseDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'config'>;

/**
 * Closes the months that are over, for each merchant who owes fees of them: of each such month a statement is made.
 * Runs every hour, so a month is closed soon after its end, or soon after the gateway is back. Returns how many
 * statements were made. A merchant whose books are wrong delays nobody else.
 */
export async function closeFeeStatements(deps: CloseDeps): Promise<number> {
  const today = calendarDayOf(deps.clock.now());
  let closed = 0;
  for (const merchantId of await findMerchantsToClose(deps.db, monthBefore(monthOf(today)))) {
    try {
      closed += await inTransaction(deps, (tx) => closeMonthsOf(tx, merchantId, deps.config.publicUrl));
    } catch (err) {
      deps.log.error({ err, merchantId }, 'the fees of a merchant could not be closed');
    }
  }
  return closed;
}

/**
 * Closes the months of one merchant. The lock on the balances keeps fees from being booked meanwhile, and another
 * process from closing the same months.
 */
async function closeMonthsOf(tx: Tx, merchantId: number, publicUrl: string): Promise<number> {
  await lockBalances(tx, [merchantId], HOUSE_CONNECTION);
  const { lastClosedMonth, unclosedDays } = await readDueFees(tx.db, merchantId);
  const { owedCents, openCents } = await readOwedFees(tx, merchantId);
  invariant(
    sumCents(unclosedDays) === owedCents - openCents,
    `the fees of merchant ${merchantId} by day differ from what the books say is due`,
  );
  const today = calendarDayOf(tx.now);
  const statements = [...groupByClosingMonth(unclosedDays, lastClosedMonth)]
    .filter(([month]) => month < monthOf(today))
    .map(([month, days]) => ({ ...newStatement(merchantId, month, tx.now), ...totalsOf(days), days }));
  await insertStatements(tx, statements);
  for (const statement of statements) await publishClosed(tx, statement, publicUrl);
  return statements.length;
}

function newStatement(
  merchantId: number,
  month: string,
  now: Date,
): Omit<StoredFeeStatement, 'amountCents' | 'feeCount'> {
  return {
    merchantId,
    id: newTimeId(now),
    month,
    number: numberOf(merchantId, month),
    closedAt: now,
    dueOn: dueDayOf(calendarDayOf(now)),
    state: 'open',
    paidAt: null,
    endToEndId: null,
    paidReference: null,
  };
}

function totalsOf(days: Parameters<typeof sumCents>[0]) {
  return { amountCents: sumCents(days), feeCount: sumFees(days) };
}
