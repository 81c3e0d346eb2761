import type { Tx } from '../db/transaction.ts';
import { writeMail } from '../mail/index.ts';
import type { NewWithdrawal } from './store.ts';

/** Mails a merchant what became of a withdrawal. Mail passes through many hands: the key is named by its end. */
export async function mailWithdrawal(
  tx: Tx,
  { merchantId, pixKey }: Pick<NewWithdrawal, 'merchantId' | 'pixKey'>,
  subject: string,
  body: string,
): Promise<void> {
  const paragraphs = [body.replaceAll(pixKey, `•••${pixKey.slice(-4)}`)];
  await writeMail(tx, { userId: merchantId, kind: 'withdrawal', subject, paragraphs });
}
