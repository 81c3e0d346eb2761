import { insertAuditEntry } from '../audit/index.ts';
import type { KeyedTx } from '../db/transaction.ts';
import { searchText, takenRefusal } from '../identity/index.ts';
import { cancelLinks } from '../mail/index.ts';
import { holdWithdrawals } from '../withdrawals/index.ts';
import { notifyAccountChange } from './notify-account-change.ts';
import { type Account, updateAccount } from './store.ts';

/**
 * Changes the e-mail of an account that is locked, by its owner's wish: withdrawals are held for a day, the address
 * before is told, and links that were mailed to it end. Refused with EMAIL_TAKEN.
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
