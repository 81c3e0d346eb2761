import { randomUUID } from 'node:crypto';
import { TWO_ADMINISTRATORS_CENTS } from '@jangada/contract';
import { insertAuditEntry, type NewAuditEntry } from '../audit/index.ts';
import { inTransaction, type KeyedTx, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { readMerchant, refuseFormerStaff, refuseOwnAccount, sharePromotionRoot } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import { movements, PLATFORM, post } from '../ledger/index.ts';
import {
  creditAssigned,
  lockReceivedPix,
  type ReceivedPix,
  setAssigned,
  setOutcome,
} from '../payments/index.ts';
import { Refusal } from '../refusal.ts';
import { neverSent, newBankRefundId, refundableUntil } from './refund.ts';
import { insertRefund, readRefundBlockers, sumReturns } from './store.ts';
import {
  deleteProposal,
  findUnclaimed,
  isAdministrator,
  type Proposal,
  type SuspenseDecision,
  type UnclaimedPix,
  writeProposal,
} from './suspense-store.ts';

export type Decided = SuspenseDecision & {
  readonly endToEndId: string;
  readonly reason: string;
  readonly actorId: number;
};

/**
 * Assigns an unclaimed Pix to a merchant, as a payment, or returns it to its payer. For a large amount the first call
 * only proposes, and the same decision by another administrator executes it. Every step is in the audit log. Returns
 * the Pix after the call. Refused as the endpoints document.
 */
export async function decideSuspense(deps: Deps, decided: Decided): Promise<UnclaimedPix> {
  if (decided.action === 'return' && deps.psp.refunds === undefined)
    throw new Refusal('REFUND_NOT_SUPPORTED');
  return inTransaction(deps, (tx) => decide(tx, decided));
}

async function decide(tx: KeyedTx, decided: Decided): Promise<UnclaimedPix> {
  const { endToEndId, action } = decided;
  await refuseFormerStaff(tx, decided.actorId, 'run-operations');
  const pix = await lockReceivedPix(tx, endToEndId);
  if (pix === undefined || pix.outcome === 'credited') throw new Refusal('PIX_NOT_FOUND');
  if (pix.outcome !== 'suspense') throw new Refusal('SUSPENSE_SETTLED');
  if (action === 'return' && tx.now > refundableUntil(pix.paidAt)) throw new Refusal('REFUND_TOO_LATE');
  if ((await readRefundBlockers(tx.db, PLATFORM, endToEndId)).inDispute)
    throw new Refusal('PAYMENT_IN_DISPUTE');
  if (await isAgreed(tx, pix, decided)) {
    await deleteProposal(tx, endToEndId);
    await (action === 'assign' ? assign(tx, pix, decided) : giveBack(tx, pix, decided));
  } else await propose(tx, pix, decided);
  const after = await findUnclaimed(tx.db, endToEndId);
  invariant(after !== undefined, 'a received Pix is never removed');
  return after;
}

/**
 * Whether one administrator suffices, or another current administrator proposed the same. The two must not be linked
 * by promotion, or an administrator could appoint the second one.
 */
async function isAgreed(
  tx: Tx,
  { endToEndId, amountCents }: ReceivedPix,
  decided: Decided,
): Promise<boolean> {
  const { action, merchantId, actorId } = decided;
  if (amountCents <= TWO_ADMINISTRATORS_CENTS) return true;
  const proposal = (await findUnclaimed(tx.db, endToEndId))?.proposal;
  if (proposal?.action !== action || proposal.merchantId !== merchantId) return false;
  if (proposal.proposedBy === actorId) throw new Refusal('SECOND_ADMIN_NEEDED');
  if (!(await isAdministrator(tx, proposal.proposedBy))) return false;
  if (await sharePromotionRoot(tx, proposal.proposedBy, actorId))
    throw new Refusal('SECOND_ADMIN_NEEDED', { message: oneRootText });
  return true;
}

const oneRootText =
  'Quem confirma e quem propôs devem o papel de administrador à mesma pessoa. Confirma um administrador criado à parte, pela linha de comando (admin:create).';

async function propose(tx: KeyedTx, pix: ReceivedPix, decided: Decided): Promise<void> {
  const { action, merchantId, reason, actorId } = decided;
  if (action === 'assign') await readOwner(tx, decided);
  const made = { reason, proposedBy: actorId, proposedAt: tx.now };
  const proposal: Proposal =
    action === 'assign' ? { ...made, action, merchantId } : { ...made, action, merchantId };
  await writeProposal(tx, pix.endToEndId, proposal);
  await log(tx, 'suspense proposed', pix, decided, { proposed: action });
}

async function assign(tx: KeyedTx, pix: ReceivedPix, decided: Decided): Promise<void> {
  const merchant = await readOwner(tx, decided);
  const { refundedCents } = await sumReturns(tx, pix.endToEndId);
  if (refundedCents > 0)
    throw new Refusal('SUSPENSE_SETTLED', {
      message: 'O banco já devolveu parte deste Pix: só o resto pode ser devolvido.',
    });
  await log(tx, 'suspense assigned', pix, decided, { outcome: 'assigned' });
  const chargeId = await creditAssigned(tx, merchant, pix);
  await setAssigned(tx, pix.endToEndId, { merchantId: merchant.id, chargeId });
}

async function readOwner(tx: Tx, { merchantId, actorId }: Decided) {
  if (merchantId !== null) await refuseOwnAccount(tx, actorId, merchantId);
  const owner =
    merchantId === null || merchantId === PLATFORM ? undefined : await readMerchant(tx.db, merchantId);
  if (owner === undefined) throw new Refusal('USER_NOT_FOUND');
  return owner;
}

/** Returns what has not been returned yet; sent to the bank like a merchant's refund. */
async function giveBack(tx: KeyedTx, pix: ReceivedPix, decided: Decided): Promise<void> {
  const { endToEndId } = pix;
  const { refundedCents } = await sumReturns(tx, endToEndId);
  const amountCents = pix.amountCents - refundedCents;
  const id = randomUUID();
  await log(tx, 'suspense returned', pix, decided, { outcome: 'returning', refund: id });
  await setOutcome(tx, endToEndId, 'returning');
  await insertRefund(
    tx,
    {
      merchantId: PLATFORM,
      id,
      chargeId: null,
      endToEndId,
      callerId: null,
      askedCents: null,
      bankRefundId: newBankRefundId(),
      rtrId: null,
      origin: 'operator',
      status: 'processing',
      amountCents,
      // Administrators' notes are internal and must not appear on the payer's statement.
      reason: '',
      error: null,
      ...neverSent,
      createdAt: tx.now,
      completedAt: null,
    },
    { dueAt: tx.now },
  );
  await post(tx, movements.unmatchedReturnRequested({ reference: id, amountCents }));
}

async function log(
  tx: KeyedTx,
  action: NewAuditEntry['action'],
  { endToEndId, amountCents, outcome }: ReceivedPix,
  { actorId, merchantId, reason }: Decided,
  after: Record<string, unknown>,
): Promise<void> {
  await insertAuditEntry(tx, {
    actor_id: actorId,
    action,
    subject_id: merchantId ?? PLATFORM,
    reason,
    before: { end_to_end_id: endToEndId, amount_cents: amountCents, outcome },
    after: { end_to_end_id: endToEndId, ...after },
  });
}
