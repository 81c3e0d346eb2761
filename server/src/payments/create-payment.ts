import { randomUUID } from 'node:crypto';
import { brlFromCents, centsFromBrl, type Metadata, MIN_CHARGE_CENTS } from '@jangada/contract';
import { foldToAscii } from '@jangada/pix';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { IdempotencyHandle } from '../http/route.ts';
import { type Merchant, readMerchant } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import { type BankCharge, PspRefused, PspUnknown } from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import { checkCallbackUrl } from '../webhooks/index.ts';
import { type ChargeOptions, checkSuccessUrl, noOptions } from './charge-options.ts';
import { type Charge, formatBrl, newTxid, settlementOf } from './payment.ts';
import { closeCharges, findCharge, insertCharge, type MadeBy, openCharge } from './store.ts';

/** Grace period after expiry, for a payment already in flight. */
export const EXPIRY_GRACE_MS = 60_000;
/** An unconfirmed charge is looked up after this long: longer than any creation may take. */
const UNCONFIRMED_MS = 180_000;

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
  readonly linkId?: string | undefined;
  readonly by?: MadeBy;
};

/**
 * Creates a charge: stores it under our own txid, creates it at the bank, then opens it with the bank's code. Without
 * an answer from the bank, the charge is looked up by txid before creation is retried; if that fails too, the caller
 * gets PAYMENT_PROCESSING_ERROR and the sweep resolves it later. A retry under the same idempotency key continues
 * with the same charge, or gets a new one if that charge has failed.
 */
export async function createPayment(
  deps: Deps,
  wanted: NewCharge,
  idempotency?: IdempotencyHandle,
): Promise<Charge> {
  const merchant = await readMerchant(deps.db, wanted.merchantId);
  invariant(merchant !== undefined, 'a caller without an account');
  const resumed = idempotency?.resumed;
  const stored = resumed === undefined ? undefined : await findCharge(deps.db, wanted.merchantId, resumed);
  if (stored !== undefined && stored.brCode !== '') return stored;
  if (stored?.status === 'pending') return openAtBank(deps, stored, merchant.name, 'perhaps asked');
  return openAtBank(deps, await storeCharge(deps, merchant, wanted, idempotency), merchant.name, 'new');
}

async function storeCharge(
  deps: Deps,
  merchant: Merchant,
  wanted: NewCharge,
  idempotency?: IdempotencyHandle,
): Promise<Charge> {
  const prepared = prepareCharge(deps, merchant, wanted, randomUUID());
  await idempotency?.remember(prepared.charge.id);
  await insertPrepared({ db: deps.db, now: prepared.charge.createdAt }, prepared);
  return prepared.charge;
}

/** A validated charge that is not stored yet. */
export type PreparedCharge = {
  readonly charge: Charge;
  readonly merchant: Merchant;
  readonly by: MadeBy | undefined;
  readonly options: ChargeOptions | undefined;
};

/** Whether a merchant may take new payments. */
export function mayReceive({ frozen, approved, apiActive }: Merchant): boolean {
  return !frozen && approved && apiActive;
}

/** Builds a charge from the request by the merchant's current terms, or refuses it. Writes nothing. */
export function prepareCharge(
  deps: Pick<Deps, 'config' | 'clock'>,
  merchant: Merchant,
  wanted: NewCharge,
  id: string,
): PreparedCharge {
  if (merchant.frozen) throw new Refusal('ACCOUNT_FROZEN');
  if (!merchant.approved) throw new Refusal('ACCOUNT_NOT_APPROVED');
  if (!merchant.apiActive) throw new Refusal('API_KEY_INACTIVE');
  const amountCents = checkedAmount(deps, merchant, wanted.amount);
  if (wanted.callbackUrl !== undefined) checkCallbackUrl(deps.config, wanted.callbackUrl);
  if (wanted.successUrl !== undefined) checkSuccessUrl(deps.config, wanted.successUrl);
  const now = deps.clock.now();
  const charge: Charge = {
    merchantId: merchant.id,
    id,
    txid: newTxid(merchant.id),
    status: 'pending',
    amountCents,
    ...settlementOf(amountCents, merchant),
    reserveDays: merchant.reserveDays,
    expiresAt: new Date(now.getTime() + wanted.expiresInSeconds * 1000),
    callbackUrl: wanted.callbackUrl ?? null,
    brCode: '',
    endToEndId: null,
    paidAt: null,
    refundedCents: 0,
    externalId: wanted.externalId ?? null,
    metadata: wanted.metadata ?? null,
    cancelledAt: null,
    createdAt: now,
  };
  return { charge, merchant, by: wanted.by, options: optionsOf(wanted) };
}

export function insertPrepared(
  writer: Parameters<typeof insertCharge>[0],
  { charge, merchant, by, options }: PreparedCharge,
): Promise<void> {
  const dueAt = new Date(charge.createdAt.getTime() + UNCONFIRMED_MS);
  return insertCharge(writer, charge, merchant, dueAt, by, options);
}

function optionsOf({ description, successUrl, linkId }: NewCharge): ChargeOptions | undefined {
  if (description === undefined && successUrl === undefined && linkId === undefined) return undefined;
  return {
    ...noOptions,
    description: description ?? null,
    successUrl: successUrl ?? null,
    linkId: linkId ?? null,
  };
}

/** Converts an amount in BRL, as received, to cents: within the limits of a charge, and more than its fee. */
export function checkedAmount(
  { config: { limits } }: Pick<Deps, 'config'>,
  merchant: Merchant,
  amount: number,
): number {
  const cents = amountWithin(amount, limits.chargeMax);
  if (settlementOf(cents, merchant).feeCents >= cents) throw new Refusal('AMOUNT_BELOW_FEE');
  return cents;
}

function amountWithin(amount: number, maxCents: number): number {
  const cents = centsFromBrl(amount);
  const details = { min: brlFromCents(MIN_CHARGE_CENTS), max: brlFromCents(maxCents) };
  if (cents === undefined || cents <= 0) {
    const rule = 'Um número em reais com no máximo duas casas decimais, como 25.90.';
    throw new Refusal('AMOUNT_INVALID', {
      details: { ...details, fields: [{ field: 'amount', message: rule }] },
    });
  }
  if (cents < MIN_CHARGE_CENTS) throw new Refusal('AMOUNT_TOO_SMALL', { details });
  if (cents > maxCents) {
    const message = `O valor máximo por cobrança é ${formatBrl(maxCents)}.`;
    throw new Refusal('AMOUNT_TOO_LARGE', { message, details });
  }
  return cents;
}

/** Whether the bank may already know the charge: then a refused creation does not prove that it does not exist. */
type Standing = 'new' | 'perhaps asked';

/** Creates a stored charge at the bank and opens it with the bank's code. Refused with PAYMENT_PROCESSING_ERROR. */
export async function openAtBank(
  deps: Deps,
  charge: Charge,
  merchantName: string,
  standing: Standing,
): Promise<Charge> {
  try {
    const atBank = await askBank(deps, charge, merchantName, standing);
    const opened = await adoptBankCharge(deps, charge, atBank);
    if (opened === undefined) throw new PspUnknown('the charge was ended while the bank made it');
    return opened;
  } catch (error) {
    if (error instanceof PspRefused) {
      deps.log.warn({ err: error, chargeId: charge.id }, 'the bank refused a charge');
      await inTransaction(deps, (tx) => closeCharges(tx, [charge], 'error'));
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

/** Looks up a charge that the bank may have, before retrying. Only a refusal of the first request is definite. */
async function askBank(
  deps: Deps,
  charge: Charge,
  merchantName: string,
  standing: Standing,
): Promise<BankCharge> {
  const order = {
    txid: charge.txid,
    amountCents: charge.amountCents,
    expiresInSeconds: Math.round((charge.expiresAt.getTime() - charge.createdAt.getTime()) / 1000),
    payerNote: `Pagamento a ${foldToAscii(merchantName, 120)}`,
  };
  if (standing === 'new') {
    try {
      return await deps.psp.createCharge(order);
    } catch (error) {
      if (!(error instanceof PspUnknown)) throw error;
    }
  }
  try {
    return (await deps.psp.findCharge(charge.txid)) ?? (await deps.psp.createCharge(order));
  } catch (error) {
    if (!(error instanceof PspRefused)) throw error;
    throw new PspUnknown('the bank refused what it may have made before', { cause: error });
  }
}

/**
 * Opens a stored charge with the bank's data, if it matches what was requested. Returns undefined if the charge has
 * ended meanwhile: its code must not be shown.
 */
export async function adoptBankCharge(
  deps: Deps,
  charge: Charge,
  atBank: BankCharge,
): Promise<Charge | undefined> {
  if (
    atBank.txid !== charge.txid ||
    atBank.amountCents !== charge.amountCents ||
    atBank.pixKey !== deps.config.pixKey
  ) {
    throw new PspUnknown(`the bank answered with another charge than ${charge.txid}`);
  }
  const { brCode } = atBank;
  if (brCode === undefined) throw new PspUnknown(`the bank told no code that asks for ${charge.txid}`);
  const dueAt = new Date(charge.expiresAt.getTime() + EXPIRY_GRACE_MS);
  const opened = await openCharge({ db: deps.db, now: deps.clock.now() }, charge, brCode, dueAt);
  return opened ? { ...charge, brCode } : undefined;
}
