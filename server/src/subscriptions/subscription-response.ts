import { brlFromCents, type Cycle, type Subscription } from '@jangada/contract';
import { seesCustomerDocuments } from '../customers/index.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { billedToFor, billedToResponse, checkoutUrl, findRefundableCharges } from '../payments/index.ts';
import { isOfCycle, listAttempts, listCycleCodes } from './cycle-store.ts';
import { readNextDebits } from './next-debits.ts';
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
  const debits = await readNextDebits(deps.db, merchantId, ids);
  const shown = [...debits.cycles.values()];
  const cycleResponses = await toCycleResponses(deps, merchantId, shown);
  const nextCycles = new Map(
    shown.map(({ subscriptionId }, place) => [subscriptionId, cycleResponses[place]]),
  );
  const showsDocuments = seesCustomerDocuments(caller);
  return subscriptions.flatMap((subscription) => {
    const mandate = mandates.get(subscription.id);
    if (mandate === undefined) return [];
    const nextCycle = nextCycles.get(subscription.id);
    const nextDay = debits.dayOf({ subscription, mandate });
    return [subscriptionResponse(deps, { subscription, mandate, nextCycle, nextDay, showsDocuments })];
  });
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

function subscriptionResponse(
  { config }: Pick<Deps, 'config'>,
  {
    subscription,
    mandate,
    nextCycle,
    nextDay,
    showsDocuments,
  }: {
    readonly subscription: StoredSubscription;
    readonly mandate: StoredMandate;
    readonly nextCycle: Cycle | undefined;
    readonly nextDay: string | null;
    readonly showsDocuments: boolean;
  },
): Subscription {
  const brlOrNull = (cents: number | null) => (cents === null ? null : brlFromCents(cents));
  return {
    id: subscription.id,
    status: subscription.status,
    payer: billedToFor(billedToResponse(subscription.payer), showsDocuments),
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
    next_cycle: nextCycle ?? null,
    next_debit_day: nextDay,
    created_at: subscription.createdAt.toISOString(),
    updated_at: subscription.updatedAt.toISOString(),
  };
}

/** Cycles of one account, as responses show them. */
export async function toCycleResponses(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  merchantId: number,
  cycles: readonly StoredCycle[],
): Promise<Cycle[]> {
  const attempts = await listAttempts(db, merchantId, cycles);
  const codes = await listCycleCodes(db, merchantId, cycles);
  const newestIds = cycles.map((cycle) => codes.find(isOfCycle(cycle))?.chargeId ?? '');
  const charges = await findRefundableCharges(db, merchantId, newestIds.filter(Boolean));
  return cycles.map((cycle, place) => {
    const other = charges.get(newestIds[place] ?? '');
    return {
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
      attempts: attempts.filter(isOfCycle(cycle)).map(attemptResponse),
    };
  });
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
