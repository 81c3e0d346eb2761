// An account's readable key: an account has at most one, and its owner can display it again at any time. The keys of
// `manage-keys.ts`, in contrast, are shown once.

import type { apiKeyStatus, ResponseOf } from '@jangada/contract';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import {
  confirmPassword,
  isFactorSatisfied,
  isPasswordFresh,
  notifyInDashboard,
  readMaker,
} from '../identity/index.ts';
import { writeMail } from '../mail/index.ts';
import { refuseWhileHeld } from '../money-hold.ts';
import { Refusal } from '../refusal.ts';
import { maskApiKey, newApiKey } from './api-key.ts';
import { lockKeyOwner } from './manage-keys.ts';
import { findReadableKey, upsertReadableKey } from './store.ts';

/**
 * Generates a new key for an approved account; the previous one stops working. Does not change `active`, which says
 * whether the account's keys work at all. `key` and `apiKey` are the same value under the two names that clients read.
 * Refused with ACCOUNT_NOT_APPROVED, and with ACCOUNT_FROZEN if the account was frozen after the call arrived.
 */
export async function generateApiKey(
  { db, clock, secrets }: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  merchantId: number,
  makerId = merchantId,
): Promise<{ key: string; apiKey: string; active: boolean }> {
  const apiKey = newApiKey();
  return await inTransaction({ db, clock }, async (tx) => {
    const { approved } = await lockKeyOwner(tx, merchantId);
    if (!approved) throw new Refusal('ACCOUNT_NOT_APPROVED');
    const { masked_key: previousKey } = await findReadableKey(tx.db, merchantId);
    // A key in place of another one moves no more money than that one did.
    if (previousKey === null)
      await refuseWhileHeld(
        tx,
        { merchantId, userId: makerId },
        'não se cria a chave da conta, que move dinheiro,',
      );
    await upsertReadableKey(tx.db, {
      merchant_id: merchantId,
      key_hash: secrets.hash('api-key', apiKey),
      sealed_key: secrets.seal('api-key', apiKey),
      masked_key: maskApiKey(apiKey),
      created_at: tx.now,
      created_by: makerId,
    });
    const generatedText = 'Uma chave de API nova foi gerada na sua conta.';
    const text = previousKey === null ? generatedText : `${generatedText} A anterior deixou de valer.`;
    const title = 'Chave de API nova';
    await writeMail(tx, { userId: merchantId, kind: 'api-key', subject: title, paragraphs: [text] });
    await notifyInDashboard(tx, merchantId, { type: 'security.api-key', title, body: text });
    const { api_active: active } = await findReadableKey(tx.db, merchantId);
    return { key: apiKey, apiKey, active };
  });
}

type ApiKeyStatus = ResponseOf<typeof apiKeyStatus>;

/**
 * Returns whether a key exists and whether the account's keys are active. Includes the key itself only if the password
 * was entered recently and, if the account has a second factor, that factor too; `stepUp` is the token that proves a
 * recent second factor.
 */
export async function readApiKeyStatus(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  caller: Caller,
  stepUp?: string,
): Promise<ApiKeyStatus> {
  const { db, clock, secrets } = deps;
  const merchantId = caller.accountId;
  const { api_active: active, sealed_key, ...stored } = await findReadableKey(db, merchantId);
  if (sealed_key === null) return { hasKey: false, active, key: null, masked: null, made_by: null };
  const made_by = await readMaker(db, { merchantId, madeBy: stored.created_by });
  const isProven = isPasswordFresh(caller, clock.now()) && (await isFactorSatisfied(deps, caller, stepUp));
  const key = isProven ? secrets.open('api-key', sealed_key) : null;
  return { hasKey: true, active, key, masked: stored.masked_key, made_by };
}

/**
 * Reveals the key after checking the password. Refused with PASSWORD_WRONG, RATE_LIMITED, OVERLOADED, or
 * API_KEY_REQUIRED if there is no key.
 */
export async function revealApiKey(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  caller: Caller,
  password: string,
): Promise<{ key: string }> {
  await confirmPassword(deps, caller, password);
  const { sealed_key } = await findReadableKey(deps.db, caller.accountId);
  if (sealed_key === null) throw new Refusal('API_KEY_REQUIRED');
  return { key: deps.secrets.open('api-key', sealed_key) };
}
