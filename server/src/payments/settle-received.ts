import type { Tx } from '../db/transaction.ts';
import { movements, PLATFORM, post } from '../ledger/index.ts';
import type { BankReceivedPix } from '../psp/index.ts';
import { insertReserves } from '../reserves/index.ts';
import { type ChargeKeyOfTxid, chargeKeyOf } from './bank-ids.ts';
import { countCounterPayments, countLinkPayments } from './count-payments.ts';
import { type CounterCharge, chargesByCounters, insertCounterCharges } from './credit-counters.ts';
import { mayBecome, type PayableCharge } from './payment.ts';
import { publishChargeEvents } from './publish-charge-events.ts';
import { insertReceivedPix, type NewReceivedPix } from './received-store.ts';
import { type LockedCharge, lockChargesByTxid, markChargesPaid } from './store.ts';

const dayMs = 86_400_000;

/** Numbers of Pix: credited to their charges, put in suspense, and booked before (`known`). */
export type Settled = { readonly credited: number; readonly suspense: number; readonly known: number };

/** A Pix to be credited to its charge. */
type Credit = {
  readonly charge: PayableCharge & { readonly isFromLink?: boolean };
  readonly pix: BankReceivedPix;
  /** If the Pix was paid with a counter code (a printed QR Code): its charge, which is not stored yet. */
  readonly counterCharge?: CounterCharge | undefined;
};

/**
 * Books one or many Pix that our bank confirmed: each new one is credited to its charge, or put in suspense (kept
 * by the platform until an administrator decides) if it matches none. All consequences (webhook, notification,
 * reserve, open screens) are written in the same transaction. Idempotent by endToEndId.
 */
export async function settleReceived(
  tx: Tx,
  received: readonly BankReceivedPix[],
  ownPixKey: string,
): Promise<Settled> {
  const distinctPix = [...new Map(received.map((pix) => [pix.endToEndId, pix])).values()];
  if (distinctPix.length === 0) return { credited: 0, suspense: 0, known: 0 };

  const charges = await lockChargesByTxid(tx, distinctPix.flatMap(keyOfCharge));
  const counterCharges = await chargesByCounters(tx, distinctPix);
  const decisions = decideOutcomes(distinctPix, charges, counterCharges, ownPixKey);
  const newIds = await insertReceivedPix(tx, decisions);

  const chargeById = new Map(charges.map((charge) => [charge.id, charge]));
  const credits: Credit[] = [];
  const unmatched: NewReceivedPix[] = [];
  for (const pix of decisions) {
    if (!newIds.has(pix.endToEndId)) continue;
    const counterCharge = pix.chargeId === null ? undefined : counterCharges.get(pix.endToEndId);
    const charge =
      counterCharge?.charge ?? (pix.chargeId === null ? undefined : chargeById.get(pix.chargeId));
    if (charge !== undefined) credits.push({ charge, pix, counterCharge });
    else unmatched.push(pix);
  }
  await writeReservesAndEvents(tx, credits);
  await countOfferPayments(tx, credits);
  // These come last: they lock the merchants' balances and counters, for which other settlements and new charges wait.
  await post(tx, [...credits.flatMap(creditEntry), ...unmatched.flatMap(suspenseEntry)]);
  await storeCounterCharges(tx, credits);
  await markChargesPaid(
    tx,
    credits.map(({ charge, pix }) => ({ charge, endToEndId: pix.endToEndId, paidAt: pix.paidAt })),
  );
  return { credited: credits.length, suspense: unmatched.length, known: distinctPix.length - newIds.size };
}

/** The key of a Pix's charge; empty if its txid cannot be one of ours. */
function keyOfCharge({ txid }: BankReceivedPix): ChargeKeyOfTxid[] {
  const key = txid === undefined ? undefined : chargeKeyOf(txid);
  return key === undefined ? [] : [key];
}

/** Decides the outcome of each Pix, by the locked charges and the charges to be created for counter codes. */
function decideOutcomes(
  received: readonly BankReceivedPix[],
  charges: readonly LockedCharge[],
  counterCharges: ReadonlyMap<string, CounterCharge>,
  ownPixKey: string,
): NewReceivedPix[] {
  const chargeByTxid = new Map(charges.map((charge) => [charge.txid, charge]));
  /** The txids of charges paid by an earlier Pix of this batch. */
  const paidTxids = new Set<string>();
  return received.map((pix) => {
    const counterCharge = counterCharges.get(pix.endToEndId);
    if (counterCharge !== undefined) return decideCounterPix(pix, counterCharge, ownPixKey);
    const charge = pix.txid === undefined ? undefined : chargeByTxid.get(pix.txid);
    const reason = suspenseReason(pix, charge, ownPixKey, paidTxids);
    if (charge === undefined || reason !== undefined) return inSuspense(pix, reason ?? null);
    paidTxids.add(charge.txid);
    return creditedTo(charge, pix);
  });
}

/** A Pix paid with a counter code is credited to its own charge, whatever its amount, if that exceeds the fee. */
function decideCounterPix(
  pix: BankReceivedPix,
  { charge }: CounterCharge,
  ownPixKey: string,
): NewReceivedPix {
  if (pix.pixKey !== undefined && pix.pixKey !== ownPixKey) return inSuspense(pix, 'wrong-key');
  if (charge.feeCents >= charge.amountCents) return inSuspense(pix, 'below-fee');
  return creditedTo(charge, pix);
}

function inSuspense(pix: BankReceivedPix, reason: string | null): NewReceivedPix {
  return { ...pix, merchantId: PLATFORM, chargeId: null, outcome: 'suspense', reason };
}

function creditedTo({ merchantId, id }: PayableCharge, pix: BankReceivedPix): NewReceivedPix {
  return { ...pix, merchantId, chargeId: id, outcome: 'credited', reason: null };
}

/** Returns the reason why a Pix cannot be credited to its charge; undefined if it can. */
function suspenseReason(
  pix: BankReceivedPix,
  charge: PayableCharge | undefined,
  ownPixKey: string,
  paidTxids: ReadonlySet<string>,
): string | undefined {
  if (pix.txid === undefined) return 'no-txid';
  if (charge === undefined) return 'unknown-txid';
  if (pix.pixKey !== undefined && pix.pixKey !== ownPixKey) return 'wrong-key';
  if (pix.amountCents !== charge.amountCents) return 'wrong-amount';
  if (paidTxids.has(charge.txid) || !mayBecome(charge.status, 'paid')) return 'second-payment';
  return undefined;
}

function creditEntry({ charge, pix }: Credit) {
  return movements.paymentReceived({
    merchantId: charge.merchantId,
    reference: pix.endToEndId,
    amountCents: pix.amountCents,
    feeCents: charge.feeCents,
    reserveCents: charge.reserveCents,
  });
}

function suspenseEntry(pix: NewReceivedPix) {
  return movements.unmatchedReceived({ reference: pix.endToEndId, amountCents: pix.amountCents });
}

async function writeReservesAndEvents(tx: Tx, credits: readonly Credit[]): Promise<void> {
  if (credits.length === 0) return;
  // The reserve of a counter code's charge is written later, once that charge is stored.
  await writeReserves(
    tx,
    credits.filter(({ counterCharge }) => counterCharge === undefined),
  );
  await publishChargeEvents(
    tx,
    'paid',
    credits.map(({ charge, pix }) => ({ charge, paidAt: pix.paidAt })),
  );
}

/** Writes the reserves (withheld shares) of these payments, to be released after the charge's reserve days. */
async function writeReserves(tx: Tx, credits: readonly Credit[]): Promise<void> {
  await insertReserves(
    tx,
    credits.flatMap(({ charge }) =>
      charge.reserveCents === 0
        ? []
        : [
            {
              merchantId: charge.merchantId,
              chargeId: charge.id,
              amountCents: charge.reserveCents,
              dueAt: new Date(tx.now.getTime() + charge.reserveDays * dayMs),
            },
          ],
    ),
  );
}

/** Updates the payment counters of payment links and counter codes. */
async function countOfferPayments(tx: Tx, credits: readonly Credit[]): Promise<void> {
  const linkCredits = credits.filter(({ charge }) => charge.isFromLink === true);
  await countLinkPayments(
    tx,
    linkCredits.map(({ charge }) => charge),
  );
  await countCounterPayments(
    tx,
    credits.flatMap(({ charge, counterCharge }) =>
      counterCharge === undefined
        ? []
        : [{ merchantId: charge.merchantId, id: counterCharge.counterId, amountCents: charge.amountCents }],
    ),
  );
}

async function storeCounterCharges(tx: Tx, credits: readonly Credit[]): Promise<void> {
  const counterCredits = credits.filter(({ counterCharge }) => counterCharge !== undefined);
  if (counterCredits.length === 0) return;
  const merchantIds = credits.map(({ charge }) => charge.merchantId);
  await insertCounterCharges(
    tx,
    counterCredits.flatMap(({ counterCharge }) => counterCharge ?? []),
    merchantIds,
  );
  await writeReserves(tx, counterCredits);
}
