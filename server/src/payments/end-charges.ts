import pMap from 'p-map';
import { isDatabaseOutage } from '../db/outage.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import {
  type AtBank,
  type BankCharge,
  type BankReceivedPix,
  findAtBank,
  findBusyBanks,
  PspRefused,
  PspUnknown,
  takeTurn,
} from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import { openWithBankCharge } from './create-payment.ts';
import { leaseDueCharges } from './due-store.ts';
import { inOwnBankPlace } from './own-bank-places.ts';
import { type Charge, kindOf } from './payment.ts';
import { publishChargeEvents } from './publish-charge-events.ts';
import { settleReceived } from './settle-received.ts';
import { findCharge, isDebit, markChargesEnded } from './store.ts';

/**
 * Cancels a charge. The charge is removed at the bank first, so that nobody can pay a charge that we reported as
 * cancelled. If the bank says that the charge was paid, the payment is booked instead. Idempotent. Refuses with
 * PAYMENT_NOT_FOUND, CHARGE_ALREADY_PAID, CHARGE_ENDED, or PAYMENT_PROCESSING_ERROR if the bank does not confirm the
 * removal.
 */
export async function cancelPayment(deps: Deps, merchantId: number, id: string): Promise<Charge> {
  const charge = await readCharge(deps, merchantId, id);
  if (charge.cancelledAt !== null && charge.status === 'expired') return charge;
  refuseEnded(charge);
  if (charge.brCode === '' && (await isDebit(deps.db, charge))) throw new Refusal('CHARGE_OF_SUBSCRIPTION');
  const bank = await findAtBank(deps, charge.connectionId);
  if (bank === undefined) throw unconfirmedRemoval();
  const bankCharge = await inOwnBankPlace(deps, charge, () => removeAtBank(bank, charge));
  if (bankCharge.received.length > 0)
    await inTransaction(deps, (tx) => settleReceived(tx, bankCharge.received, bank.connection));
  else if (bankCharge.status === 'removed')
    await inTransaction(deps, (tx) => endCharges(tx, [charge], 'expired', tx.now));
  else throw new Refusal('PAYMENT_PROCESSING_ERROR', { retryAfterSeconds: 5 });
  const updatedCharge = await readCharge(deps, merchantId, id);
  if (updatedCharge.cancelledAt === null) refuseEnded(updatedCharge);
  return updatedCharge;
}

async function readCharge(deps: Deps, merchantId: number, id: string): Promise<Charge> {
  const charge = await findCharge(deps.db, merchantId, id);
  if (charge === undefined) throw new Refusal('PAYMENT_NOT_FOUND');
  return charge;
}

function refuseEnded({ status }: Charge): void {
  if (status === 'paid' || status === 'refunded') throw new Refusal('CHARGE_ALREADY_PAID');
  if (status !== 'pending') throw new Refusal('CHARGE_ENDED');
}

/**
 * Requests the removal and returns the bank's state of the charge. If the bank refuses or does not respond, the charge
 * is looked up, because it may be paid or removed already.
 */
async function removeAtBank(deps: AtBank, charge: Charge): Promise<BankCharge> {
  try {
    return await deps.psp.removeCharge(charge.txid, kindOf(charge));
  } catch (error) {
    if (!(error instanceof PspRefused || error instanceof PspUnknown)) throw error;
    deps.log.warn(
      { err: error, chargeId: charge.id },
      'the outcome of removing a charge at the bank is unknown',
    );
  }
  try {
    const bankCharge = await deps.psp.findCharge(charge.txid, kindOf(charge));
    if (bankCharge !== undefined) return bankCharge;
  } catch (error) {
    if (!(error instanceof PspRefused || error instanceof PspUnknown)) throw error;
    deps.log.warn(
      { err: error, chargeId: charge.id },
      'the status of a charge could not be read from the bank',
    );
  }
  throw unconfirmedRemoval();
}

const unconfirmedRemoval = () =>
  new Refusal('PAYMENT_PROCESSING_ERROR', {
    message: 'O banco não confirmou o cancelamento. A cobrança continua valendo; tente de novo em instantes.',
    retryAfterSeconds: 5,
  });

/** The most charges that one run of `expireCharges` processes. */
const batchSize = 100;
const maxConcurrentLookUps = 8;
/** How soon a charge that did not end in a run is due again. */
const retryMs = 60_000;
/** This long after its expiry, a charge ends even if the bank has given no usable response about it. */
const maxBankSilenceMs = 600_000;

const maxCreationMs = 86_400_000;

/** `bankCharge` is undefined if the bank has no such charge, and `silent` if the bank gave no usable response. */
type LookUp = { readonly charge: Charge; readonly bankCharge: BankCharge | undefined | 'silent' };

const workName = 'expiry';

/**
 * Expires overdue charges after a last look-up at the bank, and resolves charges whose creation the bank never
 * confirmed. Charges at a bank where an earlier turn still looks up others are left for later, so that they do not take
 * the places of charges at banks that answer. Returns the number of due charges.
 */
export async function expireCharges(deps: Deps): Promise<number> {
  const busyBanks = findBusyBanks(deps, workName);
  const due = await inTransaction(deps, (tx) =>
    leaseDueCharges(tx, new Date(tx.now.getTime() + retryMs), batchSize, busyBanks),
  );
  const pending = Map.groupBy(
    due.filter((charge) => charge.status === 'pending'),
    (charge) => charge.connectionId,
  );
  const work = (bank: AtBank) => endDueCharges(bank, pending.get(bank.connection.id) ?? []);
  await takeTurn(deps, workName, work, [...pending.keys()]);
  // The bank of an account that was retired cannot be asked.
  const ofRetired = [...pending].flatMap(([id, charges]) =>
    deps.banks.find(id) === undefined ? charges : [],
  );
  await endThoseOver(
    deps,
    ofRetired.map((charge) => ({ charge, bankCharge: 'silent' })),
    deps.clock.now(),
  );
  return due.length;
}

/** Ends the charges of one bank that are over, and returns how many were looked up. */
async function endDueCharges(deps: AtBank, pending: readonly Charge[]): Promise<number> {
  if (pending.length === 0) return 0;
  const lookUps = await pMap(
    pending,
    async (charge) => ({
      charge,
      bankCharge: await lookUpCharge(deps, charge),
    }),
    { concurrency: maxConcurrentLookUps },
  );

  const now = deps.clock.now();
  await settleLookedUp(deps, lookUps);
  await openUnconfirmedCharges(deps, lookUps, now);
  await endThoseOver(deps, lookUps, now);
  return pending.length;
}

async function endThoseOver(deps: Deps, lookUps: readonly LookUp[], now: Date): Promise<void> {
  const over = lookUps.filter((lookUp) => shouldEnd(lookUp, now)).map(({ charge }) => charge);
  if (over.length === 0) return;
  // A charge without a code was never confirmed by the bank.
  const confirmed = over.filter((charge) => charge.brCode !== '');
  const unconfirmed = over.filter((charge) => charge.brCode === '');
  await inTransaction(deps, (tx) => endCharges(tx, confirmed, 'expired'));
  await inTransaction(deps, (tx) => endCharges(tx, unconfirmed, 'error'));
}

function shouldEnd({ charge, bankCharge }: LookUp, now: Date): boolean {
  const sinceExpiryMs = now.getTime() - charge.expiresAt.getTime();
  if (bankCharge === 'silent')
    return sinceExpiryMs >= maxBankSilenceMs || (charge.brCode === '' && isForgotten(charge, now));
  if (bankCharge === undefined) return true;
  // The bank says that the charge was paid, and the payment is booked before charges are ended. A charge that is still
  // pending this long after its expiry has a payment that cannot be credited to it, for example because the amount
  // differs.
  if (bankCharge.status === 'completed') return sinceExpiryMs >= maxBankSilenceMs;
  return bankCharge.status === 'removed' || sinceExpiryMs >= 0;
}

/** A charge that may have years to live and got no code within a day: nobody can have it. */
function isForgotten({ createdAt }: Charge, now: Date): boolean {
  return now.getTime() - createdAt.getTime() >= maxCreationMs;
}

async function lookUpCharge(deps: AtBank, charge: Charge): Promise<LookUp['bankCharge']> {
  try {
    return await deps.psp.findCharge(charge.txid, kindOf(charge));
  } catch (error) {
    if (error instanceof PspRefused)
      deps.log.warn({ err: error, chargeId: charge.id }, 'the bank refused a look-up');
    return 'silent';
  }
}

/** Books the Pix that the look-ups show. */
async function settleLookedUp(deps: AtBank, lookUps: readonly LookUp[]): Promise<void> {
  const received: BankReceivedPix[] = lookUps.flatMap(({ bankCharge }) =>
    bankCharge === undefined || bankCharge === 'silent' ? [] : bankCharge.received,
  );
  if (received.length === 0) return;
  await settleTogetherOrAlone(deps, received);
}

/** Books Pix together, or one by one after a failure: a Pix that cannot be booked must not stop the others. */
async function settleTogetherOrAlone(deps: AtBank, received: readonly BankReceivedPix[]): Promise<void> {
  try {
    await inTransaction(deps, (tx) => settleReceived(tx, received, deps.connection));
  } catch (err) {
    if (isDatabaseOutage(err)) throw err;
    if (received.length > 1) {
      for (const pix of received) await settleTogetherOrAlone(deps, [pix]);
    } else {
      const endToEndId = received[0]?.endToEndId;
      deps.log.error({ err, endToEndId }, 'a Pix reported by the bank could not be booked');
    }
  }
}

/** Opens the charges that the bank created although its response was lost, by storing the bank's BR Code of each. */
async function openUnconfirmedCharges(deps: AtBank, lookUps: readonly LookUp[], now: Date): Promise<void> {
  for (const { charge, bankCharge } of lookUps) {
    if (charge.brCode !== '' || bankCharge === undefined || bankCharge === 'silent') continue;
    if (bankCharge.status !== 'active' || charge.expiresAt <= now) continue;
    await openWithBankCharge(deps, charge, bankCharge).catch((error: unknown) =>
      deps.log.error({ err: error, chargeId: charge.id }, 'a charge could not be updated from the bank'),
    );
  }
}

/**
 * Ends those charges that are still pending and publishes their end. `cancelledAt`: when the merchant cancelled them.
 */
export async function endCharges(
  tx: Tx,
  charges: readonly Charge[],
  status: 'expired' | 'error',
  cancelledAt: Date | null = null,
): Promise<void> {
  if (charges.length === 0) return;
  const ended = await markChargesEnded(tx, charges, status, cancelledAt);
  await publishChargeEvents(
    tx,
    status,
    ended.map((charge) => ({ charge, paidAt: null })),
  );
}
