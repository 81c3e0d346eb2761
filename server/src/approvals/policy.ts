import {
  type ApprovalPolicy,
  type BodyOf,
  brlFromCents,
  centsFromBrl,
  mayDo,
  type ResponseOf,
  type setApprovalPolicy as setEndpoint,
} from '@jangada/contract';
import { insertAuditEntry } from '../audit/index.ts';
import { inTransaction, type TxWithSecrets } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { formatBrl } from '../format-brl.ts';
import type { Caller } from '../http/route.ts';
import { notifyInDashboard, requireFactor } from '../identity/index.ts';
import { PLATFORM } from '../ledger/index.ts';
import { lockMerchant } from '../lock-merchant.ts';
import { writeMail } from '../mail/index.ts';
import { Refusal } from '../refusal.ts';
import { countPeople } from './check-order.ts';
import { firstPolicyMarkText, type PolicyState } from './count-approvals.ts';
import { storeRequest } from './create-request.ts';
import { type DocumentedApprover, digestOf, type PolicyOrder, subjectOf } from './document.ts';
import { makeMarkWith, readPolicy } from './read-policy.ts';
import { requireApproval } from './require-approval.ts';
import { type Candidate, insertHistory, selectCandidates, updateRequest } from './store.ts';

/** What follows when an account's policy begins, in its transaction. Members provide it, because they depend on approvals. */
export type PolicyBegun = (tx: TxWithSecrets, merchantId: number, actorId: number) => Promise<void>;

type PolicyDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'secrets'>;
type PolicyAnswer = ResponseOf<typeof setEndpoint>;
type Approver = PolicyAnswer['approvers'][number];

/** Reads the policy of an account, and who approves or could. */
export async function readPolicyForPeople(
  deps: Pick<Deps, 'db' | 'secrets'>,
  merchantId: number,
  { userId, memberRole }: Caller,
): Promise<PolicyAnswer> {
  const state = await readPolicy(deps, merchantId);
  // Whoever does not approve learns the rule, and not who approves.
  const seesPeople = merchantId === PLATFORM || (memberRole !== undefined && mayDo(memberRole, 'approve'));
  const candidates = seesPeople ? await selectCandidates(deps.db, merchantId) : [];
  return {
    policy: toPolicy(state),
    approvers: candidates.map((candidate) => toApprover(state, candidate, userId)),
  };
}

function toPolicy(state: PolicyState): ApprovalPolicy {
  return {
    enabled: state.isOn,
    from: brlFromCents(state.fromCents),
    approvals: state.approvals,
    expires_hours: state.expiresHours,
    passkeys_only: state.passkeysOnly,
  };
}

function toApprover(state: PolicyState, candidate: Candidate, ownId: number): Approver {
  const { userId, name, email } = candidate;
  return {
    id: String(userId),
    name,
    email,
    status: approverStatus(state, candidate),
    is_own: userId === ownId,
  };
}

function approverStatus(state: PolicyState, candidate: Candidate): Approver['status'] {
  const current = keysOf(candidate, state.passkeysOnly);
  if (current.length === 0) return 'no-factor';
  if (!state.isOn) return 'approves';
  const counted = state.approvers.get(candidate.userId)?.keys ?? [];
  return current.every(({ id }) => counted.some((key) => key.id === id)) ? 'approves' : 'not-approved';
}

function keysOf({ passkeys, totp }: Candidate, passkeysOnly: boolean) {
  return [...passkeys, ...(totp === null || passkeysOnly ? [] : [{ id: totp, public_key: null }])];
}

function documentApprover(candidate: Candidate): DocumentedApprover {
  const { userId, name, email, staffSince, staffBy } = candidate;
  return {
    user: userId,
    name,
    email,
    keys: keysOf(candidate, false),
    ...(staffSince !== null &&
      staffBy !== null && { staff: { since: staffSince.toISOString(), by: staffBy } }),
  };
}

/**
 * Switches the policy of an account on, changes it or switches it off. Switching it on takes a fresh factor and enough
 * people who can approve; everything later needs the approvals that the policy in force demands, and is refused with
 * APPROVAL_REQUESTED until they are given. Refused with APPROVERS_TOO_FEW or FACTOR_MISSING.
 */
export async function setPolicy(
  deps: PolicyDeps,
  {
    caller,
    stepUp,
    onPolicyBegun,
  }: { readonly caller: Caller; readonly stepUp: string | undefined; readonly onPolicyBegun: PolicyBegun },
  merchantId: number,
  requested: BodyOf<typeof setEndpoint>,
): Promise<PolicyAnswer> {
  await requireFactor(deps, caller, stepUp);
  const order = {
    enabled: requested.enabled,
    from_cents: centsFromBrl(requested.from) ?? 0,
    approvals: requested.approvals,
    expires_hours: requested.expires_hours,
    passkeys_only: requested.passkeys_only,
  };
  const { userId: madeBy } = caller;
  const isChanged = await inTransaction(deps, async (tx) => {
    await lockMerchant(tx, merchantId);
    const state = await readPolicy(tx, merchantId);
    if (isSame(state, order)) return false;
    if (state.isOn && order.enabled) refuseTooFew({ ...state, ...termsOf(order) }, tx.now);
    if (state.isOn) return true;
    await beginPolicy(tx, deps.config, { merchantId, madeBy, order, before: state });
    await onPolicyBegun(tx, merchantId, madeBy);
    return false;
  });
  if (isChanged) await requireApproval(deps, { merchantId, kind: 'policy', madeBy, order });
  return readPolicyForPeople(deps, merchantId, caller);
}

function isSame(state: PolicyState, order: PolicyOrder): boolean {
  if (!state.isOn && !order.enabled) return true;
  const now = { ...termsOf(order), isOn: order.enabled };
  return Object.entries(now).every(([name, value]) => Reflect.get(state, name) === value);
}

function termsOf(order: PolicyOrder) {
  return {
    fromCents: order.from_cents,
    approvals: order.approvals,
    expiresHours: order.expires_hours,
    passkeysOnly: order.passkeys_only,
  };
}

/** One person asks and others approve, so one more than the approvals is needed. */
function refuseTooFew(state: PolicyState, now: Date): void {
  if (countPeople(state, null, now) < state.approvals + 1)
    throw new Refusal('APPROVERS_TOO_FEW', {
      message: `Com ${state.approvals} ${state.approvals === 1 ? 'aprovação' : 'aprovações'} são necessárias ${state.approvals + 1} pessoas que aprovem, cada uma com um segundo fator${state.passkeysOnly ? ', que seja uma chave de acesso' : ''}.`,
    });
}

async function beginPolicy(
  tx: TxWithSecrets,
  { publicUrl }: PolicyDeps['config'],
  {
    merchantId,
    madeBy,
    order,
    before,
  }: {
    readonly merchantId: number;
    readonly madeBy: number;
    readonly order: PolicyOrder;
    readonly before: PolicyState;
  },
): Promise<void> {
  const candidates = await selectCandidates(tx.db, merchantId);
  const own = candidates.find(({ userId }) => userId === madeBy);
  if (own === undefined || keysOf(own, order.passkeys_only).length === 0) throw new Refusal('FACTOR_MISSING');
  const approvers = candidates
    .filter((candidate) => keysOf(candidate, order.passkeys_only).length > 0)
    .map(documentApprover);
  const state = {
    ...before,
    ...termsOf(order),
    approvers: new Map(approvers.map((approver) => [approver.user, approver])),
  };
  refuseTooFew(state, tx.now);
  const first = { ...order, approvers };
  const subject = subjectOf('policy', madeBy, first);
  const newRequest = { merchantId, kind: 'policy', subject, order: first, madeBy } as const;
  const request = await storeRequest(tx, new URL(publicUrl).origin, newRequest, order.expires_hours);
  await updateRequest(tx, request, { status: 'done', ended_at: tx.now, history_seq: before.entryCount });
  const mark = makeMarkWith(tx.secrets)(firstPolicyMarkText(digestOf(request.document)));
  await insertHistory(tx, { merchant_id: merchantId, kind: 'policy', request_id: request.id, mark });
  await insertAuditEntry(tx, {
    actor_id: madeBy,
    action: 'approval policy set',
    subject_id: merchantId,
    reason: null,
    before: {},
    after: {
      from_cents: order.from_cents,
      approvals: order.approvals,
      approvers: approvers.map(({ name }) => name),
    },
  });
  await tellAll(tx, merchantId, approvers, order);
}

async function tellAll(
  tx: TxWithSecrets,
  merchantId: number,
  approvers: readonly DocumentedApprover[],
  { from_cents, approvals }: PolicyOrder,
): Promise<void> {
  const rule = `a partir de ${formatBrl(from_cents)}, o que sai precisa de ${approvals} ${approvals === 1 ? 'aprovação' : 'aprovações'}`;
  const place = merchantId === PLATFORM ? 'No gateway' : 'Em uma conta em que você aprova';
  const title = 'Política de aprovação ligada';
  for (const { user: userId } of approvers) {
    await writeMail(tx, { userId, kind: 'policy', subject: title, paragraphs: [`${place}, ${rule}.`] });
    await notifyInDashboard(tx, userId, { type: 'approval.policy', title, body: `${place}, ${rule}.` });
  }
}

/**
 * Asks that the caller's approvals count, with the factors that they have now. Refused with APPROVALS_OFF,
 * FACTOR_MISSING or APPROVAL_REQUESTED.
 */
export async function askToApprove(
  deps: PolicyDeps,
  { caller, stepUp }: { readonly caller: Caller; readonly stepUp: string | undefined },
  merchantId: number,
): Promise<Approver> {
  await requireFactor(deps, caller, stepUp);
  const state = await readPolicy(deps, merchantId);
  if (!state.isOn) throw new Refusal('APPROVALS_OFF');
  const candidate = (await selectCandidates(deps.db, merchantId)).find(
    ({ userId }) => userId === caller.userId,
  );
  if (candidate === undefined) throw new Refusal('FORBIDDEN');
  const status = approverStatus(state, candidate);
  if (status === 'no-factor') throw new Refusal('FACTOR_MISSING');
  if (status === 'not-approved') {
    const order = documentApprover(candidate);
    await requireApproval(deps, { merchantId, kind: 'approver', madeBy: caller.userId, order });
  }
  return toApprover(state, candidate, caller.userId);
}
