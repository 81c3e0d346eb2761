import { randomUUID } from 'node:crypto';
import { centsFromBrl, MIN_CHARGE_CENTS } from '@jangada/contract';
import { foldToAscii } from '@jangada/pix';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { type Merchant, readMerchant } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import { type BankCharge, PspRefused, PspUnknown } from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import { checkCallbackUrl } from '../webhooks/index.ts';
import { type Charge, newTxid, settlementOf } from './payment.ts';
import { closeCharges, findCharge, insertCharge, openCharge } from './store.ts';

/** After its expiry a charge is given this long for a payment that is on its way. */
export const EXPIRY_GRACE_MS = 60_000;
/** A charge whose creation nobody confirmed is looked up after this long. */
const UNCONFIRMED_MS = 60_000;

export type NewCharge = {
  readonly merchantId: number;
  /** In BRL, as it came. */
  readonly amount: number;
  readonly expiresInSeconds: number;
  readonly callbackUrl: string | undefined;
};

/** Ties a charge to the caller's Idempotency-Key before the bank is asked. */
export type Claim = { readonly resumed: string | undefined; remember(chargeId: string): Promise<void> };

/**
 * Creates a charge: stored first under a txid of ours, then at the bank, then opened with the bank's code.
 * When the bank's answer does not come, the charge is looked up under its txid before it is asked for again; if
 * that stays unknown too the caller gets PAYMENT_PROCESSING_ERROR, and the sweep finds out later.
 */
export async function createPayment(deps: Deps, wanted: NewCharge, claim?: Claim): Promise<Charge> {
  const merchant = await readMerchant(deps.db, wanted.merchantId);
  invariant(merchant !== undefined, 'a caller without an account');
  const resumed = claim?.resumed;
  const stored = resumed === undefined ? undefined : await findCharge(deps.db, wanted.merchantId, resumed);
  const charge = stored ?? (await storeCharge(deps, merchant, wanted, claim));
  if (charge.brCode !== '') return charge;
  if (charge.status !== 'pending') throw new Refusal('PAYMENT_PROCESSING_ERROR');
  return openAtBank(deps, charge, merchant.name);
}

async function storeCharge(
  deps: Deps,
  merchant: Merchant,
  wanted: NewCharge,
  claim?: Claim,
): Promise<Charge> {
  if (!merchant.approved) throw new Refusal('ACCOUNT_NOT_APPROVED');
  if (!merchant.apiActive) throw new Refusal('API_KEY_INACTIVE');
  const amountCents = checkedAmount(wanted.amount, deps.config.limits.chargeMax);
  const terms = settlementOf(amountCents, merchant);
  if (terms.feeCents >= amountCents) throw new Refusal('AMOUNT_BELOW_FEE');
  if (wanted.callbackUrl !== undefined) checkCallbackUrl(deps.config, wanted.callbackUrl);

  const id = randomUUID();
  await claim?.remember(id);
  return inTransaction(deps, async (tx) => {
    const charge: Charge = {
      merchantId: merchant.id,
      id,
      txid: newTxid(merchant.id),
      status: 'pending',
      amountCents,
      ...terms,
      reserveDays: merchant.reserveDays,
      expiresAt: new Date(tx.now.getTime() + wanted.expiresInSeconds * 1000),
      callbackUrl: wanted.callbackUrl ?? null,
      brCode: '',
      endToEndId: null,
      paidAt: null,
      refundedCents: 0,
      createdAt: tx.now,
    };
    await insertCharge(tx, charge, merchant, new Date(tx.now.getTime() + UNCONFIRMED_MS));
    return charge;
  });
}

function checkedAmount(amount: number, maxCents: number): number {
  const cents = centsFromBrl(amount);
  if (cents === undefined || cents <= 0) throw new Refusal('AMOUNT_INVALID');
  if (cents < MIN_CHARGE_CENTS) throw new Refusal('AMOUNT_TOO_SMALL');
  if (cents > maxCents) throw new Refusal('AMOUNT_TOO_LARGE');
  return cents;
}

async function openAtBank(deps: Deps, charge: Charge, merchantName: string): Promise<Charge> {
  try {
    const atBank = await askBank(deps, charge, merchantName);
    return await adoptBankCharge(deps, charge, atBank);
  } catch (error) {
    if (error instanceof PspRefused) {
      deps.log.warn({ err: error, chargeId: charge.id }, 'the bank refused a charge');
      await inTransaction(deps, (tx) => closeCharges(tx, [charge], 'error'));
      throw new Refusal('PAYMENT_PROCESSING_ERROR', {
        message: 'O banco recusou a criação da cobrança. Confira os dados e tente de novo.',
      });
    }
    if (error instanceof PspUnknown) {
      deps.log.warn({ err: error, chargeId: charge.id }, 'the bank did not say whether it made a charge');
      throw new Refusal('PAYMENT_PROCESSING_ERROR', { retryAfterSeconds: 5 });
    }
    throw error;
  }
}

/** PUT under our txid is the same request however often it is sent; still, an unknown one is looked up first. */
async function askBank(deps: Deps, charge: Charge, merchantName: string): Promise<BankCharge> {
  const order = {
    txid: charge.txid,
    amountCents: charge.amountCents,
    expiresInSeconds: Math.round((charge.expiresAt.getTime() - charge.createdAt.getTime()) / 1000),
    payerNote: `Pagamento a ${foldToAscii(merchantName, 120)}`,
  };
  try {
    return await deps.psp.createCharge(order);
  } catch (error) {
    if (!(error instanceof PspUnknown)) throw error;
    return (await deps.psp.findCharge(charge.txid)) ?? (await deps.psp.createCharge(order));
  }
}

/** Opens a stored charge with what the bank says it made, if that is what we asked for. */
export async function adoptBankCharge(deps: Deps, charge: Charge, atBank: BankCharge): Promise<Charge> {
  if (
    atBank.txid !== charge.txid ||
    atBank.amountCents !== charge.amountCents ||
    atBank.pixKey !== deps.config.pixKey
  ) {
    throw new PspUnknown(`the bank answered with another charge than ${charge.txid}`);
  }
  const dueAt = new Date(charge.expiresAt.getTime() + EXPIRY_GRACE_MS);
  await inTransaction(deps, (tx) => openCharge(tx, charge, atBank.brCode, dueAt));
  return { ...charge, brCode: atBank.brCode };
}
