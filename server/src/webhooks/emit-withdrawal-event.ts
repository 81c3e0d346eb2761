import type { WithdrawalEvent } from '@jangada/contract';
import type { Tx } from '../db/transaction.ts';
import { eventIdOf } from './event-id.ts';
import { writeEvents } from './write-events.ts';

/** A changed withdrawal, as reported by webhook. Amounts in integer cents. */
export type WithdrawalChange = {
  readonly merchantId: number;
  readonly withdrawalId: string;
  readonly callbackUrl: string | null;
  readonly status: WithdrawalEvent['status'];
  readonly amountCents: number;
  readonly feeCents: number;
  /** Only for a return: the total returned so far, and the bank's id of this return. */
  readonly returned?: { readonly cents: number; readonly rtrId: string };
  /** Why it failed or was returned, fit to show to users. */
  readonly error?: string | undefined;
  readonly createdAt: Date;
};

const types = { PENDING: 'withdrawal.pending', PAID: 'withdrawal.paid', ERROR: 'withdrawal.error' } as const;

/** Stores the event of a change and writes its deliveries. */
export async function emitWithdrawalEvent(tx: Tx, change: WithdrawalChange): Promise<void> {
  const { merchantId, withdrawalId, callbackUrl, status, returned, error } = change;
  const body: WithdrawalEvent = {
    type: types[status],
    id: withdrawalId,
    withdrawalId,
    status,
    amount: change.amountCents,
    fee: change.feeCents,
    ...(returned === undefined ? {} : { returned_amount: returned.cents }),
    ...(error === undefined ? {} : { error }),
    created_at: change.createdAt.toISOString(),
    updated_at: tx.now.toISOString(),
  };
  const event = { merchantId, id: eventId(change), type: body.type, subjectId: withdrawalId };
  await writeEvents(tx, [{ ...event, callbackUrl, body }]);
}

/**
 * A withdrawal reaches each status once and each return happens once, so the id is unique: the database rejects a
 * duplicate event.
 */
function eventId({ withdrawalId, status, returned }: WithdrawalChange): string {
  const what =
    returned === undefined ? types[status].replace('withdrawal.', '') : `returned_${returned.rtrId}`;
  return eventIdOf(withdrawalId, what);
}
