import type { Tx } from '../db/transaction.ts';
import { countAndCheckIfFirst } from '../identity/index.ts';
import { writeMail } from '../mail/index.ts';
import { saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';

/**
 * For each change, the texts and the kind of mail. Changes that an API key can also make have kinds of their own, so
 * that somebody with a stolen key cannot use up the limit of the other mails (`mail/mail.ts`).
 */
const changeTexts = {
  added: {
    kind: 'webhook-address',
    title: 'Endereço de webhook cadastrado',
    body: 'Um endereço de webhook foi cadastrado na sua conta: ele passa a receber os eventos dela.',
  },
  moved: {
    kind: 'webhook-address',
    title: 'Endereço de webhook trocado',
    body: 'Um endereço de webhook da sua conta foi trocado: os eventos dela, também os que esperavam, vão ao novo.',
  },
  rotated: {
    kind: 'webhook-secret',
    title: 'Segredo de webhook trocado',
    body: 'Um segredo que assina os webhooks da sua conta foi trocado. O antigo assina junto por 24 horas.',
  },
  shown: {
    kind: 'webhook-access',
    title: 'Segredo de webhook mostrado',
    body: 'Um segredo que assina os webhooks da sua conta foi mostrado no painel.',
  },
  resent: {
    kind: 'webhook-access',
    title: 'Webhooks enviados de novo',
    body: 'Entregas de webhooks da sua conta foram enviadas de novo pelo painel.',
  },
} as const;

/**
 * Notifies an account's owner, by mail and in the panel, of changes that could let someone else follow its money or
 * impersonate the gateway.
 */
export async function notifyOwner(
  tx: Tx,
  merchantId: number,
  change: keyof typeof changeTexts,
): Promise<void> {
  const { kind, title, body } = changeTexts[change];
  await writeMail(tx, { userId: merchantId, kind, subject: title, paragraphs: [body] });
  const data = { type: `security.webhook-${change}` };
  await writeMessages(tx, await saveNotifications(tx, [{ merchantId, title, body, data }]));
}

const daySeconds = 86_400;

/**
 * Like `notifyOwner`, for actions that are often repeated: notifies at most once a day for each `topic`, such as the
 * endpoint whose secret was shown.
 */
export async function notifyOwnerOncePerDay(
  tx: Tx,
  merchantId: number,
  change: keyof typeof changeTexts,
  topic: string,
): Promise<void> {
  if (await countAndCheckIfFirst(tx, `told webhook ${change} ${merchantId} ${topic}`, daySeconds))
    await notifyOwner(tx, merchantId, change);
}
