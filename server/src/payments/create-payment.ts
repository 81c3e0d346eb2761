import { type BilledPerson, type Metadata, MIN_CHARGE_CENTS, type PayerRules } from '@jangada/contract';
import { type DueTerms, foldToAscii } from '@jangada/pix';
import { calendarDayOf } from '../calendar-day.ts';
import { addMs } from '../clock.ts';
import { readSuspendedConnections } from '../connections/index.ts';
import type { Db } from '../db/pool.ts';
import { inTransaction, type Tx, type TxOrDb } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { feesAreOverdue } from '../fee-statements/index.ts';
import type { IdempotencyKeyClaim, IdempotentResponse } from '../http/idempotency-store.ts';
import type { AtomicIdempotencyHandle, IdempotencyHandle } from '../http/route.ts';
import { type Merchant, readMerchant } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import {
  type AtBank,
  type BankCharge,
  expectAt,
  findAtBank,
  HOUSE_CONNECTION,
  PspNotAsked,
  PspRefused,
  PspUnknown,
} from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import { checkCallbackUrl } from '../webhooks/index.ts';
import { newChargeIds } from './bank-ids.ts';
import { parseChargeAmount } from './charge-amount.ts';
import { type ChargeOptions, checkSuccessUrl, noOptions, readChargeOptions } from './charge-options.ts';
import {
  type BillingRequest,
  billingFrom,
  type ChargeBilling,
  endOf,
  refuseImpossible,
} from './due-terms.ts';
import { readDues } from './due-terms-store.ts';
import { moveIfSilent, UNCONFIRMED_MS } from './move-charge.ts';
import { inOwnBankPlace } from './own-bank-places.ts';
import { type Charge, computeFeeAndReserve, kindOf, type MerchantTerms, termsAt } from './payment.ts';
import { receivingAccountsOf } from './receiving-accounts.ts';
import { type ChargeOrigin, findCharge, insertCharge, markChargesEnded, openCharge } from './store.ts';

/** A charge is looked up for the last time this long after its expiry, because a payment may still be in flight. */
export const EXPIRY_GRACE_MS = 60_000;
export type NewCharge = {
  readonly merchantId: number;
  /** In BRL, as received. */
  readonly amount: number;
  readonly expiresInSeconds: number;
  readonly callbackUrl: string | undefined;
  readonly externalId?: string | undefined;
  readonly metadata?: Metadata | undefined;
  readonly description?: string | undefined;
  readonly successUrl?: string | undefined;
  readonly paymentLinkId?: string | undefined;
  /** Identifies the open page of a payment link, so that this page creates only one charge. */
  readonly pageId?: string | undefined;
  /** The member who creates it in the panel, if they are no owner. */
  readonly createdBy?: number | undefined;
  /** The customer of the register whom it is for (`billCustomer`). */
  readonly customerId?: string | undefined;
  /** Whom it is for, and its due date. */
  readonly billing?: BillingRequest | undefined;
  /** The subscription that it is for, and the account at which its mandate is. */
  readonly subscriptionId?: string | undefined;
  readonly connectionId?: number | undefined;
  /** What happens with a Pix that is not as expected, where the account's rules are not meant. */
  readonly payerRules?: PayerRules | undefined;
  /** The request that created the charge, and its credential or payment link. */
  readonly by?: ChargeOrigin;
};

/**
 * Creates a charge: stores it under our own txid (the charge's identifier at the bank), creates it at the bank, then
 * opens it by storing the bank's BR Code (the text that payers paste or scan). If the bank does not respond, the charge
 * is looked up by txid before creation is retried; if the retry fails too, the caller gets PAYMENT_PROCESSING_ERROR,
 * and `expireCharges` resolves the charge later. A retry under the same idempotency key continues with the same charge,
 * or gets a new one if that charge has failed. A charge at an account of the merchant's own whose bank does not answer is
 * made at another one.
 *
 * With `idempotentCreation`, the statement that stores the charge also stores a new idempotency key, and the statement
 * that opens the charge also stores the response.
 */
export async function createPayment(
  deps: Deps,
  request: NewCharge,
  idempotentCreation?: IdempotentCreation,
): Promise<Charge> {
  const merchant = await readMerchant(deps.db, request.merchantId);
  invariant(merchant !== undefined, 'a caller without an account');
  const staysAtAccount = request.connectionId !== undefined;
  // The charge that an earlier attempt under the same idempotency key created, if any.
  const resumedId = idempotentCreation?.idempotency.resumedId;
  const resumedCharge =
    resumedId === undefined ? undefined : await findCharge(deps.db, request.merchantId, resumedId);
  if (resumedCharge !== undefined && resumedCharge.brCode !== '') return resumedCharge;
  if (resumedCharge?.status === 'pending')
    return inOwnBankPlace(deps, resumedCharge, () =>
      createChargeAtBank(
        deps,
        resumedCharge,
        { merchantName: merchant.name, staysAtAccount },
        'maybe created',
        idempotentCreation,
      ),
    );
  const prepared = await prepareCharge(deps, merchant, request);
  return inOwnBankPlace(deps, prepared.charge, async () => {
    await storeCharge(deps, prepared, idempotentCreation?.idempotency);
    const { charge, options, due } = prepared;
    return createChargeAtBank(
      deps,
      charge,
      {
        merchantName: merchant.name,
        billing: { billedTo: options?.billedTo ?? undefined, due },
        staysAtAccount,
      },
      'new',
      idempotentCreation,
    );
  });
}

/** Under what a charge is created once: the Idempotency-Key of a call or, without a response to store, a line of a batch. */
type CreationHandle = IdempotencyHandle & Partial<Pick<AtomicIdempotencyHandle, 'claim' | 'saveResponse'>>;

/** The Idempotency-Key of a call that creates a charge, and the body of its response once the charge is open. */
export type IdempotentCreation = {
  readonly idempotency: CreationHandle;
  readonly toResponseBody?: (charge: Charge) => unknown;
};

async function storeCharge(
  deps: Deps,
  prepared: PreparedCharge,
  idempotency: CreationHandle | undefined,
): Promise<void> {
  const { id, createdAt } = prepared.charge;
  const storeWithClaim = (claim?: IdempotencyKeyClaim) =>
    storePreparedCharge({ db: deps.db, now: createdAt }, prepared, claim);
  if (idempotency?.claim !== undefined) return idempotency.claim(id, storeWithClaim);
  await idempotency?.remember(id);
  await storeWithClaim();
}

/** A validated charge that is not stored yet. */
export type PreparedCharge = {
  readonly charge: Charge;
  readonly terms: MerchantTerms;
  readonly by: ChargeOrigin | undefined;
  readonly options: ChargeOptions | undefined;
  readonly due: DueTerms | undefined;
  readonly subscriptionId: string | undefined;
};

/** Whether a merchant may take new payments. */
export function canReceivePayments({ frozen, approved, apiActive }: Merchant): boolean {
  return !frozen && approved && apiActive;
}

async function refusalWithoutAccount({ db }: Pick<Deps, 'db'>, { id }: Merchant): Promise<Refusal> {
  const suspended = await readSuspendedConnections(db, id);
  return new Refusal(suspended.length > 0 ? 'BANK_ACCOUNT_SUSPENDED' : 'BANK_NOT_CONNECTED');
}

/**
 * Builds a charge from the request under the merchant's current terms, at the first of the accounts at which it can be
 * made, or refuses it. Writes nothing.
 */
export async function prepareCharge(
  deps: Pick<Deps, 'config' | 'clock' | 'db' | 'banks'>,
  merchant: Merchant,
  request: NewCharge,
): Promise<PreparedCharge> {
  if (merchant.frozen) throw new Refusal('ACCOUNT_FROZEN');
  if (!merchant.approved) throw new Refusal('ACCOUNT_NOT_APPROVED');
  if (!merchant.apiActive) throw new Refusal('API_KEY_INACTIVE');
  const amountCents = parseChargeAmount(deps, merchant, request.amount);
  if (request.callbackUrl !== undefined) checkCallbackUrl(deps.config, request.callbackUrl);
  if (request.successUrl !== undefined) checkSuccessUrl(deps.config, request.successUrl);
  const accounts = await receivingAccountsOf(deps, merchant);
  const connectionId = request.connectionId ?? accounts[0];
  if (connectionId === undefined || !accounts.includes(connectionId))
    throw await refusalWithoutAccount(deps, merchant);
  if (connectionId !== HOUSE_CONNECTION && (await feesAreOverdue(deps, merchant.id)))
    throw new Refusal('FEES_OVERDUE');
  const terms = termsAt(connectionId, merchant);
  const now = deps.clock.now();
  const billing = request.billing && billingFrom(request.billing, amountCents);
  const due = billing?.due;
  if (due !== undefined)
    refuseImpossible(due, calendarDayOf(now), {
      isTooSmall: (cents) => cents < MIN_CHARGE_CENTS || computeFeeAndReserve(cents, terms).feeCents >= cents,
      maxCents: deps.config.limits.chargeMaxCents,
    });
  const charge: Charge = {
    merchantId: merchant.id,
    connectionId,
    ...newChargeIds(merchant.id, now),
    status: 'pending',
    amountCents,
    ...computeFeeAndReserve(amountCents, terms),
    reserveDays: terms.reserveDays,
    expiresAt: due === undefined ? new Date(now.getTime() + request.expiresInSeconds * 1000) : endOf(due),
    dueDate: due?.dueDate ?? null,
    callbackUrl: request.callbackUrl ?? null,
    brCode: '',
    endToEndId: null,
    paidAt: null,
    refundedCents: 0,
    externalId: request.externalId ?? null,
    metadata: request.metadata ?? null,
    cancelledAt: null,
    createdAt: now,
  };
  const options = optionsOf(request, billing?.billedTo);
  return { charge, terms, by: request.by, options, due, subscriptionId: request.subscriptionId };
}

/**
 * Stores a charge and, with `claim`, its Idempotency-Key. If that key exists already, stores nothing and returns false.
 */
export function storePreparedCharge(
  writer: TxOrDb,
  prepared: PreparedCharge,
  claim?: IdempotencyKeyClaim,
): Promise<boolean> {
  const nextCheckAt = addMs(prepared.charge.createdAt, UNCONFIRMED_MS);
  return insertCharge(writer, { ...prepared, nextCheckAt, claim });
}

/**
 * Stores the charge of a debit at the account of its mandate. The payer's bank gets it without a code, and its subscription
 * looks after it.
 */
export async function storeDebitCharge(tx: Tx, prepared: PreparedCharge): Promise<void> {
  await insertCharge(tx, { ...prepared, nextCheckAt: null });
}

function optionsOf(
  { description, successUrl, paymentLinkId, pageId, createdBy, customerId, payerRules }: NewCharge,
  billedTo: BilledPerson | undefined,
): ChargeOptions | undefined {
  const options = [description, successUrl, paymentLinkId, createdBy, billedTo, payerRules];
  if (options.every((option) => option === undefined)) return undefined;
  return {
    ...noOptions,
    description: description ?? null,
    successUrl: successUrl ?? null,
    paymentLinkId: paymentLinkId ?? null,
    pageId: pageId ?? null,
    createdBy: createdBy ?? null,
    billedTo: billedTo ?? null,
    customerId: customerId ?? null,
    payerRules: payerRules ?? null,
  };
}

/** What the bank is told about a charge besides its row. `billing`: of a charge that has just been stored. */
type ChargeDetails = {
  readonly merchantName: string;
  readonly billing?: ChargeBilling | undefined;
  /** Whether it must be made at the account that was asked for. */
  readonly staysAtAccount?: boolean;
};

/** `maybe created`: an earlier attempt may have created the charge at the bank, so a refusal now proves nothing. */
type CreationState = 'new' | 'maybe created';

/**
 * Creates a stored charge at the bank and stores the bank's BR Code. If the bank of an account of the merchant's own does
 * not answer, the charge is made at the next of these accounts that is not among those `tried`.
 * @throws {Refusal} PAYMENT_PROCESSING_ERROR
 */
export async function createChargeAtBank(
  deps: Deps,
  charge: Charge,
  details: ChargeDetails,
  state: CreationState,
  idempotentCreation?: IdempotentCreation,
  tried: readonly number[] = [],
): Promise<Charge> {
  const bank = await findAtBank(deps, charge.connectionId);
  if (bank === undefined) throw new Refusal('PAYMENT_PROCESSING_ERROR', { retryAfterSeconds: 5 });
  const creation = createAndOpen(bank, charge, details, state, idempotentCreation);
  const triedNow = [...tried, charge.connectionId];
  const moved = details.staysAtAccount ? undefined : await moveIfSilent(bank, charge, creation, triedNow);
  if (moved !== undefined)
    return createChargeAtBank(deps, moved, details, 'new', idempotentCreation, triedNow);
  try {
    return await creation;
  } catch (error) {
    if (error instanceof PspRefused) {
      deps.log.warn({ err: error, chargeId: charge.id }, 'the bank refused a charge');
      await inTransaction(deps, (tx) => markChargesEnded(tx, [charge], 'error'));
      throw new Refusal('PAYMENT_PROCESSING_ERROR', {
        message: 'O banco recusou a criação da cobrança. Confira os dados e tente de novo.',
      });
    }
    if (error instanceof PspUnknown) {
      deps.log.warn(
        { err: error, chargeId: charge.id },
        'the outcome of creating a charge at the bank is unknown',
      );
      throw new Refusal('PAYMENT_PROCESSING_ERROR', { retryAfterSeconds: 5 });
    }
    throw error;
  }
}

async function createAndOpen(
  bank: AtBank,
  charge: Charge,
  details: ChargeDetails,
  state: CreationState,
  idempotentCreation: IdempotentCreation | undefined,
): Promise<Charge> {
  await expectAt(bank, [charge.connectionId], ['received', 'disputes'], watchedUntil(charge));
  const bankCharge = await createOrFind(bank, charge, details, state);
  const openedCharge = await openWithBankCharge(bank, charge, bankCharge, idempotentCreation);
  // No `PspUnknown`: the bank has answered, and is not silent.
  if (openedCharge === undefined) throw new Refusal('PAYMENT_PROCESSING_ERROR', { retryAfterSeconds: 5 });
  return openedCharge;
}

/** Nobody waits in front of a screen for days: the bank's notices are enough for a payment that comes later. */
const maxWatchMs = 86_400_000;

function watchedUntil({ createdAt, expiresAt, dueDate }: Charge): Date {
  const longest = addMs(createdAt, maxWatchMs + EXPIRY_GRACE_MS);
  const end = addMs(expiresAt, EXPIRY_GRACE_MS);
  return dueDate === null && end < longest ? end : longest;
}

/**
 * Creates the charge at the bank. If an earlier attempt may have succeeded, the charge is looked up before it is
 * created again. If the bank refuses the new attempt, the earlier one may still have succeeded, so the refusal becomes
 * PspUnknown.
 */
async function createOrFind(
  { psp, db }: AtBank,
  charge: Charge,
  { merchantName, billing: given }: ChargeDetails,
  state: CreationState,
): Promise<BankCharge> {
  // A new charge names nobody unless the caller says so, which spares most creations a statement.
  const billing = state === 'new' ? given : await readBilling(db, charge);
  const order = {
    txid: charge.txid,
    amountCents: charge.amountCents,
    expiresInSeconds: Math.round((charge.expiresAt.getTime() - charge.createdAt.getTime()) / 1000),
    payerNote: `Pagamento a ${foldToAscii(merchantName, 120)}`,
    billedTo: billing?.billedTo,
    due: billing?.due,
  };
  if (state === 'new') {
    try {
      return await psp.createCharge(order);
    } catch (error) {
      // A call that was not made left nothing at the bank that a look-up could find.
      if (!(error instanceof PspUnknown) || error instanceof PspNotAsked) throw error;
    }
  }
  try {
    return (await psp.findCharge(charge.txid, kindOf(charge))) ?? (await psp.createCharge(order));
  } catch (error) {
    if (!(error instanceof PspRefused)) throw error;
    throw new PspUnknown('the bank refused a charge that it may already have', { cause: error });
  }
}

async function readBilling(db: Db, charge: Charge): Promise<ChargeBilling> {
  const options = await readChargeOptions(db, charge.merchantId, [charge.id]);
  const dues = await readDues(db, charge.merchantId, [charge]);
  return { billedTo: options.get(charge.id)?.billedTo ?? undefined, due: dues.get(charge.id)?.due };
}

/**
 * Opens a stored charge by storing the bank's BR Code, and with it the response to the call that created the charge.
 * Returns undefined if the charge has ended meanwhile, because its code must not be shown any more.
 * @throws {PspUnknown} if the bank's charge differs from ours
 */
export async function openWithBankCharge(
  deps: AtBank,
  charge: Charge,
  bankCharge: BankCharge,
  idempotentCreation?: IdempotentCreation,
): Promise<Charge | undefined> {
  const isSameCharge =
    bankCharge.txid === charge.txid &&
    bankCharge.amountCents === charge.amountCents &&
    (bankCharge.dueDate ?? null) === charge.dueDate &&
    bankCharge.pixKey === deps.connection.pixKey;
  if (!isSameCharge) throw new PspUnknown(`the bank answered with another charge than ${charge.txid}`);
  const { brCode } = bankCharge;
  if (brCode === undefined) throw new PspUnknown(`the bank gave no code for ${charge.txid}`);
  const nextCheckAt = new Date(charge.expiresAt.getTime() + EXPIRY_GRACE_MS);
  const openedCharge = { ...charge, brCode };
  const storeBrCode = (response?: IdempotentResponse) =>
    openCharge({ db: deps.db, now: deps.clock.now() }, { charge, brCode, nextCheckAt, response });
  if (idempotentCreation?.idempotency.saveResponse === undefined)
    return (await storeBrCode()) ? openedCharge : undefined;
  const { idempotency, toResponseBody } = idempotentCreation;
  const isOpen = await idempotency.saveResponse?.(charge.id, toResponseBody?.(openedCharge), storeBrCode);
  return isOpen === true ? openedCharge : undefined;
}
