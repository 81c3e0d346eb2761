import type { Tx } from '../db/transaction.ts';
import { cancelLinks, writeMail } from '../mail/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { holdWithdrawals } from '../withdrawals/index.ts';
import type { Profile } from './account-change.ts';

/** What an account's owner hears of, and what must follow, when an administrator changed it. */
export async function tellUser(
  tx: Tx,
  { id, email }: { readonly id: number; readonly email: string },
  changes: Partial<Profile>,
): Promise<void> {
  await writeMessages(tx, [{ merchantId: id, message: { type: 'account' } }]);
  if (changes.email !== undefined) await replaceAddress(tx, id, email);
}

/** Whoever reads the address before learns of it, and opens nothing more by what was sent there. */
async function replaceAddress(tx: Tx, userId: number, before: string): Promise<void> {
  await holdWithdrawals(tx, userId, 'email-changed');
  await cancelLinks(tx, userId, 'password');
  await cancelLinks(tx, userId, 'email');
  await writeMail(tx, {
    userId,
    to: before,
    kind: 'email',
    subject: 'E-mail alterado',
    paragraphs: [
      'O e-mail da sua conta foi alterado por um administrador. Por segurança, os saques ficam suspensos por 24 horas.',
    ],
  });
}
