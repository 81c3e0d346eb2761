import type { Tx } from '../db/transaction.ts';
import { writeMail } from '../mail/index.ts';
import type { NewWithdrawal } from './store.ts';

/** E-mails the merchant about a withdrawal. E-mail is not confidential, so the key is masked. */
export async function mailWithdrawal(
  tx: Tx,
  { merchantId, pixKey }: Pick<NewWithdrawal, 'merchantId' | 'pixKey'>,
  subject: string,
  body: string,
): Promise<void> {
  const paragraphs = [body.replaceAll(pixKey, maskKey(pixKey))];
  await writeMail(tx, { userId: merchantId, kind: 'withdrawal', subject, paragraphs });
}

/**
 * Leaves enough for the owner to recognize the key: for an e-mail, the only key with an @, its first letter and its
 * domain.
 */
export function maskKey(pixKey: string): string {
  const at = pixKey.lastIndexOf('@');
  return at > 0 ? `${pixKey.slice(0, 1)}•••${pixKey.slice(at)}` : `•••${pixKey.slice(-4)}`;
}
