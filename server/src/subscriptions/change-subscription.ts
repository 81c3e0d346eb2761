import { addMs } from '../clock.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { readMerchant } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import { type Charge, parseChargeAmount } from '../payments/index.ts';
import { Refusal } from '../refusal.ts';
import { type CycleKey, findCycle, insertCycleCode, listCycleCodes, updateCycle } from './cycle-store.ts';
import { endSubscription } from './end-subscription.ts';
import { isBeingMade, readCodes } from './known-cycle.ts';
import { chargeOfSubscription, MadeMeanwhile, makeChargeOnce } from './make-charge.ts';
import { cancelUntil } from './next-step.ts';
import { findMandate, findSubscription, lockSubscription, updateMandate } from './store.ts';
import { hasEnded, type StoredCycle } from './subscription.ts';

/**
 * Ends a subscription. The bank is told by the loop of mandates, and confirms it perhaps hours later; what it had already
 * scheduled may still be debited. Refused with SUBSCRIPTION_NOT_FOUND or SUBSCRIPTION_ENDED.
 */
export async function cancelSubscription(deps: Deps, merchantId: number, id: string): Promise<void> {
  await inTransaction(deps, async (tx) => {
    const subscription = await lockSubscription(tx, { merchantId, id });
    if (subscription === undefined) throw new Refusal('SUBSCRIPTION_NOT_FOUND');
    if (subscription.status === 'ended') throw new Refusal('SUBSCRIPTION_ENDED');
    const mandate = await findMandate(tx.db, { merchantId, id });
    invariant(mandate !== undefined, 'a subscription without a mandate');
    await updateMandate(tx, mandate, { cancel_since: tx.now, check_at: tx.now, checks: 0 });
    await endSubscription(tx, subscription, mandate, 'by_merchant');
  });
}

/** Says the amount of a cycle of varying amount. Refused with CYCLE_TOO_LATE once it was sent, or has a code. */
export async function setCycleAmount(deps: Deps, key: CycleKey, amount: number): Promise<void> {
  const merchant = await readMerchant(deps.db, key.merchantId);
  invariant(merchant !== undefined, 'a caller without an account');
  const cents = parseChargeAmount(deps, merchant, amount);
  await changeCycle(deps, key, async (tx, cycle, isVariable) => {
    if (!isVariable)
      throw new Refusal('SUBSCRIPTION_INVALID', { message: 'O valor desta assinatura é fixo.' });
    if (cycle.status !== 'planned') throw new Refusal('CYCLE_TOO_LATE');
    // The payment of a code pays the cycle, so the two amounts never differ.
    const codes = await listCycleCodes(tx.db, key.merchantId, [key]);
    if (codes.length > 0)
      throw new Refusal('CYCLE_TOO_LATE', {
        message: 'Este ciclo já tem um código de pagamento com o valor.',
      });
    await updateCycle(tx, cycle, { amount_cents: cents });
  });
}

/** The bank must get the order in time, and the loop that sends it runs every few seconds. */
const orderMs = 120_000;

/** Takes a cycle back. Refused with CYCLE_TOO_LATE shortly before 22:00 of the day before the debit. */
export async function cancelCycle(deps: Deps, key: CycleKey): Promise<void> {
  await changeCycle(deps, key, async (tx, cycle) => {
    if (cycle.cancelBecause === 'by_merchant') return;
    if (
      hasEnded(cycle) ||
      cycle.status === 'retrying' ||
      addMs(tx.now, orderMs) >= cancelUntil(cycle.debitDay)
    )
      throw new Refusal('CYCLE_TOO_LATE');
    await updateCycle(tx, cycle, { cancel_because: 'by_merchant', check_at: tx.now, checks: 0 });
  });
}

type CycleChange = (tx: Tx, cycle: StoredCycle, isVariable: boolean) => Promise<void>;

async function changeCycle(deps: Deps, key: CycleKey, change: CycleChange): Promise<void> {
  const { merchantId, subscriptionId: id } = key;
  await inTransaction(deps, async (tx) => {
    const subscription = await lockSubscription(tx, { merchantId, id });
    if (subscription === undefined) throw new Refusal('SUBSCRIPTION_NOT_FOUND');
    const cycle = await findCycle(tx.db, key);
    if (cycle === undefined) throw new Refusal('CYCLE_NOT_FOUND');
    await change(tx, cycle, subscription.amountCents === null);
  });
}

/** A code for a cycle ends this long before the debit can no longer be taken back, so that nobody pays twice. */
const marginMs = 2 * 3_600_000;
const maxCodeMs = 30 * 86_400_000;

/**
 * Makes a charge with a code for a cycle: one that the payer wants to pay before the debit, or that was given up. While
 * the bank may still debit it, the code lives only as long as the debit can be taken back. Refused with CYCLE_TOO_LATE.
 */
export async function chargeCycle(deps: Deps, key: CycleKey, madeBy?: number): Promise<Charge> {
  const { merchantId, subscriptionId: id } = key;
  const merchant = await readMerchant(deps.db, merchantId);
  if (merchant?.approved !== true) throw new Refusal('ACCOUNT_NOT_APPROVED');
  const subscription = await findSubscription(deps.db, { merchantId, id });
  if (subscription === undefined) throw new Refusal('SUBSCRIPTION_NOT_FOUND');
  const cycle = await findCycle(deps.db, key);
  if (cycle === undefined) throw new Refusal('CYCLE_NOT_FOUND');
  const now = deps.clock.now();
  const noted = await listCycleCodes(deps.db, merchantId, [key]);
  const codes = await readCodes(deps.db, merchantId, noted);
  if (isBeingMade(noted[0]?.chargeId, codes, now))
    throw new Refusal('PAYMENT_PROCESSING_ERROR', { retryAfterSeconds: 2 });
  const open = codes.find(({ status, expiresAt }) => status === 'pending' && expiresAt > now);
  const isCancelled = cycle.cancelBecause !== null;
  if (open !== undefined && open.brCode !== '' && !isCancelled) return open;
  const isPaid = cycle.status === 'paid' || codes.some(({ status }) => status === 'paid');
  if (isPaid) throw new Refusal('CHARGE_ALREADY_PAID');
  const lifeMs =
    cycle.status === 'given_up'
      ? maxCodeMs
      : cancelUntil(cycle.debitDay).getTime() - now.getTime() - marginMs;
  const mayBePaid = ['planned', 'sending', 'scheduled', 'given_up'].includes(cycle.status);
  if (cycle.amountCents === null || isCancelled || !mayBePaid || lifeMs < marginMs)
    throw new Refusal('CYCLE_TOO_LATE');
  const request = chargeOfSubscription(subscription, {
    amountCents: cycle.amountCents,
    expiresInSeconds: Math.floor(Math.min(lifeMs, maxCodeMs) / 1000),
    createdBy: madeBy,
  });
  const note = async (tx: Tx, chargeId: string) => {
    await lockSubscription(tx, subscription);
    const current = await findCycle(tx.db, key);
    const notedNow = await listCycleCodes(tx.db, merchantId, [key]);
    const isSame =
      current?.status === cycle.status &&
      current.amountCents === cycle.amountCents &&
      current.cancelBecause === cycle.cancelBecause;
    if (!isSame || notedNow.length !== noted.length) return false;
    await insertCycleCode(tx, key, chargeId);
    return true;
  };
  try {
    return await makeChargeOnce(deps, request, open?.id, note);
  } catch (error) {
    // The cycle has changed, so it is judged again, or it has a charge now, and that is the one to give.
    if (error instanceof MadeMeanwhile) return chargeCycle(deps, key, madeBy);
    throw error;
  }
}
