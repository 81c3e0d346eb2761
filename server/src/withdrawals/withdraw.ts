import type { apiWithdraw as apiEndpoint, BodyOf, withdraw as panelEndpoint } from '@jangada/contract';
import { centsFromBrl } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import type { Call, IdempotencyHandle } from '../http/route.ts';
import { type Merchant, readMerchant, requireFactor } from '../identity/index.ts';
import { Refusal } from '../refusal.ts';
import { checkCallbackUrl } from '../webhooks/index.ts';
import { wasPaidBefore } from './destinations-store.ts';
import { requestWithdrawal } from './request-withdrawal.ts';
import { validateWithdrawal } from './validate-withdrawal.ts';
import { verifyPin } from './verify-pin.ts';
import type { Withdrawal } from './withdrawal.ts';

/**
 * Requests a withdrawal from the dashboard. The request is validated before a PIN attempt is used on it. A key that
 * never received a completed withdrawal of this merchant also requires the second factor.
 */
export async function withdraw(
  deps: Deps,
  { caller, stepUp }: Pick<Call<typeof panelEndpoint>, 'caller' | 'stepUp'>,
  body: BodyOf<typeof panelEndpoint>,
  idempotency?: IdempotencyHandle,
): Promise<Withdrawal> {
  const merchant = await readPayableMerchant(deps, caller.userId);
  const order = validateWithdrawal(deps.config, merchant, {
    amountCents: centsFromBrl(body.amount),
    keyType: body.pix_key_type,
    pixKey: body.pixKey,
  });
  if (!(await wasPaidBefore(deps.db, order))) await requireFactor(deps, caller, stepUp);
  await verifyPin(deps, caller.userId, body.withdrawal_pin);
  return requestWithdrawal(deps, { ...order, origin: 'panel', callbackUrl: null }, idempotency);
}

/** Requests a withdrawal by API key, to a destination that was saved with password and PIN. */
export async function withdrawByApi(
  deps: Deps,
  merchantId: number,
  body: BodyOf<typeof apiEndpoint>,
  idempotency?: IdempotencyHandle,
): Promise<Withdrawal> {
  const merchant = await readPayableMerchant(deps, merchantId);
  if (!merchant.apiActive) throw new Refusal('API_KEY_INACTIVE');
  const order = validateWithdrawal(deps.config, merchant, {
    amountCents: body.amount,
    keyType: body.keyType,
    pixKey: body.pixKey,
  });
  const callbackUrl = body.callbackUrl ?? null;
  if (callbackUrl !== null) checkCallbackUrl(deps.config, callbackUrl);
  return requestWithdrawal(deps, { ...order, origin: 'api', callbackUrl }, idempotency);
}

async function readPayableMerchant(deps: Deps, merchantId: number): Promise<Merchant> {
  const merchant = await readMerchant(deps.db, merchantId);
  if (merchant?.frozen) throw new Refusal('ACCOUNT_FROZEN');
  if (merchant?.approved !== true) throw new Refusal('ACCOUNT_NOT_APPROVED');
  if (deps.psp.payouts === undefined) throw new Refusal('WITHDRAWALS_UNAVAILABLE');
  return merchant;
}
