import { TransactionConflict, type Tx } from '../db/transaction.ts';
import { readMerchant } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import { type LedgerEntry, lockBalances, movements, post } from '../ledger/index.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import { insertReserves } from '../reserves/index.ts';
import { readChargeOptions } from './charge-options.ts';
import { addPaymentsToLinks } from './count-payments.ts';
import { type ChargeForPix, insertChargesForPix, likeCharge } from './credit-counters.ts';
import { readDueFacts, storeDueAmounts } from './due-terms-store.ts';
import type { HeldPixRecord } from './held-store.ts';
import {
  computeFeeAndReserve,
  isStatusChangeAllowed,
  type MerchantTerms,
  type PayableCharge,
  termsAt,
} from './payment.ts';
import { publishChargeEvents } from './publish-charge-events.ts';
import { markPixAssigned } from './received-store.ts';
import { findCharge, markChargesPaid } from './store.ts';

const dayMs = 86_400_000;

/** The charge that a held Pix pays, and whether it is made for the Pix. */
type Crediting = { readonly charge: PayableCharge; readonly chargeForPix: ChargeForPix | undefined };

/**
 * Credits a held Pix that the merchant accepts: to the charge that it names if that can still be paid with it, and else to
 * a charge of its own with the same references. Returns the charge's id. Refuses with AMOUNT_BELOW_FEE if the fee would
 * take all of it. The caller has locked the Pix, and posts nothing else in this transaction.
 */
export async function creditHeldPix(tx: Tx, held: HeldPixRecord): Promise<string> {
  const { merchantId, connectionId } = held;
  const expected = await findCrediting(tx, held);
  // A link counts what is paid through it, and is locked before the balances, as where its charge is paid at once.
  if (expected.chargeForPix === undefined && (await isOfLink(tx, held)))
    await addPaymentsToLinks(tx, [expected.charge]);
  // Whoever pays a charge locks these balances first, so from here on nobody else pays the one that is named. Their order
  // is that in which they are posted.
  await lockBalances(tx, [merchantId], HOUSE_CONNECTION);
  if (connectionId !== HOUSE_CONNECTION) await lockBalances(tx, [merchantId], connectionId);
  const { charge, chargeForPix } = await findCrediting(tx, held);
  if ((chargeForPix === undefined) !== (expected.chargeForPix === undefined))
    throw new TransactionConflict('the charge was paid meanwhile');
  if (charge.feeCents >= charge.amountCents) throw new Refusal('AMOUNT_BELOW_FEE');
  if (held.dueAmount !== null && chargeForPix === undefined)
    await storeDueAmounts(tx, [{ charge, dueAmount: held.dueAmount }]);
  await publishChargeEvents(tx, 'paid', [{ charge, paidAt: held.paidAt }]);
  await post(tx, entriesOf(held, charge));
  await storeCredited(tx, held, { charge, chargeForPix });
  return charge.id;
}

/**
 * Books a held Pix at an account of the merchant's own under a charge without a fee, so that it can be given back like a
 * payment. Returns the charge, and the entries that the caller posts together with those of the refund, before it calls
 * `store`.
 */
export async function prepareToGiveBack(
  tx: Tx,
  held: HeldPixRecord,
): Promise<{ charge: PayableCharge; entries: LedgerEntry[]; store: () => Promise<void> }> {
  const { charge, chargeForPix } = await ownCharge(tx, held, (terms) => ({
    ...terms,
    inRate: 0,
    fixInCents: 0,
  }));
  return {
    charge,
    entries: entriesOf(held, charge),
    store: () => storeCredited(tx, held, { charge, chargeForPix }),
  };
}

async function isOfLink(tx: Tx, { merchantId, chargeId }: HeldPixRecord): Promise<boolean> {
  const options = await readChargeOptions(tx.db, merchantId, [chargeId]);
  return options.get(chargeId)?.paymentLinkId != null;
}

async function findCrediting(tx: Tx, held: HeldPixRecord): Promise<Crediting> {
  const named = await findCharge(tx.db, held.merchantId, held.chargeId);
  invariant(named !== undefined, 'a Pix is held for a charge that is stored');
  const isAsNamed = held.why === 'other-payer' || held.why === 'late';
  const canPay = isAsNamed && named.endToEndId === null && isStatusChangeAllowed(named.status, 'paid');
  if (!canPay || named.connectionId !== held.connectionId) return ownCharge(tx, held);
  const due = (await readDueFacts(tx, [named])).get(named.id);
  if (due === undefined) return { charge: named, chargeForPix: undefined };
  const amounts = { amountCents: held.amountCents, ...computeFeeAndReserve(held.amountCents, due.terms) };
  return { charge: { ...named, ...amounts }, chargeForPix: undefined };
}

async function ownCharge(
  tx: Tx,
  { merchantId, chargeId, connectionId, amountCents }: HeldPixRecord,
  changeTerms: (terms: MerchantTerms) => MerchantTerms = (terms) => terms,
): Promise<Crediting & { readonly chargeForPix: ChargeForPix }> {
  const [named, merchant] = await Promise.all([
    findCharge(tx.db, merchantId, chargeId),
    readMerchant(tx.db, merchantId),
  ]);
  invariant(named !== undefined && merchant !== undefined, 'a held Pix has its charge and its merchant');
  const terms = changeTerms(termsAt(connectionId, merchant));
  const charge = likeCharge(named, amountCents, { terms, connectionId, now: tx.now });
  return { charge, chargeForPix: { charge, terms, counterCodeId: null } };
}

function entriesOf(
  { endToEndId: reference, connectionId }: HeldPixRecord,
  charge: PayableCharge,
): LedgerEntry[] {
  const { merchantId, id, amountCents, feeCents, reserveCents } = charge;
  if (connectionId === HOUSE_CONNECTION)
    return movements.unmatchedAssigned({ merchantId, reference, amountCents, feeCents, reserveCents });
  return [
    ...movements.ownPaymentReceived({ merchantId, connectionId, reference, amountCents }),
    ...movements.feeAccrued({ merchantId, reference: id, feeCents }),
  ];
}

async function storeCredited(
  tx: Tx,
  held: HeldPixRecord,
  { charge, chargeForPix }: Crediting,
): Promise<void> {
  const { merchantId, endToEndId, connectionId, paidAt } = held;
  if (chargeForPix !== undefined) await insertChargesForPix(tx, [chargeForPix], [merchantId]);
  await markChargesPaid(tx, [{ charge, endToEndId, paidAt }]);
  const { id: chargeId, reserveCents, reserveDays } = charge;
  await markPixAssigned(tx, endToEndId, { merchantId, chargeId }, connectionId);
  if (reserveCents === 0) return;
  const dueAt = new Date(tx.now.getTime() + reserveDays * dayMs);
  await insertReserves(tx, [{ merchantId, chargeId, amountCents: reserveCents, dueAt }]);
}
