import { randomUUID } from 'node:crypto';
import type { ChangedCounterCode, NewCounterCode } from '@jangada/contract';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { IdempotencyHandle } from '../http/route.ts';
import { type Merchant, merchantKindOf, readMerchant } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import { newStaticTxid, parseChargeAmount } from '../payments/index.ts';
import { Refusal } from '../refusal.ts';
import type { StoredCounterCode } from './counter-code.ts';
import { findCode, insertCode, lockCode, updateCode } from './store.ts';

/**
 * Creates a counter code (a static QR code for a shop's counter). Refused with ACCOUNT_NOT_APPROVED, with
 * COUNTER_CODES_NOT_AT_OWN_BANK, and for an amount that is not allowed for charges. A retry under the same idempotency key returns the same code:
 * `idempotency.resumedId` is the id that an earlier attempt under this key remembered.
 */
export async function createCode(
  deps: Deps,
  merchantId: number,
  { name, amount }: NewCounterCode,
  idempotency?: IdempotencyHandle,
): Promise<StoredCounterCode> {
  const existingCode = idempotency?.resumedId && (await findCode(deps.db, merchantId, idempotency.resumedId));
  if (existingCode) return existingCode;
  const merchant = await readMerchant(deps.db, merchantId);
  invariant(merchant !== undefined, 'a caller without an account');
  if (!merchant.approved) throw new Refusal('ACCOUNT_NOT_APPROVED');
  refuseAtOwnBank(deps, merchant);
  const amountCents = amount == null ? null : parseChargeAmount(deps, merchant, amount);
  const txid = newStaticTxid(merchantId);
  const id = idempotency?.resumedId ?? randomUUID();
  await idempotency?.remember(id);
  return inTransaction(deps, (tx) => insertCode(tx, { merchantId, id, txid, name, amountCents }));
}

/** Printed codes carry the key of the operator's own account. */
function refuseAtOwnBank({ config }: Pick<Deps, 'config'>, { kind }: Merchant): void {
  if (merchantKindOf(config, kind) === 'direct') throw new Refusal('COUNTER_CODES_NOT_AT_OWN_BANK');
}

/**
 * Changes the name or status of a counter code. Refused with STALE_VERSION if the caller saw another version, and with
 * COUNTER_CODES_NOT_AT_OWN_BANK if a merchant who is paid into accounts of their own switches it on.
 */
export async function changeCode(
  deps: Deps,
  merchantId: number,
  id: string,
  change: ChangedCounterCode,
): Promise<StoredCounterCode> {
  return inTransaction(deps, async (tx) => {
    const code = await lockCode(tx, merchantId, id);
    if (code === undefined) throw new Refusal('COUNTER_CODE_NOT_FOUND');
    if (code.version !== change.version) {
      const message = 'Este QR Code foi alterado enquanto isso. Recarregue e tente de novo.';
      throw new Refusal('STALE_VERSION', { message });
    }
    if (change.active && !code.active) {
      const merchant = await readMerchant(tx.db, merchantId);
      invariant(merchant !== undefined, 'a code without an account');
      refuseAtOwnBank(deps, merchant);
    }
    return updateCode(tx, code, change);
  });
}
