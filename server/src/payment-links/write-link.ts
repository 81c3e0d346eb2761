import { randomUUID } from 'node:crypto';
import type { ChangedPaymentLink, NewPaymentLink } from '@jangada/contract';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { IdempotencyHandle } from '../http/route.ts';
import { type Merchant, readMerchant } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import { checkSuccessUrl, parseChargeAmount } from '../payments/index.ts';
import { randomText } from '../random-text.ts';
import { Refusal } from '../refusal.ts';
import type { StoredPaymentLink } from './payment-link.ts';
import { findLink, insertLink, type LinkTerms, lockLink, updateLink } from './store.ts';

/**
 * Creates a payment link. Refused with ACCOUNT_NOT_APPROVED, and for an invalid amount, end or success URL. A retry
 * under the same idempotency key gets the same link: `idempotency.resumedId` is the id that an earlier attempt under
 * this key remembered.
 */
export async function createLink(
  deps: Deps,
  merchantId: number,
  newTerms: NewPaymentLink,
  idempotency?: IdempotencyHandle,
): Promise<StoredPaymentLink> {
  const existingLink = idempotency?.resumedId && (await findLink(deps.db, merchantId, idempotency.resumedId));
  if (existingLink) return existingLink;
  const merchant = await merchantOf(deps, merchantId);
  if (!merchant.approved) throw new Refusal('ACCOUNT_NOT_APPROVED');
  const terms = termsOf(deps, merchant, newTerms);
  const id = idempotency?.resumedId ?? randomUUID();
  await idempotency?.remember(id);
  return inTransaction(deps, async (tx) => {
    refusePastEnd(terms, null, tx.now);
    return insertLink(tx, { merchantId, id, slug: randomText(16) }, terms);
  });
}

/**
 * Replaces all terms of a link. Charges already created are not changed. Refused with STALE_VERSION if the caller saw
 * another version, and for an invalid amount, end or success URL; the current end may be kept even if it has passed.
 */
export async function changeLink(
  deps: Deps,
  merchantId: number,
  id: string,
  newTerms: ChangedPaymentLink,
): Promise<StoredPaymentLink> {
  const merchant = await merchantOf(deps, merchantId);
  const terms = termsOf(deps, merchant, newTerms);
  return inTransaction(deps, async (tx) => {
    const link = await lockLink(tx, merchantId, id);
    if (link === undefined) throw new Refusal('PAYMENT_LINK_NOT_FOUND');
    if (link.version !== newTerms.version) {
      const message = 'Este link foi alterado enquanto isso. Recarregue e tente de novo.';
      throw new Refusal('STALE_VERSION', { message });
    }
    refusePastEnd(terms, link.endsAt, tx.now);
    return updateLink(tx, link, terms);
  });
}

async function merchantOf(deps: Deps, merchantId: number): Promise<Merchant> {
  const merchant = await readMerchant(deps.db, merchantId);
  invariant(merchant !== undefined, 'a caller without an account');
  return merchant;
}

function termsOf(deps: Deps, merchant: Merchant, newTerms: NewPaymentLink): LinkTerms {
  const { title, description, amount, max_payments, ends_at, success_url, active } = newTerms;
  if (success_url != null) checkSuccessUrl(deps.config, success_url);
  return {
    title,
    description: description ?? null,
    amountCents: amount == null ? null : parseChargeAmount(deps, merchant, amount),
    maxPayments: max_payments ?? null,
    endsAt: ends_at == null ? null : new Date(ends_at),
    successUrl: success_url ?? null,
    active,
  };
}

/** Refuses an end that has already passed, unless the link has this end already. */
function refusePastEnd({ endsAt }: LinkTerms, currentEnd: Date | null, now: Date): void {
  if (endsAt !== null && endsAt <= now && endsAt.getTime() !== currentEnd?.getTime())
    throw new Refusal('LINK_END_INVALID');
}
