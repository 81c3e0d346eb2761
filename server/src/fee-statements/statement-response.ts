import { brlFromCents, type FeeDay, type FeeStatement, type FeeStatementPix } from '@jangada/contract';
import type { StatementCharge } from './charge-store.ts';
import { type FeesOfDay, type StoredFeeStatement, stopDayOf } from './fee-statement.ts';

/** Converts a statement to the form in which the API returns it. `today`: a calendar day. */
export function toStatementResponse(
  statement: StoredFeeStatement,
  { today, overdueDays }: { readonly today: string; readonly overdueDays: number },
): FeeStatement {
  return {
    id: statement.id,
    number: statement.number,
    month: statement.month,
    amount: brlFromCents(statement.amountCents),
    fees: statement.feeCount,
    status: statement.state,
    closed_at: statement.closedAt.toISOString(),
    due_on: statement.dueOn,
    stops_on: stopDayOf(statement.dueOn, overdueDays),
    is_overdue: statement.state === 'open' && statement.dueOn < today,
    paid_at: statement.paidAt?.toISOString() ?? null,
    end_to_end_id: statement.endToEndId,
    paid_reference: statement.paidReference,
  };
}

export function toDayResponse({ day, feeCount, amountCents }: FeesOfDay): FeeDay {
  return { day, fees: feeCount, amount: brlFromCents(amountCents) };
}

export function toPixResponse(
  { txid, brCode, expiresAt }: StatementCharge,
  { amountCents }: Pick<StoredFeeStatement, 'amountCents'>,
): FeeStatementPix {
  return {
    txid,
    content: brCode,
    amount: brlFromCents(amountCents),
    expires_at: expiresAt.toISOString(),
  };
}
