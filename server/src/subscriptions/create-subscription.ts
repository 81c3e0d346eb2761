import { brlFromCents, type NewSubscription, type SubscriptionPeriod } from '@jangada/contract';
import { normalizeDocument } from '@jangada/pix';
import { calendarDayOf, daysAfter } from '../calendar-day.ts';
import { addMs } from '../clock.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { IdempotencyHandle } from '../http/route.ts';
import { readMerchant } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import { billCustomer, newChargeIds, parseChargeAmount, prepareCharge } from '../payments/index.ts';
import { findAtBank } from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import { findMandate, findSubscription, insertSubscription, type NewSubscriptionRow } from './store.ts';
import type { StoredSubscription } from './subscription.ts';
import { workMandate } from './work-mandates.ts';

/** A subscription may begin so many days from now. */
const maxDaysAhead = 1825;
/** How long the caller waits for the bank's code. Without it, the answer says that the mandate is being made. */
const patienceMs = 8000;

export type SubscriptionOrigin = NewSubscriptionRow['by'];

/**
 * Creates a subscription with its mandate at the bank. The subscription is stored before the bank is called, and a bank
 * that does not answer delays the code only. A retry under the same idempotency key gets the same subscription. Throws the
 * refusals of `prepareCharge`, SUBSCRIPTION_INVALID, CUSTOMER_NOT_FOUND, CUSTOMER_ARCHIVED, RECURRING_NOT_SUPPORTED and
 * DEBIT_ACCOUNT_MISSING.
 */
export async function createSubscription(
  deps: Deps,
  merchantId: number,
  request: NewSubscription,
  by: SubscriptionOrigin,
  idempotency?: IdempotencyHandle,
): Promise<StoredSubscription> {
  const resumedId = idempotency?.resumedId;
  const resumed =
    resumedId === undefined ? undefined : await findSubscription(deps.db, { merchantId, id: resumedId });
  if (resumed !== undefined) return resumed;
  const row = await prepareSubscription(deps, merchantId, request, by);
  await idempotency?.remember(row.id);
  await inTransaction(deps, async (tx) => insertSubscription(tx, row, addMs(tx.now, firstLeaseMs)));
  await makeNow(deps, row);
  const stored = await findSubscription(deps.db, row);
  invariant(stored !== undefined, 'a subscription that was stored a moment ago');
  return stored;
}

/** The mandate is made by the call that creates the subscription; by the loop of mandates only if that did not end. */
const firstLeaseMs = 120_000;

async function makeNow(deps: Deps, { merchantId, id, connectionId }: NewSubscriptionRow): Promise<void> {
  const bank = await findAtBank(deps, connectionId);
  const mandate = await findMandate(deps.db, { merchantId, id });
  if (bank === undefined || mandate === undefined) return;
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceMs);
  });
  const work = workMandate(bank, mandate, 'first').catch((err: unknown) =>
    deps.log.error({ err, subscriptionId: id }, 'a mandate could not be made at once'),
  );
  await Promise.race([work, tooLate]);
  clearTimeout(timer);
}

/** Builds a subscription from the request, or refuses it. Writes nothing. */
async function prepareSubscription(
  deps: Deps,
  merchantId: number,
  request: NewSubscription,
  by: SubscriptionOrigin,
): Promise<NewSubscriptionRow> {
  const merchant = await readMerchant(deps.db, merchantId);
  invariant(merchant !== undefined, 'a caller without an account');
  const now = deps.clock.now();
  refuseMismatch(request, calendarDayOf(now));
  const { payer } = await billCustomer(deps, merchantId, request);
  invariant(payer != null, 'a subscription for nobody');
  const firstAmount = request.first_payment?.amount ?? request.amount ?? undefined;
  const hasFirst = request.authorization === 'pay' || request.authorization === 'offer';
  // What a charge of each cycle would be refused for is refused now.
  const { charge } = await prepareCharge(deps, merchant, {
    merchantId,
    amount: request.amount ?? firstAmount ?? request.min_maximum ?? sampleAmount,
    expiresInSeconds: 86_400,
    callbackUrl: undefined,
  });
  const bank = await findAtBank(deps, charge.connectionId);
  if (bank?.lacksDebitAccount) throw new Refusal('DEBIT_ACCOUNT_MISSING');
  if (bank?.psp.recurring === undefined) throw new Refusal('RECURRING_NOT_SUPPORTED');
  const centsOf = (amount: number | null | undefined) =>
    amount === null || amount === undefined ? null : parseChargeAmount(deps, merchant, amount);
  const { id, txid } = newChargeIds(merchantId, now);
  return {
    merchantId,
    id,
    connectionId: charge.connectionId,
    contract: txid,
    payer: { name: payer.name, document: normalizeDocument(payer.document) },
    customerId: request.customer_id ?? null,
    description: request.description,
    amountCents: centsOf(request.amount),
    minMaximumCents: centsOf(request.min_maximum),
    period: request.period satisfies SubscriptionPeriod,
    firstDay: request.first_day,
    lastDay: request.last_day ?? null,
    retryDays: request.retry_days,
    authorizedBy: request.authorization,
    payerAccount: request.payer_account
      ? { ...request.payer_account, branch: request.payer_account.branch ?? null }
      : null,
    firstCents: hasFirst ? centsOf(firstAmount) : null,
    firstDueDay: request.authorization === 'offer' ? (request.first_payment?.due_date ?? null) : null,
    externalId: request.external_id ?? null,
    metadata: request.metadata ?? null,
    createdAt: now,
    by,
  };
}

/** In BRL: a subscription of varying amount is checked with some amount that an account could take. */
const sampleAmount = brlFromCents(10_000);

function refuseMismatch(request: NewSubscription, today: string): void {
  const fields = [...mismatchesOf(request, today)];
  if (fields.length > 0) throw new Refusal('SUBSCRIPTION_INVALID', { details: { fields } });
}

function* mismatchesOf(
  request: NewSubscription,
  today: string,
): Generator<{ readonly field: string; readonly message: string }> {
  const { amount, min_maximum, first_day, last_day, first_payment, payer_account, authorization } = request;
  if ((request.payer == null) === (request.customer_id == null))
    yield { field: 'payer', message: 'Informe payer ou customer_id, um dos dois.' };
  if (first_day < today) yield { field: 'first_day', message: 'O primeiro dia não pode ter passado.' };
  if (first_day > daysAfter(today, maxDaysAhead))
    yield { field: 'first_day', message: 'O primeiro dia vem em até cinco anos.' };
  if (last_day != null && last_day < first_day)
    yield { field: 'last_day', message: 'O último dia não vem antes do primeiro.' };
  if (amount != null && min_maximum != null)
    yield { field: 'min_maximum', message: 'Só uma assinatura de valor variável tem min_maximum.' };
  if ((authorization === 'push') !== (payer_account != null))
    yield { field: 'payer_account', message: 'A conta do pagador vem com "push", e só com ele.' };
  if (first_payment != null && authorization !== 'pay' && authorization !== 'offer')
    yield { field: 'first_payment', message: 'O first_payment vem com "pay" ou "offer".' };
  if (
    (authorization === 'pay' || authorization === 'offer') &&
    first_payment?.amount == null &&
    amount == null
  )
    yield { field: 'first_payment.amount', message: 'Informe o valor do primeiro pagamento.' };
  const firstDue = first_payment?.due_date;
  if (authorization === 'offer' && (firstDue == null || firstDue < today))
    yield {
      field: 'first_payment.due_date',
      message: 'Informe quando vence o primeiro pagamento, de hoje em diante.',
    };
  if (authorization === 'pay' && firstDue != null)
    yield { field: 'first_payment.due_date', message: 'O primeiro pagamento de "pay" não tem vencimento.' };
}
