import type { Tx } from '../db/transaction.ts';
import { movements, post } from '../ledger/index.ts';
import { formatBrl } from '../payments/index.ts';
import { publishWithdrawalEvent } from './publish-withdrawal-event.ts';
import { updateWithdrawal } from './store.ts';
import { netCents, type Withdrawal } from './withdrawal.ts';

type Found = {
  readonly endToEndId: string | null /** When to look it up at the bank again. */;
  readonly dueAt: Date | null;
};

/**
 * Completes a withdrawal that was paid out: the key received the net amount, the platform its fee. Its row must be
 * locked.
 */
export async function completeWithdrawal(
  tx: Tx,
  withdrawal: Withdrawal,
  { endToEndId, dueAt }: Found,
): Promise<void> {
  const { merchantId, id: reference, amountCents, feeCents, pixKey } = withdrawal;
  const body = `${formatBrl(netCents(withdrawal))} foram enviados para a chave ${pixKey}.`;
  await publishWithdrawalEvent(
    tx,
    { ...withdrawal, status: 'completed' },
    { title: 'Saque concluído', body },
  );
  await post(tx, movements.withdrawalCompleted({ merchantId, reference, amountCents, feeCents }));
  await updateWithdrawal(tx, withdrawal, {
    status: 'completed',
    completed_at: tx.now,
    end_to_end_id: withdrawal.endToEndId ?? endToEndId,
    unknown_since: null,
    error_code: null,
    error: null,
    lookups: 0,
    due_at: dueAt,
  });
}
