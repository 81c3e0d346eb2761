import type { ApprovalKind } from '@jangada/contract';
import type { Db } from '../db/pool.ts';
import { inTransaction, type TxWithSecrets } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { isMemberOf } from '../identity/index.ts';
import { PLATFORM } from '../ledger/index.ts';
import { lockMerchant } from '../lock-merchant.ts';
import { Refusal } from '../refusal.ts';
import { hasEnoughApprovals, refuseWithoutApprovers } from './check-order.ts';
import type { PolicyState } from './count-approvals.ts';
import { createRequest, waitingText } from './create-request.ts';
import { type Order, subjectOf } from './document.ts';
import { grantRight, grantsRight } from './grant-right.ts';
import { readPolicy } from './read-policy.ts';
import { findWaitingRequest, hasHistory, type RequestRow, updateRequest } from './store.ts';
import { endTwins, refuseOtherReason } from './twin-requests.ts';

type RequireDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'secrets'>;

export type RequestedAct = {
  /** The account whose policy applies; 0 is the operator. */
  readonly merchantId: number;
  readonly kind: ApprovalKind;
  /** The person who asks. */
  readonly madeBy: number;
  /** What the act would do, fact by fact. Approvals bind to it. */
  readonly order: Order;
};

/** Whether an account ever had a policy, so that an act may need approval. */
export function mayNeedApproval({ db }: Pick<Deps, 'db'>, merchantId: number): Promise<boolean> {
  return hasHistory(db, merchantId);
}

/**
 * Lets an act pass if no policy demands approval, or if others have approved exactly this one for this person; an
 * approval serves for one act. Otherwise asks for approval, which goes on even though the call is refused with
 * APPROVAL_REQUESTED; the same call made again then finds the request. Called last before the act is carried out.
 * Returns whether others approved it. Refused with APPROVERS_TOO_FEW if nobody could.
 */
export async function requireApproval(deps: RequireDeps, act: RequestedAct): Promise<boolean> {
  if (!(await hasHistory(deps.db, act.merchantId))) return false;
  const waiting = await inTransaction(deps, async (tx) => {
    await lockMerchant(tx, act.merchantId);
    const state = await readPolicy(tx, act.merchantId);
    if (!state.isOn) return 'free';
    return useOrAsk(tx, deps.config, state, act);
  });
  if (waiting === 'free') return false;
  if (waiting === 'approved') return true;
  const { request, needed } = waiting;
  const isApproved = request.status === 'approved';
  throw new Refusal('APPROVAL_REQUESTED', {
    message: `${isApproved ? 'O pedido foi aprovado por quem não pode mais aprovar.' : 'O pedido foi enviado a quem aprova.'} ${waitingText(needed, request)}`,
    details: { approval_id: request.id },
  });
}

const notCountedText =
  'Isto precisa da aprovação de outro administrador, e você ainda não conta entre quem aprova. Peça em Aprovações que passe a contar.';

/** Uses an approved request up, or returns the one that waits, which is created if there is none. */
async function useOrAsk(
  tx: TxWithSecrets,
  { publicUrl }: RequireDeps['config'],
  state: PolicyState,
  { merchantId, kind, madeBy, order }: RequestedAct,
): Promise<{ readonly request: RequestRow; readonly needed: number } | 'approved'> {
  const subject = subjectOf(kind, madeBy, order);
  const existing = await findWaitingRequest(tx.db, merchantId, kind, subject);
  if (existing !== undefined && existing.expires_at > tx.now) {
    if (!(await hasEnoughApprovals(tx, state, existing)))
      return { request: existing, needed: state.approvals };
    // Enough people approved it before the policy came to demand so few.
    if (grantsRight(kind)) await grantRight(tx, state, { ...existing, kind });
    else
      await updateRequest(tx, existing, {
        status: 'done',
        ended_at: tx.now,
        history_seq: state.entryCount,
      });
    await endTwins(tx, existing);
    return 'approved';
  }
  if (existing !== undefined) await updateRequest(tx, existing, { status: 'expired', ended_at: tx.now });
  // Whom somebody made an administrator a short while ago would not be known to count as one person with them.
  if (merchantId === PLATFORM && kind !== 'approver' && !state.approvers.has(madeBy))
    throw new Refusal('APPROVER_NOT_COUNTED', { message: notCountedText });
  await refuseOtherReason(tx, { merchantId, kind, madeBy, order });
  refuseWithoutApprovers(state, madeBy, tx.now);
  const request = { merchantId, kind, subject, order, madeBy };
  return {
    request: await createRequest(tx, state, new URL(publicUrl).origin, request),
    needed: state.approvals,
  };
}

/** The same for an act of the operator's administrators, under the operator's own policy. */
export async function requireOperatorApproval(
  deps: RequireDeps,
  madeBy: number,
  kind: ApprovalKind,
  order: Order,
): Promise<boolean> {
  await refuseOwnInterest(deps.db, madeBy, order);
  return requireApproval(deps, { merchantId: PLATFORM, kind, madeBy, order });
}

/** An administrator asks for nothing, and approves nothing, about an account that is their own or of which they are a member. */
export async function refuseOwnInterest(
  db: Db | TxWithSecrets['db'],
  userId: number,
  order: Order | undefined,
): Promise<void> {
  const account = Number(order?.['user']);
  if (Number.isSafeInteger(account) && (await isMemberOf(db, userId, account)))
    throw new Refusal('OWN_ACCOUNT');
}
