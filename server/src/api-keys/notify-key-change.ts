import { scopeTexts } from '@jangada/contract';
import type { Tx } from '../db/transaction.ts';
import { writeMail } from '../mail/index.ts';
import { saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { orderScopes, type ScopedKeyRow } from './scoped-key.ts';

type ChangeKind = 'created' | 'rotated' | 'changed';

const titles: Readonly<Record<ChangeKind, string>> = {
  created: 'Chave de API criada',
  rotated: 'Chave de API trocada',
  changed: 'Chave de API alterada',
};

const sentences: Readonly<Record<ChangeKind, string>> = {
  created: 'Uma chave de API foi criada na sua conta.',
  rotated: 'Uma chave de API da sua conta foi trocada. A anterior deixa de valer no prazo escolhido.',
  changed: 'Uma chave de API da sua conta foi alterada.',
};

/**
 * Notifies an account's owner of a new or changed key, by mail and in the dashboard. The mail omits the key's name,
 * which is user input.
 */
export async function notifyKeyChange(
  tx: Tx,
  merchantId: number,
  changeKind: ChangeKind,
  { id, name, masked_key, scopes }: ScopedKeyRow,
): Promise<void> {
  const title = titles[changeKind];
  const labels = orderScopes(scopes).map((scope) => scopeTexts[scope].label);
  const lastCharacters = masked_key.slice(-4);
  const permissionText = `pode: ${labels.join(', ')}.`;
  await writeMail(tx, {
    userId: merchantId,
    kind: 'api-key',
    subject: title,
    paragraphs: [sentences[changeKind], `Ela termina em ${lastCharacters} e ${permissionText}`],
  });
  const body = `“${name}”, de final ${lastCharacters}, ${permissionText}`;
  const data = { type: `security.api-key-${changeKind}`, key: id };
  await writeMessages(tx, await saveNotifications(tx, [{ merchantId, title, body, data }]));
}
