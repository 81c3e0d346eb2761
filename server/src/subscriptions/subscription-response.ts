import { brlFromCents, type Cycle, type Subscription } from '@jangada/contract';
import { formatDocument, maskDocument } from '@jangada/pix';
import { seesCustomerDocuments } from '../customers/index.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { checkoutUrl, findCharge } from '../payments/index.ts';
import { findNextCycles, listAttempts, listCycleCodes } from './cycle-store.ts';
import { unplannedDebitOf } from './plan-cycles.ts';
import { findMandates } from './store.ts';
import type { StoredCycle, StoredDebitAttempt, StoredMandate, StoredSubscription } from './subscription.ts';

/** The page on which the payer allows the debits. Anyone who has the address sees it, and it cannot be guessed. */
export function subscriptionPageUrl(
  publicUrl: string,
  { contract }: Pick<StoredSubscription, 'contract'>,
): string {
  return `${publicUrl}/autorizar/${contract}`;
}

/** Subscriptions of one account, as responses show them: as much of customers as the caller may see. */
export async function toResponses(
  deps: Pick<Deps, 'db' | 'config'>,
  caller: Caller,
  subscriptions: readonly StoredSubscription[],
): Promise<Subscription[]> {
  const merchantId = caller.accountId;
  const ids = subscriptions.map(({ id }) => id);
  const mandates = await findMandates(deps.db, merchantId, ids);
  const cycles = await findNextCycles(deps.db, merchantId, ids);
  const responses: Subscription[] = [];
  for (const subscription of subscriptions) {
    const mandate = mandates.get(subscription.id);
    const next = cycles.get(subscription.id);
    if (mandate === undefined) continue;
    const [nextCycle = null] = next === undefined ? [] : await toCycleResponses(deps, subscription, [next]);
    const response = subscriptionResponse(deps, subscription, mandate, nextCycle);
    responses.push(seesCustomerDocuments(caller) ? response : hideDocument(response));
  }
  return responses;
}

export async function toResponse(
  deps: Pick<Deps, 'db' | 'config'>,
  caller: Caller,
  subscription: StoredSubscription,
): Promise<Subscription> {
  const [response] = await toResponses(deps, caller, [subscription]);
  if (response === undefined) throw new Error('a subscription without a mandate');
  return response;
}

/** As of charges: masked for who does not see documents of customers, named by the register or not. */
function hideDocument(response: Subscription): Subscription {
  const { payer } = response;
  return { ...response, payer: { ...payer, document: maskDocument(payer.document) } };
}

function subscriptionResponse(
  { config }: Pick<Deps, 'config'>,
  subscription: StoredSubscription,
  mandate: StoredMandate,
  nextCycle: Cycle | null,
): Subscription {
  const brlOrNull = (cents: number | null) => (cents === null ? null : brlFromCents(cents));
  return {
    id: subscription.id,
    status: subscription.status,
    payer: { name: subscription.payer.name, document: formatDocument(subscription.payer.document) },
    customer_id: subscription.customerId,
    description: subscription.description,
    amount: brlOrNull(subscription.amountCents),
    min_maximum: brlOrNull(subscription.minMaximumCents),
    period: subscription.period,
    first_day: subscription.firstDay,
    last_day: subscription.lastDay,
    retry_days: [...subscription.retryDays],
    authorization: subscription.authorizedBy,
    mandate: {
      status: mandate.status,
      id_rec: mandate.idRec,
      allowed_by: mandate.allowedBy,
      allowed_at: mandate.approvedAt?.toISOString() ?? null,
      ended_at: mandate.endedAt?.toISOString() ?? null,
      reason: reasonOf(mandate.endCode, mandate.endText),
    },
    // Nobody is to allow what has ended.
    code: mandate.brCode === '' || subscription.status === 'ended' ? null : mandate.brCode,
    page_url: subscriptionPageUrl(config.publicUrl, subscription),
    first_payment_id: subscription.firstChargeId,
    external_id: subscription.externalId,
    metadata: { ...subscription.metadata },
    end: subscription.endReason,
    ended_at: subscription.endedAt?.toISOString() ?? null,
    next_cycle: nextCycle,
    next_debit_day: nextCycle?.debit_day ?? unplannedDebitOf({ subscription, mandate })?.day ?? null,
    created_at: subscription.createdAt.toISOString(),
    updated_at: subscription.updatedAt.toISOString(),
  };
}

/** Cycles of a subscription, as responses show them. */
export async function toCycleResponses(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  { merchantId, id }: StoredSubscription,
  cycles: readonly StoredCycle[],
): Promise<Cycle[]> {
  const numbers = cycles.map(({ number }) => number);
  const attempts = await listAttempts(db, { merchantId, id }, numbers);
  const codes = await listCycleCodes(db, { merchantId, id }, numbers);
  const responses: Cycle[] = [];
  for (const cycle of cycles) {
    const otherId = codes.find(({ number }) => number === cycle.number)?.chargeId;
    const other = otherId === undefined ? undefined : await findCharge(db, merchantId, otherId);
    responses.push({
      number: cycle.number,
      status: cycle.status,
      due_day: cycle.dueDay,
      debit_day: cycle.debitDay,
      amount: cycle.amountCents === null ? null : brlFromCents(cycle.amountCents),
      reason: cycle.reason,
      bank_reason: reasonOf(cycle.code, cycle.text),
      payment_id: cycle.chargeId,
      other_payment_id: other?.id ?? null,
      other_checkout_url: other === undefined ? null : checkoutUrl(config.publicUrl, other),
      paid_at: cycle.paidAt?.toISOString() ?? null,
      attempts: attempts.filter(({ number }) => number === cycle.number).map(attemptResponse),
    });
  }
  return responses;
}

function attemptResponse({ id, day, isRetry, status, code, text }: StoredDebitAttempt) {
  return {
    day,
    retry: isRetry,
    status: status === 'asked' ? ('requested' as const) : status,
    end_to_end_id: id === day ? null : id,
    reason: reasonOf(code, text),
  };
}

function reasonOf(code: string | null, text: string | null) {
  return code === null || code === '' ? null : { code, text: text ?? '' };
}
