import { randomUUID } from 'node:crypto';
import { TWO_ADMINISTRATORS_CENTS } from '@jangada/contract';
import { requireOperatorApproval } from '../approvals/index.ts';
import { insertAuditEntry, type NewAuditEntry } from '../audit/index.ts';
import { inTransaction, type Tx, type TxWithSecrets } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { readMerchant, recheckAbility, refuseOwnAccount, sharePromotionRoot } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import { movements, PLATFORM, post } from '../ledger/index.ts';
import {
  creditAssignedPix,
  lockReceivedPix,
  markPixAssigned,
  type ReceivedPix,
  setPixOutcome,
} from '../payments/index.ts';
import { HOUSE_CONNECTION, offersOf } from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import { newBankRefundId, refundableUntil, unsentOrderFields } from './refund.ts';
import { insertRefund, readRefundBlockers, sumReturnsOfUnmatchedPix } from './store.ts';
import {
  deleteProposal,
  findUnmatchedPix,
  isAdministrator,
  type Proposal,
  type SuspenseDecision,
  type UnmatchedPix,
  writeProposal,
} from './suspense-store.ts';

export type SuspenseDecisionRequest = SuspenseDecision & {
  readonly endToEndId: string;
  readonly reason: string;
  readonly actorId: number;
};

/**
 * Assigns a Pix in suspense (money that matched no charge) to a merchant as a payment, or returns the Pix to its payer.
 * For a large amount the first call only proposes the decision, and the same decision by another administrator executes
 * it. Every step is in the audit log. Returns the Pix after the call. The contract's endpoints document the refusals.
 */
export async function decideSuspense(deps: Deps, decision: SuspenseDecisionRequest): Promise<UnmatchedPix> {
  const isReturnPossible = offersOf(deps.banks, HOUSE_CONNECTION).refunds;
  const isApproved = await requireApprovalOfLarge(deps, decision);
  return inTransaction(deps, (tx) => decide(tx, decision, { isReturnPossible, isApproved }));
}

/** Where the operator has an approval policy, its approvals take the place of a proposal and a second decision. */
async function requireApprovalOfLarge(
  deps: Deps,
  { endToEndId, action, merchantId, reason, actorId }: SuspenseDecisionRequest,
): Promise<boolean> {
  const pix = await findUnmatchedPix(deps.db, endToEndId);
  if (pix === undefined || pix.amountCents <= TWO_ADMINISTRATORS_CENTS) return false;
  const order = {
    action: action === 'assign' ? 'Atribuir' : 'Devolver',
    end_to_end_id: endToEndId,
    amount_cents: pix.amountCents,
    user: merchantId,
    reason,
  };
  return requireOperatorApproval(deps, actorId, 'unmatched-pix', order);
}

async function decide(
  tx: TxWithSecrets,
  decision: SuspenseDecisionRequest,
  { isReturnPossible, isApproved }: { readonly isReturnPossible: boolean; readonly isApproved: boolean },
): Promise<UnmatchedPix> {
  const { endToEndId, action } = decision;
  await recheckAbility(tx, decision.actorId, 'run-operations');
  const pix = await lockReceivedPix(tx, endToEndId, HOUSE_CONNECTION);
  if (pix === undefined || pix.outcome === 'credited') throw new Refusal('PIX_NOT_FOUND');
  if (pix.outcome !== 'suspense') throw new Refusal('SUSPENSE_SETTLED');
  if (action === 'return' && !isReturnPossible) throw new Refusal('REFUND_NOT_SUPPORTED');
  if (action === 'return' && tx.now > refundableUntil(pix.paidAt)) throw new Refusal('REFUND_TOO_LATE');
  if ((await readRefundBlockers(tx.db, PLATFORM, { connectionId: HOUSE_CONNECTION, endToEndId })).inDispute)
    throw new Refusal('PAYMENT_IN_DISPUTE');
  if (isApproved || (await isAgreed(tx, pix, decision))) {
    await deleteProposal(tx, endToEndId);
    await (action === 'assign' ? assign(tx, pix, decision) : returnToPayer(tx, pix, decision));
  } else await propose(tx, pix, decision);
  const updatedPix = await findUnmatchedPix(tx.db, endToEndId);
  invariant(updatedPix !== undefined, 'a received Pix is never removed');
  return updatedPix;
}

/**
 * Whether the decision may be executed: the amount needs only one administrator, or another current administrator
 * proposed the same decision. The two must not owe their role to the same person, because otherwise an administrator
 * could appoint the second one. Refuses with SECOND_ADMIN_NEEDED if the same decision was proposed by this
 * administrator, or by one who owes the role to the same person.
 */
async function isAgreed(
  tx: Tx,
  { endToEndId, amountCents }: ReceivedPix,
  decision: SuspenseDecisionRequest,
): Promise<boolean> {
  const { action, merchantId, actorId } = decision;
  if (amountCents <= TWO_ADMINISTRATORS_CENTS) return true;
  const proposal = (await findUnmatchedPix(tx.db, endToEndId))?.proposal;
  if (proposal?.action !== action || proposal.merchantId !== merchantId) return false;
  if (proposal.proposedBy === actorId) throw new Refusal('SECOND_ADMIN_NEEDED');
  if (!(await isAdministrator(tx, proposal.proposedBy))) return false;
  if (await sharePromotionRoot(tx, proposal.proposedBy, actorId))
    throw new Refusal('SECOND_ADMIN_NEEDED', { message: samePromotionText });
  return true;
}

const samePromotionText =
  'Quem confirma e quem propôs devem o papel de administrador à mesma pessoa. Confirma um administrador criado à parte, pela linha de comando (admin:create).';

async function propose(
  tx: TxWithSecrets,
  pix: ReceivedPix,
  decision: SuspenseDecisionRequest,
): Promise<void> {
  const { action, merchantId, reason, actorId } = decision;
  // Refuses an unsuitable merchant at once, and not only when the proposal is confirmed.
  if (action === 'assign') await readNewOwner(tx, decision);
  const origin = { reason, proposedBy: actorId, proposedAt: tx.now };
  // The branches are equal, but the condition narrows the type of `merchantId` as `Proposal` requires.
  const proposal: Proposal =
    action === 'assign' ? { ...origin, action, merchantId } : { ...origin, action, merchantId };
  await writeProposal(tx, pix.endToEndId, proposal);
  await writeAudit(tx, 'suspense proposed', pix, decision, { proposed: action });
}

async function assign(tx: TxWithSecrets, pix: ReceivedPix, decision: SuspenseDecisionRequest): Promise<void> {
  const merchant = await readNewOwner(tx, decision);
  const { refundedCents } = await sumReturnsOfUnmatchedPix(tx, pix.endToEndId);
  if (refundedCents > 0)
    throw new Refusal('SUSPENSE_SETTLED', {
      message: 'O banco já devolveu parte deste Pix: só o resto pode ser devolvido.',
    });
  await writeAudit(tx, 'suspense assigned', pix, decision, { outcome: 'assigned' });
  const chargeId = await creditAssignedPix(tx, merchant, pix);
  await markPixAssigned(tx, pix.endToEndId, { merchantId: merchant.id, chargeId });
}

/**
 * Reads the merchant who is to own the Pix. Refuses with USER_NOT_FOUND if there is no such merchant, and with
 * OWN_ACCOUNT if the merchant is the administrator, or owes an administrator's role to the same person.
 */
async function readNewOwner(tx: Tx, { merchantId, actorId }: SuspenseDecisionRequest) {
  if (merchantId !== null) await refuseOwnAccount(tx, actorId, merchantId);
  const owner =
    merchantId === null || merchantId === PLATFORM ? undefined : await readMerchant(tx.db, merchantId);
  if (owner === undefined) throw new Refusal('USER_NOT_FOUND');
  return owner;
}

/** Returns to the payer what the bank has not returned yet. The order is sent like a merchant's refund. */
async function returnToPayer(
  tx: TxWithSecrets,
  pix: ReceivedPix,
  decision: SuspenseDecisionRequest,
): Promise<void> {
  const { endToEndId } = pix;
  const { refundedCents } = await sumReturnsOfUnmatchedPix(tx, endToEndId);
  const amountCents = pix.amountCents - refundedCents;
  const id = randomUUID();
  await writeAudit(tx, 'suspense returned', pix, decision, { outcome: 'returning', refund: id });
  await setPixOutcome(tx, endToEndId, 'returning');
  await insertRefund(
    tx,
    {
      merchantId: PLATFORM,
      id,
      connectionId: HOUSE_CONNECTION,
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
      // Empty, because administrators' notes are internal and must not appear on the payer's statement.
      reason: '',
      errorCode: null,
      error: null,
      ...unsentOrderFields,
      createdAt: tx.now,
      completedAt: null,
    },
    { dueAt: tx.now },
  );
  await post(tx, movements.unmatchedReturnRequested({ reference: id, amountCents }));
}

async function writeAudit(
  tx: TxWithSecrets,
  action: NewAuditEntry['action'],
  { endToEndId, amountCents, outcome }: ReceivedPix,
  { actorId, merchantId, reason }: SuspenseDecisionRequest,
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
