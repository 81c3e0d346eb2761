import type { Tx } from '../db/transaction.ts';
import { writeMail } from '../mail/index.ts';
import type { NewWithdrawal } from './store.ts';

/** Mails a merchant what became of a withdrawal. Mail passes through many hands: the key is named in part. */
export async function mailWithdrawal(
  tx: Tx,
  { merchantId, pixKey }: Pick<NewWithdrawal, 'merchantId' | 'pixKey'>,
  subject: string,
  body: string,
): Promise<void> {
  const paragraphs = [body.replaceAll(pixKey, maskKey(pixKey))];
  await writeMail(tx, { userId: merchantId, kind: 'withdrawal', subject, paragraphs });
}

/** Enough for its owner to tell it from their others: of an e-mail, which alone has an @, its first letter and its domain. */
export function maskKey(pixKey: string): string {
  const at = pixKey.lastIndexOf('@');
  return at > 0 ? `${pixKey.slice(0, 1)}•••${pixKey.slice(at)}` : `•••${pixKey.slice(-4)}`;
}
