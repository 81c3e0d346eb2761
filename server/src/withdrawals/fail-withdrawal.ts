import type { Tx } from '../db/transaction.ts';
import { movements, post } from '../ledger/index.ts';
import { publishWithdrawalEvent } from './publish-withdrawal-event.ts';
import { updateWithdrawal } from './store.ts';
import type { Withdrawal } from './withdrawal.ts';

export type FailureReason = { readonly code: string; readonly text: string };

/** Fails a withdrawal that certainly was not paid out, and credits the merchant back. Its row must be locked. */
export async function failWithdrawal(
  tx: Tx,
  withdrawal: Withdrawal,
  { code, text }: FailureReason,
): Promise<void> {
  const { merchantId, id: reference, amountCents } = withdrawal;
  await publishWithdrawalEvent(
    tx,
    { ...withdrawal, status: 'failed' },
    { title: 'Saque não realizado', body: text },
  );
  await post(tx, movements.withdrawalRefused({ merchantId, reference, amountCents }));
  await updateWithdrawal(tx, withdrawal, {
    status: 'failed',
    error_code: code,
    error: text,
    operator_hold: null,
    unknown_since: null,
    due_at: null,
  });
}
