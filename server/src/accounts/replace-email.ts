import { insertAuditEntry } from '../audit/index.ts';
import type { KeyedTx } from '../db/transaction.ts';
import { searchText, takenRefusal } from '../identity/index.ts';
import { cancelLinks } from '../mail/index.ts';
import { holdWithdrawals } from '../withdrawals/index.ts';
import { notifyAccountChange } from './notify-account-change.ts';
import { type Account, updateAccount } from './store.ts';

/**
 * Changes the e-mail of a locked account at its owner's request: holds withdrawals for a day, notifies the previous
 * address and cancels links mailed to it. Refused with EMAIL_TAKEN.
 */
export async function replaceEmail(tx: KeyedTx, account: Account, email: string): Promise<void> {
  const { id: userId, email: before } = account;
  try {
    await updateAccount(tx, userId, { email, search_text: searchText({ ...account, email }) });
  } catch (error) {
    throw takenRefusal(error) ?? error;
  }
  await cancelLinks(tx, userId, 'password');
  await holdWithdrawals(tx, userId, 'email-changed');
  await insertAuditEntry(tx, {
    actor_id: userId,
    action: 'user updated',
    subject_id: userId,
    reason: null,
    before: { email: before },
    after: { email },
  });
  const body = 'O e-mail da sua conta foi alterado. Por segurança, os saques ficam suspensos por 24 horas.';
  await notifyAccountChange(tx, { userId, kind: 'email', title: 'E-mail alterado', body, to: before });
}
