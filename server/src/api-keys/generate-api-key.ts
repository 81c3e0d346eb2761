import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { notifyInPanel } from '../identity/index.ts';
import { writeMail } from '../mail/index.ts';
import { Refusal } from '../refusal.ts';
import { maskApiKey, newApiKey } from './api-key.ts';
import { lockKeyOwner } from './lock-key-owner.ts';
import { findKeyOf, putApiKey } from './store.ts';

/**
 * Generates a new key for an approved account; the previous one stops working. Leaves `active`, which says whether the
 * account's keys work at all, unchanged. Refused with ACCOUNT_NOT_APPROVED, and with ACCOUNT_FROZEN if the account was
 * frozen after the call arrived.
 */
export async function generateApiKey(
  { db, clock, secrets }: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  merchantId: number,
): Promise<{ key: string; apiKey: string; active: boolean }> {
  const apiKey = newApiKey();
  return await inTransaction({ db, clock }, async (tx) => {
    const { approved } = await lockKeyOwner(tx, merchantId);
    if (!approved) throw new Refusal('ACCOUNT_NOT_APPROVED');
    const { masked_key: before } = await findKeyOf(tx.db, merchantId);
    await putApiKey(tx.db, {
      merchant_id: merchantId,
      key_hash: secrets.hash('api-key', apiKey),
      sealed_key: secrets.seal('api-key', apiKey),
      masked_key: maskApiKey(apiKey),
      created_at: tx.now,
    });
    const made = 'Uma chave de API nova foi gerada na sua conta.';
    const news = before === null ? made : `${made} A anterior deixou de valer.`;
    const title = 'Chave de API nova';
    await writeMail(tx, { userId: merchantId, kind: 'api-key', subject: title, paragraphs: [news] });
    await notifyInPanel(tx, merchantId, { type: 'security.api-key', title, body: news });
    const { api_active: active } = await findKeyOf(tx.db, merchantId);
    return { key: apiKey, apiKey, active };
  });
}
