import { randomUUID } from 'node:crypto';
import pMap from 'p-map';
import { openItem } from '../bank-watch/index.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { allocateBankReturn } from '../disputes/index.ts';
import { movements, PLATFORM, post } from '../ledger/index.ts';
import { changeRefunds, lockReceivedPix, lockRefundableCharge, type ReceivedPix } from '../payments/index.ts';
import { type BankReceivedPix, type BankReturn, deferHints, finishHints, takeHints } from '../psp/index.ts';
import { publishRefundCompleted } from './publish-refund-event.ts';
import { neverSent, refundableCents, type StoredRefund } from './refund.ts';
import { endImpossibleRefund, refundKind, settleRefund, settleSuspenseOutcome } from './settle-refund.ts';
import { insertRefund, refundsOfPix, sumReturns } from './store.ts';

const takenTogether = 50;
const questionsAtOnce = 4;

/**
 * Processes the bank's hints about returns. A return that the bank does not report yet is retried. Returns how many
 * hints were taken.
 */
export async function processReturnHints(deps: Deps): Promise<number> {
  const hints = await inTransaction(deps, (tx) => takeHints(tx, 'return', takenTogether));
  if (hints.length === 0) return 0;
  const booked = await pMap(hints, ({ reference }) => isBooked(deps, reference), {
    concurrency: questionsAtOnce,
  });
  const [done, open] = [true, false].map((wanted) => hints.filter((_, at) => booked[at] === wanted));
  await inTransaction(deps, (tx) => finishHints(tx, done ?? []));
  await inTransaction(deps, (tx) => deferHints(tx, open ?? []));
  return hints.length;
}

async function isBooked(deps: Deps, endToEndId: string): Promise<boolean> {
  try {
    return await bookReturnsOfPix(deps, endToEndId);
  } catch (err) {
    deps.log.warn({ err, endToEndId }, 'the returns of a Pix could not be booked');
    return false;
  }
}

/**
 * The outcome of one return in the bank's list. `no room`: together with pending refunds it would exceed the payment,
 * so one of the pending refunds is impossible.
 */
type Fate = 'settled' | 'under way' | 'unknown Pix' | 'no room';
type Booked = { readonly fate: Fate; readonly alarm?: string | undefined };

/**
 * Asks the bank for the returns of a received Pix and books them: the outcomes of our refunds, and returns made by
 * the bank itself, each once. Returns whether all of them are booked.
 */
export async function bookReturnsOfPix(deps: Deps, endToEndId: string): Promise<boolean> {
  const pix = await deps.psp.findReceivedPix(endToEndId);
  if (pix?.endToEndId !== endToEndId) return false;
  let fates: Fate[];
  do fates = await bookListed(deps, pix);
  while (fates.includes('no room') && (await endImpossible(deps, pix)));
  if (fates.includes('no room'))
    deps.log.error({ endToEndId }, 'the bank lists more returns of a Pix than were paid with it');
  return fates.every((fate) => fate === 'settled');
}

/** Oldest first, each in its own transaction. */
async function bookListed(deps: Deps, { endToEndId, returns }: BankReceivedPix): Promise<Fate[]> {
  const fates: Fate[] = [];
  for (const atBank of returns.toSorted((one, other) => one.at.getTime() - other.at.getTime())) {
    const { fate, alarm } = await inTransaction(deps, (tx) => bookReturn(tx, endToEndId, atBank));
    if (alarm !== undefined) deps.log.error({ endToEndId, atBank }, alarm);
    fates.push(fate);
  }
  return fates;
}

async function bookReturn(tx: Tx, endToEndId: string, atBank: BankReturn): Promise<Booked> {
  const pix = await lockReceivedPix(tx, endToEndId);
  if (pix === undefined) return { fate: 'unknown Pix' };
  const same = (await refundsOfPix(tx.db, pix.merchantId, endToEndId)).filter((one) => isSame(one, atBank));
  const known = same.find(({ status }) => status !== 'failed');
  if (known?.status === 'processing') {
    const { alarm } = await settleRefund(tx, known, { is: 'answered', answer: atBank });
    // Pending refunds are looked up again by `sendRefunds`.
    return { fate: 'settled', alarm };
  }
  if (known !== undefined && atBank.status === 'refused') return tellItDidNotLeave(tx, known, atBank);
  if (known !== undefined || atBank.status === 'refused') return { fate: 'settled' };
  if (atBank.status === 'processing') return { fate: 'under way' };
  const fate = await bookCompleted(tx, pix, atBank);
  const [failed] = same;
  if (failed === undefined || fate !== 'settled') return { fate };
  await tellItCameTrue(tx, failed, atBank);
  return { fate, alarm: 'the bank returned a refund that it had refused' };
}

function bookCompleted(tx: Tx, pix: ReceivedPix, atBank: BankReturn): Promise<Fate> {
  return pix.chargeId === null
    ? bookReturnOfStray(tx, pix, atBank)
    : bookReturnOfPayment(tx, pix, pix.chargeId, atBank);
}

/** The ledger completed it, by the bank's answer or an administrator's evidence, but the money did not leave. */
async function tellItDidNotLeave(
  tx: Tx,
  completed: StoredRefund,
  { rtrId, amountCents }: BankReturn,
): Promise<Booked> {
  const opened = await openItem(tx, {
    kind: 'refund-differs',
    reference: completed.id,
    merchantId: completed.merchantId,
    detail: {
      ...refundKind.facts(completed),
      completed: completed.completedAt?.toISOString() ?? null,
      at_bank: { rtr_id: rtrId ?? null, amount_cents: amountCents, status: 'refused' },
    },
  });
  return {
    fate: 'settled',
    alarm: opened ? 'the bank refused a refund that the ledger completed' : undefined,
  };
}

async function tellItCameTrue(
  tx: Tx,
  failed: StoredRefund,
  { rtrId, amountCents }: BankReturn,
): Promise<void> {
  await openItem(tx, {
    kind: 'refund-differs',
    reference: failed.id,
    merchantId: failed.merchantId,
    detail: {
      ...refundKind.facts(failed),
      failed: failed.error,
      at_bank: { rtr_id: rtrId ?? null, amount_cents: amountCents },
    },
  });
}

function isSame({ bankRefundId, rtrId }: StoredRefund, atBank: BankReturn): boolean {
  return bankRefundId === atBank.refundId || (rtrId !== null && rtrId === atBank.rtrId);
}

/**
 * The bank returned the money on its own: taken from what disputes blocked for it; the rest becomes the merchant's
 * debt.
 */
async function bookReturnOfPayment(
  tx: Tx,
  { merchantId, endToEndId }: ReceivedPix,
  chargeId: string,
  atBank: BankReturn,
): Promise<Fate> {
  const charge = await lockRefundableCharge(tx, merchantId, chargeId);
  if (charge === undefined || atBank.amountCents > refundableCents(charge)) return 'no room';
  const { amountCents } = atBank;
  const refund = returnOf({ merchantId, chargeId, endToEndId }, atBank, tx.now);
  await insertRefund(tx, refund, { dueAt: null, returnedAt: atBank.at });
  const { disputeId, blockedCents } = await allocateBankReturn(tx, { merchantId, endToEndId, amountCents });
  await publishRefundCompleted(tx, charge, refund, { silent: disputeId !== undefined });
  await post(
    tx,
    movements.disputeLost({
      merchantId,
      reference: referenceOf(refund),
      blockedCents,
      uncoveredCents: amountCents - blockedCents,
    }),
  );
  await changeRefunds(tx, charge, { refundingCents: 0, refundedCents: amountCents });
  return 'settled';
}

async function bookReturnOfStray(tx: Tx, pix: ReceivedPix, atBank: BankReturn): Promise<Fate> {
  const { endToEndId } = pix;
  const { refundedCents, refundingCents } = await sumReturns(tx, endToEndId);
  if (atBank.amountCents > pix.amountCents - refundedCents - refundingCents) return 'no room';
  const refund = returnOf({ merchantId: PLATFORM, chargeId: null, endToEndId }, atBank, tx.now);
  await insertRefund(tx, refund, { dueAt: null, returnedAt: atBank.at });
  await settleSuspenseOutcome(tx, endToEndId);
  const cause = { reference: referenceOf(refund), amountCents: atBank.amountCents };
  await post(tx, [...movements.unmatchedReturnRequested(cause), ...movements.unmatchedReturned(cause)]);
  return 'settled';
}

/** Uses the bank's own id of the return as reference, so that no second row can move the money again. */
function referenceOf({ rtrId, endToEndId, bankRefundId }: StoredRefund): string {
  return rtrId ?? `${endToEndId} ${bankRefundId}`;
}

function returnOf(
  what: Pick<StoredRefund, 'merchantId' | 'chargeId' | 'endToEndId'>,
  { refundId, rtrId, amountCents, reason }: BankReturn,
  now: Date,
): StoredRefund {
  return {
    ...what,
    id: randomUUID(),
    callerId: null,
    askedCents: null,
    bankRefundId: refundId,
    rtrId: rtrId ?? null,
    origin: 'bank',
    status: 'completed',
    amountCents,
    reason: reason ?? '',
    error: null,
    ...neverSent,
    createdAt: now,
    completedAt: now,
  };
}

/**
 * Fails a pending refund of ours that the bank does not list and that exceeds what is left of the Pix: the bank
 * returns no more than was paid. Returns whether there was one.
 */
async function endImpossible(
  deps: Deps,
  { endToEndId, amountCents, returns }: BankReceivedPix,
): Promise<boolean> {
  const back = returns.filter(({ status }) => status === 'completed');
  const backCents = back.reduce((sum, one) => sum + one.amountCents, 0);
  const listed = new Set(
    returns.filter(({ status }) => status !== 'refused').map(({ refundId }) => refundId),
  );
  return inTransaction(deps, async (tx) => {
    const pix = await lockReceivedPix(tx, endToEndId);
    const ours = pix === undefined ? [] : await refundsOfPix(tx.db, pix.merchantId, endToEndId);
    const impossible = ours.find(
      (one) =>
        one.status === 'processing' &&
        !listed.has(one.bankRefundId) &&
        backCents + one.amountCents > amountCents,
    );
    if (impossible !== undefined) await endImpossibleRefund(tx, impossible);
    return impossible !== undefined;
  });
}
