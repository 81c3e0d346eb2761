import { TransactionConflict, type Tx } from '../db/transaction.ts';
import { lockStatementsOfPix, markStatementsPaid } from '../fee-statements/index.ts';
import { movements, postThrough } from '../ledger/index.ts';
import type { BankReceivedPix, Connection } from '../psp/index.ts';
import { insertReserves, type Reserve } from '../reserves/index.ts';
import { chargeKeyOf } from './bank-ids.ts';
import { buildAbandonedCharges } from './build-abandoned-charges.ts';
import { buildSecondCharges } from './build-second-charges.ts';
import { addPaymentsToCounterCodes, addPaymentsToLinks } from './count-payments.ts';
import { buildCounterCodeCharges, insertChargesForPix } from './credit-counters.ts';
import { type Credit, type Decision, decideOutcomes, isAtHouse } from './decide-outcomes.ts';
import { readDueFacts, storeDueAmounts } from './due-terms-store.ts';
import { holdOwnPix, publishHeldPix } from './hold-pix.ts';
import { readRuleFacts } from './payer-rules-store.ts';
import { type PixFacts, readPixFacts } from './pix-facts.ts';
import { chargeEventCalls } from './publish-charge-events.ts';
import { callSettle, type PixAtAccount } from './received-store.ts';
import { markChargesPaid } from './store.ts';

const dayMs = 86_400_000;

/**
 * How many Pix were credited to charges or paid fee statements, how many were put in suspense, and how many were
 * already booked. Those that paid no charge and arrived at an account of a merchant's own are none of these.
 */
export type SettlementCounts = {
  readonly credited: number;
  readonly suspense: number;
  readonly alreadyBooked: number;
};

/** Books one or many Pix that the bank of one connection confirmed, as `settleAtAccounts` does. */
export async function settleReceived(
  tx: Tx,
  received: readonly BankReceivedPix[],
  connection: Connection,
): Promise<SettlementCounts> {
  return settleAtAccounts(
    tx,
    received.map((pix) => ({ ...pix, account: connection })),
  );
}

/**
 * Books one or many Pix, each confirmed by the bank of its account: each new one is credited to its charge, pays its fee
 * statement, or is put in suspense (kept by the platform until an administrator decides) if it matches none. At an
 * account of a merchant's own, a Pix that names no charge is the merchant's own business, and is not booked. The merchant's
 * rules may let a Pix wait for the merchant's decision instead, or give it back.
 * Idempotent by connection and endToEndId, the nationwide id of a Pix.
 */
export async function settleAtAccounts(tx: Tx, received: readonly PixAtAccount[]): Promise<SettlementCounts> {
  const counts = { credited: 0, suspense: 0, alreadyBooked: 0 };
  for (const withDistinctIds of splitByRepeatedId(received)) {
    const { credited, suspense, alreadyBooked } = await settleDistinct(tx, withDistinctIds);
    counts.credited += credited;
    counts.suspense += suspense;
    counts.alreadyBooked += alreadyBooked;
  }
  return counts;
}

/**
 * Leaves out what one account reports twice. Where several accounts report the same endToEndId, each goes into a part of
 * its own, because the id identifies a Pix within a part.
 */
function splitByRepeatedId(received: readonly PixAtAccount[]): PixAtAccount[][] {
  const parts: Map<string, PixAtAccount>[] = [];
  for (const ofAccount of Map.groupBy(received, ({ account }) => account.id).values())
    for (const [id, pix] of new Map(ofAccount.map((pix) => [pix.endToEndId, pix]))) {
      const part = parts.find((part) => !part.has(id)) ?? new Map<string, PixAtAccount>();
      if (part.size === 0) parts.push(part);
      part.set(id, pix);
    }
  return parts.map((part) => [...part.values()]);
}

/**
 * Books Pix of distinct endToEndIds. One statement reads the facts, and after the decisions a second one writes all
 * their consequences (books, charge, reserve, webhook, notification, open screens); only payment links, counter codes
 * and due dates take further statements.
 */
async function settleDistinct(tx: Tx, received: readonly PixAtAccount[]): Promise<SettlementCounts> {
  const facts = await readPixFacts(tx, received.map(factsKey));
  const bookedIds = new Set(facts.flatMap(({ endToEndId, isBooked }) => (isBooked ? [endToEndId] : [])));
  const newPix = received.filter(({ endToEndId }) => !bookedIds.has(endToEndId));
  const atHouse = newPix.filter(isAtHouse);
  const withoutCharge = pixWithoutCharge(newPix, facts).filter((pix) => !isAtHouse(pix));
  const chargesForPix = new Map([
    // The printed codes carry the key of the operator's own account.
    ...(await buildCounterCodeCharges(tx, atHouse)),
    ...(await buildAbandonedCharges(tx, withoutCharge)),
  ]);
  // Fees are paid into the operator's own account.
  const feeStatements = await lockStatementsOfPix(tx, atHouse);
  const dueFacts = await readDueFacts(
    tx,
    facts.flatMap(({ charge, isBooked }) => (charge === undefined || isBooked ? [] : [charge])),
  );
  const ruleFacts = await readRuleFacts(
    tx,
    facts.flatMap(({ charge, isBooked }) => (charge?.isRuled === true && !isBooked ? [charge] : [])),
  );
  const secondCharges = await buildSecondCharges(tx, newPix, facts, ruleFacts);
  const all = { facts, chargesForPix, feeStatements, dueFacts, ruleFacts, secondCharges };
  const decided = decideOutcomes(newPix, all);
  // What an account of a merchant's own holds is not in the books.
  const decisions = decided.filter(({ pix }) => pix.outcome !== 'held');
  const heldAtOwn = decided.filter(({ pix }) => pix.outcome === 'held');
  // Links are locked before anything else, as they are when a link creates a charge: the opposite order could deadlock.
  const hasLinkOrCounterCodePayments = await addPaymentsToLinksAndCounterCodes(
    tx,
    decisions.flatMap(({ credit }) => credit ?? []),
  );
  const duePayments = decisions.flatMap(({ credit }) =>
    credit?.dueAmount === undefined ? [] : [{ charge: credit.charge, dueAmount: credit.dueAmount }],
  );
  await storeDueAmounts(tx, duePayments);
  const settled = await writeDecisions(tx, decisions, { arePixInserted: false });
  const newlyHeld = await holdOwnPix(tx, heldAtOwn);
  if ((hasLinkOrCounterCodePayments || duePayments.length > 0) && settled.length < decisions.length)
    throw new TransactionConflict('a Pix was booked meanwhile, and is counted already');

  const credits = settled.flatMap(({ credit }) => credit ?? []);
  await storeChargesForPix(tx, credits);
  const feePayments = settled.flatMap(({ feePayment }) => feePayment ?? []);
  await markStatementsPaid(tx, feePayments);
  await publishHeldPix(tx, [...settled, ...newlyHeld]);
  const credited = credits.length + feePayments.length;
  return {
    credited,
    suspense: settled.length - credited,
    alreadyBooked: bookedIds.size + decided.length - settled.length - newlyHeld.length,
  };
}

/**
 * Writes the decisions and returns those that it wrote. A Pix that another transaction booked since the facts were read
 * is left out. `arePixInserted`: an earlier call in this transaction inserted the received Pix, but posted nothing.
 */
async function writeDecisions(
  tx: Tx,
  decisions: readonly Decision[],
  { arePixInserted }: { readonly arePixInserted: boolean },
): Promise<readonly Decision[]> {
  if (decisions.length === 0) return [];
  const credits = decisions.flatMap(({ credit }) => credit ?? []);
  const areChargesStoredLater = credits.some(({ chargeForPix }) => chargeForPix !== undefined);
  const settleArguments = {
    received: decisions.map(({ pix }) => pix),
    areChargesStoredLater,
    reserves: areChargesStoredLater ? [] : reservesOf(tx, credits),
    publishCalls: chargeEventCalls(
      tx,
      'paid',
      credits.map(({ charge, pix }) => ({ charge, paidAt: pix.paidAt })),
    ),
  };
  let isWritten = arePixInserted;
  let alreadyBooked: ReadonlySet<string> = new Set();
  const entries = [...decisions.flatMap(entryOf), ...accruedFees(credits)];
  await postThrough(tx, entries, async (posting) => {
    const result = await callSettle(tx, { ...settleArguments, posting, arePixInserted: isWritten });
    isWritten = true;
    alreadyBooked = new Set(result.alreadyBooked);
    // If some Pix are booked already, nothing is posted yet. `true` stops `postThrough`; the call below then posts the
    // others.
    return result.isSettled || alreadyBooked.size > 0;
  });
  if (alreadyBooked.size === 0) return decisions;
  return writeDecisions(
    tx,
    decisions.filter(({ pix }) => !alreadyBooked.has(pix.endToEndId)),
    { arePixInserted: true },
  );
}

/** The keys by which the facts about a Pix are read; the charge's key is missing if the txid cannot be one of ours. */
function factsKey({ endToEndId, txid, account }: PixAtAccount) {
  return { endToEndId, connectionId: account.id, charge: txid === undefined ? undefined : chargeKeyOf(txid) };
}

function pixWithoutCharge(received: readonly PixAtAccount[], facts: readonly PixFacts[]) {
  const withCharge = new Set(facts.flatMap(({ endToEndId, charge }) => (charge ? [endToEndId] : [])));
  return received.filter(({ endToEndId }) => !withCharge.has(endToEndId));
}

/** The ledger entry of a received Pix. It must be exactly one, because `settle` matches entries and Pix by position. */
function entryOf({ pix, credit, feePayment }: Decision) {
  const reference = pix.endToEndId;
  if (feePayment !== undefined)
    return movements.feesPaid({ merchantId: pix.merchantId, reference, amountCents: pix.amountCents });
  if (credit === undefined) return movements.unmatchedReceived({ reference, amountCents: pix.amountCents });
  const { merchantId, feeCents, reserveCents } = credit.charge;
  if (!isAtHouse(pix))
    return movements.ownPaymentReceived({
      merchantId,
      connectionId: pix.account.id,
      reference,
      amountCents: pix.amountCents,
    });
  return movements.paymentReceived({
    merchantId,
    reference,
    amountCents: pix.amountCents,
    feeCents,
    reserveCents,
  });
}

/** The fees that payments at an account of the merchant's own make due. At the operator's own, they are kept back. */
function accruedFees(credits: readonly Credit[]) {
  return credits
    .filter(({ pix }) => !isAtHouse(pix))
    .flatMap(({ charge: { merchantId, id, feeCents } }) =>
      movements.feeAccrued({ merchantId, reference: id, feeCents }),
    );
}

/** The reserves (withheld shares) of these payments, to be released after the charge's reserve days. */
function reservesOf(tx: Tx, credits: readonly Credit[]): Reserve[] {
  return credits.flatMap(({ charge }) =>
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
  );
}

/** Updates the payment counters of payment links and counter codes. Returns whether any link or code was paid. */
async function addPaymentsToLinksAndCounterCodes(tx: Tx, credits: readonly Credit[]): Promise<boolean> {
  const linkCharges = credits.flatMap(({ charge }) => (charge.isFromLink === true ? [charge] : []));
  const counterPayments = credits.flatMap(({ charge, chargeForPix }) =>
    chargeForPix?.counterCodeId == null
      ? []
      : [
          {
            merchantId: charge.merchantId,
            counterCodeId: chargeForPix.counterCodeId,
            amountCents: charge.amountCents,
          },
        ],
  );
  await addPaymentsToLinks(tx, linkCharges);
  await addPaymentsToCounterCodes(tx, counterPayments);
  return linkCharges.length + counterPayments.length > 0;
}

/**
 * Stores the charges that were made for Pix. If there are any, `settle` has left all charges of the call unpaid and without
 * reserves, because it cannot mark a charge that is not stored yet; so this marks all of them and stores their
 * reserves.
 */
async function storeChargesForPix(tx: Tx, credits: readonly Credit[]): Promise<void> {
  const chargesForPix = credits.flatMap(({ chargeForPix }) => chargeForPix ?? []);
  if (chargesForPix.length === 0) return;
  const merchantIds = credits.map(({ charge }) => charge.merchantId);
  await insertChargesForPix(tx, chargesForPix, merchantIds);
  await markChargesPaid(
    tx,
    credits.map(({ charge, pix }) => ({ charge, endToEndId: pix.endToEndId, paidAt: pix.paidAt })),
  );
  await insertReserves(tx, reservesOf(tx, credits));
}
