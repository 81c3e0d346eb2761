import { randomUUID } from 'node:crypto';
import { heldPixReasonTexts } from '@jangada/contract';
import { askForApproval } from '../approvals/index.ts';
import { addMs } from '../clock.ts';
import type { Config } from '../config.ts';
import { isDatabaseOutage } from '../db/outage.ts';
import { inTransaction, type Tx, type TxWithSecrets } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { invariant } from '../invariant.ts';
import { movements, PLATFORM, post } from '../ledger/index.ts';
import { lockMemberDay, refuseAboveLimit } from '../members/index.ts';
import {
  adjustRefundTotals,
  creditHeldPix,
  findHeldPix,
  type HeldPixRecord,
  listDueToGiveBack,
  lockReceivedPix,
  postponeGivingBack,
  prepareToGiveBack,
  setPixOutcome,
  stopGivingBack,
  writeHeldDecision,
} from '../payments/index.ts';
import { HOUSE_CONNECTION, offersOf } from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import {
  moneyOrderOf,
  newBankRefundId,
  refundableUntil,
  type StoredRefund,
  unsentOrderFields,
} from './refund.ts';
import { insertRefund, readRefundBlockers, sumRequestedBy, sumReturnsOfUnmatchedPix } from './store.ts';

/** Who decides about a held Pix. `userId`: the person; null for an API key. */
export type HeldPixDecider = {
  readonly merchantId: number;
  readonly id: string;
  readonly userId: number | null;
};

/**
 * Credits a held Pix to its merchant. Idempotent: once it is accepted, the same call changes nothing.
 * @throws {Refusal} PIX_NOT_FOUND, SUSPENSE_SETTLED, AMOUNT_BELOW_FEE
 */
export async function acceptHeldPix(deps: Deps, decider: HeldPixDecider): Promise<HeldPixRecord> {
  return inTransaction(deps, async (tx) => {
    const held = await lockHeldPix(tx, decider);
    if (held.decision === 'accepted') return held;
    refuseDecided(held);
    const { endToEndId, connectionId } = held;
    const { inDispute } = await readRefundBlockers(tx.db, PLATFORM, { connectionId, endToEndId });
    if (inDispute) throw new Refusal('PAYMENT_IN_DISPUTE');
    // Of what the bank has returned in part, only the rest can go back.
    if (
      connectionId === HOUSE_CONNECTION &&
      (await sumReturnsOfUnmatchedPix(tx, endToEndId)).refundedCents > 0
    )
      throw new Refusal('SUSPENSE_SETTLED');
    const paidChargeId = await creditHeldPix(tx, held);
    await writeHeldDecision(tx, held, {
      decision: 'accepted',
      decidedBy: decider.userId,
      paidChargeId,
      refundId: null,
    });
    return readHeldPix(tx, decider);
  });
}

/**
 * Orders that all of a held Pix goes back to its payer. Idempotent. From an account of the merchant's own it falls under
 * the account's approval policy and the member's limit of the day, as a refund does; at the operator's own account the
 * money never was the merchant's.
 * @throws {Refusal} PIX_NOT_FOUND, SUSPENSE_SETTLED, REFUND_NOT_SUPPORTED, REFUND_TOO_LATE, MEMBER_DAY_LIMIT
 */
export async function giveBackHeldPix(deps: Deps, decider: HeldPixDecider): Promise<HeldPixRecord> {
  const found = await findHeldPix(deps.db, decider.merchantId, decider.id);
  if (found === undefined) throw new Refusal('PIX_NOT_FOUND');
  if (!offersOf(deps.banks, found.connectionId).refunds) throw new Refusal('REFUND_NOT_SUPPORTED');
  return inTransaction(deps, async (tx) => {
    if (decider.userId !== null && found.connectionId !== HOUSE_CONNECTION)
      await refuseAboveMemberLimit(tx, decider, found.amountCents);
    const held = await lockHeldPix(tx, decider);
    if (isOnItsWayBack(held)) return held;
    refuseDecided(held);
    if (tx.now > refundableUntil(held.paidAt)) throw new Refusal('REFUND_TOO_LATE');
    await orderReturn(tx, deps.config, held, decider);
    return readHeldPix(tx, decider);
  });
}

const giveBackBatch = 50;
/** A Pix that fails by a defect of ours waits so long, so that the others have their turn. */
const giveBackPauseMs = 300_000;

/**
 * Gives back the Pix for which a rule says so, each in a transaction of its own. One that its bank cannot return, or for
 * which nobody could approve, is left to the merchant. Returns how many were due.
 */
export async function giveBackByRule(deps: Deps): Promise<number> {
  const due = await listDueToGiveBack(deps.db, deps.clock.now(), giveBackBatch);
  for (const { merchantId, id, connectionId } of due) {
    const decider = { merchantId, id, userId: null };
    const isPossible = offersOf(deps.banks, connectionId).refunds;
    try {
      await inTransaction(deps, (tx) => giveBackOne(tx, deps.config, decider, isPossible));
    } catch (error) {
      if (isDatabaseOutage(error)) throw error;
      const isRefused = error instanceof Refusal;
      const facts = { err: error, merchantId, heldPixId: id };
      deps.log[isRefused ? 'warn' : 'error'](facts, 'a Pix could not be given back by a rule');
      await inTransaction(deps, (tx) =>
        isRefused
          ? stopGivingBack(tx, decider)
          : postponeGivingBack(tx, decider, addMs(tx.now, giveBackPauseMs)),
      );
    }
  }
  return due.length;
}

async function giveBackOne(
  tx: TxWithSecrets,
  config: Pick<Config, 'publicUrl'>,
  decider: HeldPixDecider,
  isPossible: boolean,
): Promise<void> {
  const held = await lockHeldPix(tx, decider);
  // Another process may have given it back, or the operator decided, since it was listed.
  if (held.giveBackAt === null) return;
  if (!isPossible || !isUndecided(held)) return stopGivingBack(tx, held);
  await orderReturn(tx, config, held, 'rule');
}

/** Locks a held Pix by its row in `received_pix`, as the operator does who decides about it. */
async function lockHeldPix(tx: Tx, { merchantId, id }: HeldPixDecider): Promise<HeldPixRecord> {
  const found = await findHeldPix(tx.db, merchantId, id);
  if (found === undefined) throw new Refusal('PIX_NOT_FOUND');
  await lockReceivedPix(tx, found.endToEndId, found.connectionId);
  return readHeldPix(tx, found);
}

async function readHeldPix(tx: Tx, { merchantId, id }: Pick<HeldPixRecord, 'merchantId' | 'id'>) {
  const held = await findHeldPix(tx.db, merchantId, id);
  invariant(held !== undefined, 'a held Pix is never removed');
  return held;
}

const isUndecided = ({ outcome }: HeldPixRecord) => outcome === 'suspense' || outcome === 'held';

const isOnItsWayBack = ({ decision, outcome, giveBackAt }: HeldPixRecord) =>
  giveBackAt !== null || (decision === 'given-back' && outcome !== 'suspense');

function refuseDecided(held: HeldPixRecord): void {
  if (!isUndecided(held) || held.giveBackAt !== null) throw new Refusal('SUSPENSE_SETTLED');
}

async function refuseAboveMemberLimit(
  tx: Tx,
  { merchantId, userId }: HeldPixDecider,
  amountCents: number,
): Promise<void> {
  if (userId === null) return;
  const { refundLimitCents, from } = await lockMemberDay(tx, { merchantId, userId }, 'refund');
  if (refundLimitCents === null) return;
  const usedCents = await sumRequestedBy(tx.db, { merchantId, requestedBy: userId, from });
  refuseAboveLimit(refundLimitCents, usedCents, amountCents);
}

async function orderReturn(
  tx: TxWithSecrets,
  config: Pick<Config, 'publicUrl'>,
  held: HeldPixRecord,
  by: HeldPixDecider | 'rule',
): Promise<void> {
  const decidedBy = by === 'rule' ? null : by.userId;
  const order = newReturn(held, tx.now);
  const paidChargeId =
    held.connectionId === HOUSE_CONNECTION
      ? await returnFromSuspense(tx, held, order)
      : await returnFromOwn(tx, config, held, {
          ...order,
          origin: decidedBy === null ? 'api' : 'panel',
          madeBy: decidedBy,
        });
  await writeHeldDecision(tx, held, { decision: 'given-back', decidedBy, paidChargeId, refundId: order.id });
}

/** The money never was the merchant's, and goes back like other Pix in suspense. */
async function returnFromSuspense(
  tx: Tx,
  { endToEndId, amountCents: receivedCents }: HeldPixRecord,
  order: StoredRefund,
) {
  const { refundedCents } = await sumReturnsOfUnmatchedPix(tx, endToEndId);
  const amountCents = receivedCents - refundedCents;
  await setPixOutcome(tx, endToEndId, 'returning');
  await insertRefund(tx, { ...order, amountCents }, { dueAt: tx.now });
  await post(tx, movements.unmatchedReturnRequested({ reference: order.id, amountCents }));
  return null;
}

/** What arrived at an account of the merchant's own is booked under a charge without a fee, and refunded in full. */
async function returnFromOwn(
  tx: TxWithSecrets,
  config: Pick<Config, 'publicUrl'>,
  held: HeldPixRecord,
  order: StoredRefund,
): Promise<string> {
  const { charge, entries, store } = await prepareToGiveBack(tx, held);
  const { merchantId, connectionId, amountCents } = held;
  const unsent: StoredRefund = { ...order, merchantId, connectionId, chargeId: charge.id };
  const wait = await askForApproval(tx, config, moneyOrderOf(unsent));
  const refund = wait === undefined ? unsent : { ...unsent, errorCode: wait.code, error: wait.text };
  await post(tx, [
    ...entries,
    ...movements.refundRequested({ merchantId, connectionId, reference: refund.id, amountCents }),
  ]);
  await store();
  await insertRefund(tx, refund, { dueAt: wait === undefined ? tx.now : null });
  await adjustRefundTotals(tx, charge, { refundingCents: amountCents, refundedCents: 0 });
  return charge.id;
}

function newReturn({ endToEndId, connectionId, amountCents, why }: HeldPixRecord, now: Date): StoredRefund {
  return {
    merchantId: PLATFORM,
    id: randomUUID(),
    connectionId,
    chargeId: null,
    endToEndId,
    externalId: null,
    requestedCents: null,
    bankRefundId: newBankRefundId(),
    rtrId: null,
    origin: 'operator',
    madeBy: null,
    status: 'processing',
    amountCents,
    reason: `Devolvido: ${heldPixReasonTexts[why]}`,
    errorCode: null,
    error: null,
    ...unsentOrderFields,
    createdAt: now,
    completedAt: null,
  };
}
