import { formatMomentForSentence } from '../calendar-day.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { writeMail } from '../mail/index.ts';
import { saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { type ExpiringKey, takeExpiringKeys } from './scoped-key-store.ts';

/** How long before a key expires its owner is warned. */
const warningPeriodMs = 7 * 86_400_000;
const batchSize = 200;

/**
 * Warns owners, once per key and expiry, of keys that expire within 7 days, because a system with an expired key cannot
 * sell.
 */
export async function warnOfExpiringKeys(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  let warned: number;
  do warned = await inTransaction(deps, warnBatch);
  while (warned === batchSize);
}

/** Notifies the owners of one batch of keys, and returns the number of keys in the batch. */
async function warnBatch(tx: Tx): Promise<number> {
  const until = new Date(tx.now.getTime() + warningPeriodMs);
  const expiringKeys = await takeExpiringKeys(tx, { until, aheadMs: warningPeriodMs, limit: batchSize });
  await writeMessages(tx, await saveNotifications(tx, expiringKeys.map(notificationOf)));
  for (const { merchant_id: userId, expires_at } of expiringKeys)
    await writeMail(tx, {
      userId,
      kind: 'account',
      subject: title,
      paragraphs: [mailOf(expires_at)],
    });
  return expiringKeys.length;
}

const title = 'Chave de API perto de vencer';
const advice =
  'Troque a chave na página Chaves de API: a antiga continua valendo enquanto você põe a nova no lugar.';

function notificationOf({ merchant_id, id, name, expires_at }: ExpiringKey) {
  return {
    merchantId: merchant_id,
    title,
    body: `A chave “${name}” vence em ${formatMomentForSentence(expires_at)}. ${advice}`,
    data: { type: 'security.api-key-expiring', key: id },
  };
}

function mailOf(expiresAt: Date): string {
  return `Uma chave de API da sua conta vence em ${formatMomentForSentence(expiresAt)}. ${advice}`;
}
