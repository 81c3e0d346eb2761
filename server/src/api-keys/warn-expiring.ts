import { formatMomentForSentence } from '../calendar-day.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { writeMail } from '../mail/index.ts';
import { saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { type EndingKey, takeEndingKeys } from './scoped-store.ts';

const aheadMs = 7 * 86_400_000;
const limit = 200;

/** Notifies owners, once, of keys that expire within 7 days: a system with an expired key cannot sell. */
export async function warnOfExpiringKeys(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  for (let told = limit; told === limit; ) told = await inTransaction(deps, warnSome);
}

async function warnSome(tx: Tx): Promise<number> {
  const until = new Date(tx.now.getTime() + aheadMs);
  const ending = await takeEndingKeys(tx, { until, aheadMs, limit });
  await writeMessages(tx, await saveNotifications(tx, ending.map(notificationOf)));
  for (const { merchant_id: userId, expires_at } of ending)
    await writeMail(tx, { userId, kind: 'account', subject: title, paragraphs: [mailOf(expires_at)] });
  return ending.length;
}

const title = 'Chave de API perto de vencer';
const what =
  'Troque a chave na página Chaves de API: a antiga continua valendo enquanto você põe a nova no lugar.';

function notificationOf({ merchant_id, id, name, expires_at }: EndingKey) {
  return {
    merchantId: merchant_id,
    title,
    body: `A chave “${name}” vence em ${formatMomentForSentence(expires_at)}. ${what}`,
    data: { type: 'security.api-key-expiring', key: id },
  };
}

function mailOf(expiresAt: Date): string {
  return `Uma chave de API da sua conta vence em ${formatMomentForSentence(expiresAt)}. ${what}`;
}
