import { randomUUID } from 'node:crypto';
import pMap from 'p-map';
import { openItem } from '../bank-watch/index.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import { allocateBankReturn } from '../disputes/index.ts';
import { invariant } from '../invariant.ts';
import { movements, PLATFORM, post } from '../ledger/index.ts';
import {
  adjustRefundTotals,
  lockReceivedPix,
  lockRefundableCharge,
  type ReceivedPix,
  type RefundableCharge,
  setPixOutcome,
} from '../payments/index.ts';
import {
  type AtBank,
  type BankReceivedPix,
  type BankReturn,
  deferHints,
  finishHints,
  HOUSE_CONNECTION,
  leaseHints,
} from '../psp/index.ts';
import { publishRefundCompleted } from './publish-refund-event.ts';
import { refundableCents, type StoredRefund, unsentOrderFields } from './refund.ts';
import { endImpossibleRefund, refundKind, settleRefund, settleSuspenseOutcome } from './settle-refund.ts';
import { insertRefund, readRefundsOfPix, sumReturnsOfUnmatchedPix } from './store.ts';

const maxHintsPerRun = 50;
const maxConcurrentLookUps = 4;

/**
 * Processes the bank's hints about returns (callbacks that a return of a received Pix changed). If not all returns of a
 * Pix could be booked, the hint is deferred and processed again later. Returns the number of hints.
 */
export async function processReturnHints(deps: AtBank): Promise<number> {
  const hints = await inTransaction(deps, (tx) =>
    leaseHints(tx, deps.connection.id, 'return', maxHintsPerRun),
  );
  if (hints.length === 0) return 0;
  const areBooked = await pMap(hints, ({ reference }) => tryToBook(deps, reference), {
    concurrency: maxConcurrentLookUps,
  });
  const finished = hints.filter((_, index) => areBooked[index] === true);
  const unfinished = hints.filter((_, index) => areBooked[index] === false);
  await inTransaction(deps, (tx) => finishHints(tx, finished));
  await inTransaction(deps, (tx) => deferHints(tx, unfinished));
  return hints.length;
}

async function tryToBook(deps: AtBank, endToEndId: string): Promise<boolean> {
  try {
    return await bookReturnsOfPix(deps, endToEndId);
  } catch (err) {
    deps.log.warn({ err, endToEndId }, 'the returns of a Pix could not be booked');
    return false;
  }
}

/**
 * The outcome of booking one return. `pending`: the bank has not completed the return. `unknown Pix`: the returned Pix
 * is not booked at this account, or not yet. `exceeds payment`: the return and our pending refunds together exceed the
 * payment, so one of these refunds is impossible.
 */
type Outcome = 'settled' | 'pending' | 'unknown Pix' | 'exceeds payment';
/** `alarm`: a message to log as an error. */
type ReturnBooking = { readonly outcome: Outcome; readonly alarm?: string | undefined };

/**
 * Reads from the bank the returns of a received Pix (money that goes back to the payer), and books each once: the
 * outcomes of our refunds, and returns that the bank made on its own. `endToEndId`: the nationwide id of the Pix. If a
 * return and our pending refunds together exceed the payment, impossible refunds are ended until the return fits.
 * Returns whether all returns are booked.
 */
export async function bookReturnsOfPix(deps: AtBank, endToEndId: string): Promise<boolean> {
  const pix = await deps.psp.findReceivedPix(endToEndId);
  if (pix?.endToEndId !== endToEndId) return false;
  let outcomes: Outcome[];
  do outcomes = await bookReturns(deps, pix);
  while (outcomes.includes('exceeds payment') && (await endOneImpossibleRefund(deps, pix)));
  if (outcomes.includes('exceeds payment'))
    deps.log.error({ endToEndId }, 'the bank lists more returns of a Pix than were paid with it');
  // At an account of a merchant's own, a Pix that is not booked paid no charge: its returns are the merchant's business.
  const isForeignIgnored = deps.connection.id !== HOUSE_CONNECTION;
  return outcomes.every(
    (outcome) => outcome === 'settled' || (isForeignIgnored && outcome === 'unknown Pix'),
  );
}

/** Books the returns oldest first, each in its own transaction, because a transaction may post only once. */
async function bookReturns(deps: AtBank, { endToEndId, returns }: BankReceivedPix): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const bankReturn of returns.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    const { outcome, alarm } = await inTransaction(deps, (tx) =>
      bookReturn(tx, { endToEndId, connectionId: deps.connection.id }, bankReturn),
    );
    if (alarm !== undefined) deps.log.error({ endToEndId, atBank: bankReturn }, alarm);
    outcomes.push(outcome);
  }
  return outcomes;
}

async function bookReturn(
  tx: Tx,
  { endToEndId, connectionId }: Pick<StoredRefund, 'endToEndId' | 'connectionId'>,
  bankReturn: BankReturn,
): Promise<ReturnBooking> {
  const pix = await lockReceivedPix(tx, endToEndId, connectionId);
  if (pix === undefined) return { outcome: 'unknown Pix' };
  if (pix.chargeId === null && connectionId !== HOUSE_CONNECTION)
    return noteReturnOfHeldPix(tx, pix, connectionId, bankReturn);
  const key = { merchantId: pix.merchantId, endToEndId, connectionId };
  const storedRefunds = await readRefundsOfPix(tx.db, key);
  const refundsOfReturn = storedRefunds.filter((refund) => isRefundOf(refund, bankReturn));
  const refund = refundsOfReturn.find(({ status }) => status !== 'failed');
  const isRefusedByBank = bankReturn.status === 'refused';
  if (refund?.status === 'processing') {
    const { alarm } = await settleRefund(tx, refund, { is: 'answered', answer: bankReturn });
    // Counts as settled even if the bank is still processing the refund, so that the hint is finished: `sendRefunds`
    // looks up a pending refund again.
    return { outcome: 'settled', alarm };
  }
  if (refund !== undefined && isRefusedByBank) return reportNotReturned(tx, refund, bankReturn);
  if (refund !== undefined || isRefusedByBank) return { outcome: 'settled' };
  if (pix.outcome === 'fees' && bankReturn.status === 'completed')
    return reportReturnOfFees(tx, pix, connectionId, bankReturn);
  const outcome = await bookUnrequested(tx, pix, bankReturn);
  // No refund of this return is pending or completed, so any that exists has failed.
  const [failedRefund] = refundsOfReturn;
  if (failedRefund === undefined || outcome !== 'settled') return { outcome };
  await reportReturnedAfterFailure(tx, failedRefund, bankReturn);
  return { outcome, alarm: 'the bank returned a refund that it had refused' };
}

/**
 * A Pix that an account of a merchant's own holds is not in the books. If the merchant gave any of it back at the bank,
 * nothing is left to decide.
 */
async function noteReturnOfHeldPix(
  tx: Tx,
  { endToEndId, outcome }: ReceivedPix,
  connectionId: number,
  { status }: BankReturn,
): Promise<ReturnBooking> {
  if (status === 'completed' && outcome === 'held')
    await setPixOutcome(tx, endToEndId, 'returned', connectionId);
  return { outcome: 'unknown Pix' };
}

/**
 * Opens an item for the operator about a Pix that paid a merchant's fees, and that the bank gave back. It is not booked:
 * the operator records it as fees taken out, and settles with the merchant.
 */
async function reportReturnOfFees(
  tx: Tx,
  { endToEndId, merchantId }: ReceivedPix,
  connectionId: number,
  { rtrId, refundId, amountCents, status }: BankReturn,
): Promise<ReturnBooking> {
  const isNewItem = await openItem(tx, {
    kind: 'returned-differs',
    connectionId,
    reference: rtrId ?? refundId,
    merchantId,
    detail: {
      differs: 'unbooked',
      end_to_end_id: endToEndId,
      paid: 'fees',
      at_bank: { amount_cents: amountCents, status },
      booked: null,
    },
  });
  return {
    outcome: 'settled',
    alarm: isNewItem ? 'the bank gave back a Pix that paid the fees of a merchant' : undefined,
  };
}

/** Books a return for which there is no order, once the bank has completed it. */
async function bookUnrequested(tx: Tx, pix: ReceivedPix, bankReturn: BankReturn): Promise<Outcome> {
  if (bankReturn.status === 'processing') return 'pending';
  if (pix.chargeId === null) return bookReturnOfUnmatchedPix(tx, pix, bankReturn);
  const charge = await lockRefundableCharge(tx, pix.merchantId, pix.chargeId);
  invariant(charge !== undefined, 'a booked Pix has its charge');
  return bookReturnOfPayment(tx, pix, charge, bankReturn);
}

/**
 * Opens an item for the operator about a refund that the ledger completed, on the bank's reply or an administrator's
 * evidence, although the money did not leave.
 */
async function reportNotReturned(
  tx: Tx,
  completedRefund: StoredRefund,
  { rtrId, amountCents }: BankReturn,
): Promise<ReturnBooking> {
  const isNewItem = await openItem(tx, {
    kind: 'refund-differs',
    connectionId: completedRefund.connectionId,
    reference: completedRefund.id,
    merchantId: completedRefund.merchantId,
    detail: {
      ...refundKind.details(completedRefund),
      completed: completedRefund.completedAt?.toISOString() ?? null,
      at_bank: { rtr_id: rtrId ?? null, amount_cents: amountCents, status: 'refused' },
    },
  });
  return {
    outcome: 'settled',
    alarm: isNewItem ? 'the bank refused a refund that the ledger completed' : undefined,
  };
}

/** Opens an item for the operator about a refund that failed in our books, although the bank returned the money. */
async function reportReturnedAfterFailure(
  tx: Tx,
  failedRefund: StoredRefund,
  { rtrId, amountCents }: BankReturn,
): Promise<void> {
  await openItem(tx, {
    kind: 'refund-differs',
    connectionId: failedRefund.connectionId,
    reference: failedRefund.id,
    merchantId: failedRefund.merchantId,
    detail: {
      ...refundKind.details(failedRefund),
      failed: failedRefund.error,
      at_bank: { rtr_id: rtrId ?? null, amount_cents: amountCents },
    },
  });
}

function isRefundOf({ bankRefundId, rtrId }: StoredRefund, bankReturn: BankReturn): boolean {
  return bankRefundId === bankReturn.refundId || (rtrId !== null && rtrId === bankReturn.rtrId);
}

/**
 * Books a return that the bank made on its own as a refund of the payment. The money comes from what disputes blocked
 * for the return; any amount beyond that becomes the merchant's debt.
 */
async function bookReturnOfPayment(
  tx: Tx,
  { merchantId, endToEndId }: ReceivedPix,
  charge: RefundableCharge,
  bankReturn: BankReturn,
): Promise<Outcome> {
  const { amountCents } = bankReturn;
  if (amountCents > refundableCents(charge)) return 'exceeds payment';
  const { id: chargeId, connectionId } = charge;
  const refund = refundFromReturn({ merchantId, chargeId, connectionId, endToEndId }, bankReturn, tx.now);
  await insertRefund(tx, refund, { dueAt: null, returnedAt: bankReturn.at });
  const { disputeId, blockedCents } = await allocateBankReturn(tx, {
    merchantId,
    connectionId,
    endToEndId,
    amountCents,
  });
  await publishRefundCompleted(tx, charge, refund, { skipsNotification: disputeId !== undefined });
  await post(
    tx,
    movements.disputeLost({
      merchantId,
      connectionId,
      reference: referenceOf(refund),
      blockedCents,
      uncoveredCents: amountCents - blockedCents,
    }),
  );
  await adjustRefundTotals(tx, charge, { refundingCents: 0, refundedCents: amountCents });
  return 'settled';
}

/**
 * Books a return that the bank made on its own, of a Pix that belongs to no merchant. The request and the return are
 * booked in one step.
 */
async function bookReturnOfUnmatchedPix(tx: Tx, pix: ReceivedPix, bankReturn: BankReturn): Promise<Outcome> {
  const { endToEndId } = pix;
  const { refundedCents, refundingCents } = await sumReturnsOfUnmatchedPix(tx, endToEndId);
  if (bankReturn.amountCents > pix.amountCents - refundedCents - refundingCents) return 'exceeds payment';
  const source = { merchantId: PLATFORM, chargeId: null, connectionId: HOUSE_CONNECTION, endToEndId };
  const refund = refundFromReturn(source, bankReturn, tx.now);
  await insertRefund(tx, refund, { dueAt: null, returnedAt: bankReturn.at });
  await settleSuspenseOutcome(tx, endToEndId);
  const movement = { reference: referenceOf(refund), amountCents: bankReturn.amountCents };
  await post(tx, [...movements.unmatchedReturnRequested(movement), ...movements.unmatchedReturned(movement)]);
  return 'settled';
}

/**
 * Returns the reference of the ledger entries: the bank's own id of the return, so that another refund row for the same
 * return cannot move the money again.
 */
function referenceOf({ rtrId, endToEndId, bankRefundId }: StoredRefund): string {
  return rtrId ?? `${endToEndId} ${bankRefundId}`;
}

function refundFromReturn(
  source: Pick<StoredRefund, 'merchantId' | 'chargeId' | 'connectionId' | 'endToEndId'>,
  { refundId, rtrId, amountCents, reason }: BankReturn,
  now: Date,
): StoredRefund {
  return {
    ...source,
    id: randomUUID(),
    externalId: null,
    requestedCents: null,
    bankRefundId: refundId,
    rtrId: rtrId ?? null,
    origin: 'bank',
    madeBy: null,
    status: 'completed',
    amountCents,
    reason: reason ?? '',
    errorCode: null,
    error: null,
    ...unsentOrderFields,
    createdAt: now,
    completedAt: now,
  };
}

/**
 * Fails one pending refund of this account that cannot happen any more: the bank does not list it, and it exceeds what
 * the bank has not yet returned of the Pix. Returns whether there was such a refund.
 */
async function endOneImpossibleRefund(
  deps: AtBank,
  { endToEndId, amountCents, returns }: BankReceivedPix,
): Promise<boolean> {
  const completed = returns.filter(({ status }) => status === 'completed');
  const returnedCents = completed.reduce((sum, bankReturn) => sum + bankReturn.amountCents, 0);
  const listedIds = new Set(
    returns.filter(({ status }) => status !== 'refused').map(({ refundId }) => refundId),
  );
  return inTransaction(deps, async (tx) => {
    const pix = await lockReceivedPix(tx, endToEndId, deps.connection.id);
    const refunds =
      pix === undefined
        ? []
        : await readRefundsOfPix(tx.db, {
            merchantId: pix.merchantId,
            endToEndId,
            connectionId: deps.connection.id,
          });
    const impossibleRefund = refunds.find(
      (refund) =>
        refund.status === 'processing' &&
        !listedIds.has(refund.bankRefundId) &&
        returnedCents + refund.amountCents > amountCents,
    );
    if (impossibleRefund !== undefined) await endImpossibleRefund(tx, impossibleRefund);
    return impossibleRefund !== undefined;
  });
}
