import { isDeepStrictEqual } from 'node:util';
import {
  brlFromCents,
  cancelPayment,
  centsFromBrl,
  createPayment,
  getPayerRules,
  getPaymentStatus,
  listDueCharges,
  listPayments,
  type NewPayment,
  type PayerRules,
  type PaymentStatus,
  type ResponseOf,
  setPayerRules,
  transactionFeed,
} from '@jangada/contract';
import { insertAuditEntry } from '../audit/index.ts';
import { startOfToday } from '../calendar-day.ts';
import { seesCustomerDocuments } from '../customers/index.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { type Call, type Caller, type Route, route } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { renderQrCode } from '../render-qr-code.ts';
import { billCustomer, chargeViewOf } from './billed-customer.ts';
import { readChargeOptions } from './charge-options.ts';
import { chargeOf } from './create-from-request.ts';
import { createPayment as createCharge } from './create-payment.ts';
import { billedToResponse, billingFrom, dueResponse } from './due-terms.ts';
import { cancelPayment as cancelCharge } from './end-charges.ts';
import { listDueCharges as readDueCharges } from './list-due-charges.ts';
import {
  listPayments as listCharges,
  listTransactions,
  readChargeExtras,
  toPaymentStatus,
} from './list-transactions.ts';
import { readPayerRules, writePayerRules } from './payer-rules-store.ts';
import { type Charge, checkoutUrl, creditedCents, isFeeBilled } from './payment.ts';
import { findCharge, MADE_WITH_DASHBOARD, MADE_WITH_READABLE_KEY } from './store.ts';

type CreatedPayment = ResponseOf<typeof createPayment>;

/** The endpoints of payments. Each is declared in the contract and handled by one operation of this module. */
export function paymentRoutes(deps: Deps): Route[] {
  return [
    // `claimsKeys`: the operation itself stores the Idempotency-Key, in the statement that stores the charge.
    route(createPayment, (call) => createFromCall(deps, call), { claimsKeys: true }),
    route(getPaymentStatus, async ({ params, caller }) => {
      const charge = await findCharge(deps.db, caller.accountId, params.id);
      if (charge === undefined || !(await maySee(deps, caller, charge)))
        throw new Refusal('PAYMENT_NOT_FOUND');
      return statusOf(deps, caller, charge);
    }),
    route(listPayments, async ({ query, caller }) => {
      const onlyBy = seesOnlyOwn(caller) ? caller.userId : undefined;
      const { data, next } = await listCharges(deps, caller.accountId, query, onlyBy);
      return { data: data.map(chargeViewOf(caller)), next };
    }),
    route(cancelPayment, async ({ params, caller }) =>
      statusOf(deps, caller, await cancelCharge(deps, caller.accountId, params.id)),
    ),
    route(transactionFeed, ({ query, caller }) =>
      listTransactions(deps, caller.accountId, query, { showsDocuments: seesCustomerDocuments(caller) }),
    ),
    route(listDueCharges, ({ query, caller }) =>
      readDueCharges(deps, caller.accountId, query, { showsDocuments: seesCustomerDocuments(caller) }),
    ),
    route(getPayerRules, ({ caller }) => readPayerRules(deps.db, caller.accountId)),
    route(setPayerRules, ({ body, caller }) => changePayerRules(deps, caller, body)),
  ];
}

async function changePayerRules(
  deps: Deps,
  { accountId, userId }: Caller,
  rules: PayerRules,
): Promise<PayerRules> {
  await inTransaction(deps, async (tx) => {
    const before = await readPayerRules(tx.db, accountId);
    if (isDeepStrictEqual(before, rules)) return;
    await writePayerRules(tx, accountId, rules);
    await insertAuditEntry(tx, {
      actor_id: userId,
      action: 'payer rules changed',
      subject_id: accountId,
      reason: null,
      before,
      after: rules,
    });
  });
  return rules;
}

async function createFromCall(
  deps: Deps,
  { body, caller, idempotency, requestId }: Call<typeof createPayment>,
): Promise<CreatedPayment> {
  const billing = await billCustomer(deps, caller.accountId, body);
  const maker = {
    merchantId: caller.accountId,
    createdBy: caller.memberRole === 'owner' ? undefined : caller.userId,
    by: { requestId, madeWith: credentialOf(caller) },
  };
  const request = chargeOf(maker, billing);
  let response: CreatedPayment | undefined;
  const bodyOf = (charge: Charge) => {
    // Built only once, although `bodyOf` may be called twice, because drawing the QR code takes a millisecond.
    response ??= chargeViewOf(caller)({
      ...createdPaymentFrom(charge),
      description: request.description ?? null,
      success_url: request.successUrl ?? null,
      checkout_url: checkoutUrl(deps.config.publicUrl, charge),
      image: body.image ? renderQrCode(charge.brCode) : null,
      ...(request.customerId !== undefined && { customer_id: request.customerId }),
      ...billingOf(billing, charge),
    });
    return response;
  };
  return bodyOf(await createCharge(deps, request, idempotency && { idempotency, toResponseBody: bodyOf }));
}

/** A cashier sees only the charges that they created today. */
function seesOnlyOwn({ memberRole }: Caller): boolean {
  return memberRole === 'cashier';
}

async function maySee({ db, clock }: Deps, caller: Caller, charge: Charge): Promise<boolean> {
  if (!seesOnlyOwn(caller)) return true;
  if (charge.createdAt < startOfToday(clock.now())) return false;
  const options = await readChargeOptions(db, charge.merchantId, [charge.id]);
  return options.get(charge.id)?.createdBy === caller.userId;
}

/** The credential that requested the charge: the id of a scoped API key, or a constant for any other credential. */
export function credentialOf({ authMethod, key }: Caller): string {
  return authMethod === 'session' ? MADE_WITH_DASHBOARD : (key?.id ?? MADE_WITH_READABLE_KEY);
}

async function statusOf(deps: Deps, caller: Caller, charge: Charge): Promise<PaymentStatus> {
  const status = toPaymentStatus(charge, await readChargeExtras(deps, charge.merchantId, [charge]));
  return chargeViewOf(caller)(status);
}

/** Whom a charge is for and its due date, as its request said: its row may show what was paid meanwhile. */
function billingOf(body: NewPayment, charge: Charge): Pick<CreatedPayment, 'billed_to' | 'due'> {
  const { billedTo, due } = billingFrom(body, centsFromBrl(body.amount) ?? charge.amountCents);
  return {
    ...(billedTo && { billed_to: billedToResponse(billedTo) }),
    ...(due && { due: dueResponse({ due }, { isOpen: charge.status === 'pending', now: charge.createdAt }) }),
  };
}

function createdPaymentFrom(charge: Charge) {
  return {
    id: charge.id,
    external_id: charge.externalId,
    metadata: charge.metadata ?? {},
    text: charge.brCode,
    content: charge.brCode,
    status: charge.status,
    amount: brlFromCents(charge.amountCents),
    fee: brlFromCents(charge.feeCents),
    ...(isFeeBilled(charge) && { fee_billed: true }),
    credited_amount: brlFromCents(creditedCents(charge)),
    reserved_amount: brlFromCents(charge.reserveCents),
    created_at: charge.createdAt.toISOString(),
    expires_at: charge.expiresAt.toISOString(),
  };
}
