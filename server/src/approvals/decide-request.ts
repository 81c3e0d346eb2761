import { hasAbility, mayDo } from '@jangada/contract';
import { insertAuditEntry } from '../audit/index.ts';
import { inTransaction, type TxWithSecrets } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { digestRequestOptions, type PasskeyOptions, proveDigest } from '../identity/index.ts';
import { PLATFORM } from '../ledger/index.ts';
import { lockMerchant } from '../lock-merchant.ts';
import { Refusal } from '../refusal.ts';
import { hasEnoughApprovals } from './check-order.ts';
import { samePersonRuleFor, totpMarkText } from './count-approvals.ts';
import { describeRequest } from './describe-order.ts';
import { type DocumentedApprover, digestOf, readDocument } from './document.ts';
import { grantRight, grantsRight } from './grant-right.ts';
import { lookUp, namesOnly } from './look-up-names.ts';
import { type AllOrderHooks, hooksOf, type OrderEnd } from './order-hooks.ts';
import { makeMarkWith, readPolicy } from './read-policy.ts';
import { refuseOwnInterest } from './require-approval.ts';
import {
  deleteApproval,
  findRequest,
  insertApproval,
  lockRequest,
  type RequestKey,
  type RequestRow,
  updateRequest,
} from './store.ts';
import { tellMaker } from './tell-people.ts';
import { endTwins } from './twin-requests.ts';

type DecideDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'secrets' | 'log'>;

/**
 * Finds a request that the caller may see: of the account for which they act, or of the operator if they are its
 * administrator. Whoever does not approve sees only their own. Refused with APPROVAL_NOT_FOUND.
 */
export async function findVisibleRequest(
  deps: Pick<Deps, 'db' | 'config'>,
  caller: Caller,
  id: string,
): Promise<RequestRow> {
  const { db } = deps;
  const request =
    (await findRequest(db, { merchantId: caller.accountId, id })) ??
    (mayRunOperations(deps, caller) ? await findRequest(db, { merchantId: PLATFORM, id }) : undefined);
  const isVisible =
    request !== undefined &&
    (request.merchant_id === PLATFORM ||
      mayDo(caller.memberRole, 'approve') ||
      request.made_by === caller.userId);
  if (!isVisible) throw new Refusal('APPROVAL_NOT_FOUND');
  return request;
}

/**
 * Whether the caller works for the operator, which people do in their own account only, and with a second factor where
 * the operator demands one of staff.
 */
export function mayRunOperations(
  { config }: Pick<Deps, 'config'>,
  { role, userId, accountId, factorAt }: Caller,
): boolean {
  const hasFactor = factorAt !== undefined || !config.staffSecondFactor;
  return hasAbility(role, 'run-operations') && userId === accountId && hasFactor;
}

/**
 * Returns how the caller can approve a request. Refused with APPROVAL_NOT_FOUND, APPROVAL_ENDED, APPROVAL_OF_OWN or
 * APPROVER_NOT_COUNTED.
 */
export async function readApprovalOptions(
  deps: DecideDeps,
  caller: Caller,
  id: string,
): Promise<{ methods: ('passkey' | 'totp')[]; options: PasskeyOptions | null; digest: string }> {
  const request = await findVisibleRequest(deps, caller, id);
  const approver = await findCountingApprover(deps, request, caller, deps.clock.now());
  const digest = digestOf(request.document);
  const keyIds = approver.keys.flatMap(({ id: keyId, public_key }) => (public_key === null ? [] : [keyId]));
  const options = await digestRequestOptions(deps, caller, { digest, keyIds });
  const hasApp = keyIds.length < approver.keys.length;
  return {
    methods: [...(options ? ['passkey' as const] : []), ...(hasApp ? ['totp' as const] : [])],
    options,
    digest: digest.toString('hex'),
  };
}

/** Finds the caller among the people whose approvals of a request count. */
async function findCountingApprover(
  sources: Pick<TxWithSecrets, 'db' | 'secrets'> | Pick<Deps, 'db' | 'secrets'>,
  request: RequestRow,
  { userId }: Caller,
  now: Date,
): Promise<DocumentedApprover> {
  if (isEnded(request) || request.expires_at <= now) throw new Refusal('APPROVAL_ENDED');
  if (request.made_by === userId) throw new Refusal('APPROVAL_OF_OWN');
  const { approvers, passkeysOnly } = await readPolicy(sources, request.merchant_id);
  const approver = approvers.get(userId);
  const keys = approver?.keys.filter(({ public_key }) => public_key !== null || !passkeysOnly) ?? [];
  if (approver === undefined || keys.length === 0) throw new Refusal('APPROVER_NOT_COUNTED');
  const isSamePerson = samePersonRuleFor(approvers, readDocument(request.document), now);
  if (request.made_by !== null && isSamePerson(request.made_by, userId))
    throw new Refusal('APPROVAL_OF_OWN', {
      message: 'Quem pediu e você contam como uma pessoa só por 30 dias: um tornou o outro administrador.',
    });
  if (request.merchant_id === PLATFORM)
    await refuseOwnInterest(sources.db, userId, readDocument(request.document)?.order);
  return { ...approver, keys };
}

type SubmittedApproval = {
  readonly code?: string | undefined;
  readonly credential?: Readonly<Record<string, unknown>> | undefined;
};

/**
 * Approves a request with a factor that is given for this request alone. The approval that completes the policy releases
 * the order, or grants the right that was asked for. Approving twice changes nothing. Refused with APPROVAL_NOT_FOUND,
 * APPROVAL_ENDED, APPROVAL_OF_OWN, APPROVER_NOT_COUNTED or SECOND_FACTOR_WRONG.
 */
export async function approveRequest(
  deps: DecideDeps,
  hooks: AllOrderHooks,
  {
    caller,
    id,
    submitted,
  }: { readonly caller: Caller; readonly id: string; readonly submitted: SubmittedApproval },
): Promise<RequestRow> {
  const seen = await findVisibleRequest(deps, caller, id);
  const { keys } = await findCountingApprover(deps, seen, caller, deps.clock.now());
  const digest = digestOf(seen.document);
  const { keyId, signed, consume } = await proveDigest(deps, caller, digest, submitted);
  if (!keys.some((key) => key.id === keyId)) throw new Refusal('APPROVER_NOT_COUNTED');
  return decide(deps, hooks, seen, async (tx, request) => {
    await findCountingApprover(tx, request, caller, tx.now);
    await consume(tx);
    const mark = makeMarkWith(deps.secrets)(totpMarkText(caller.userId, keyId, digest)).toString('base64url');
    const approval = { userId: caller.userId, keyId, proof: signed ?? { mark } };
    if (!(await insertApproval(tx, keyOf(request), approval))) return;
    await recordDecision(tx, caller, request, 'approval given');
    await completeIfApproved(tx, hooks, request);
  });
}

async function completeIfApproved(
  tx: TxWithSecrets,
  hooks: AllOrderHooks,
  request: RequestRow,
): Promise<void> {
  const state = await readPolicy(tx, request.merchant_id);
  if (!(await hasEnoughApprovals(tx, state, request))) return;
  const { merchant_id, kind, subject } = request;
  const order = hooksOf(hooks, kind);
  if (order !== undefined) {
    await updateRequest(tx, request, { status: 'approved' });
    await tellMaker(tx, request, 'approved');
    await order.release(tx, merchant_id, subject);
  } else if (grantsRight(kind)) {
    await grantRight(tx, state, { ...request, kind });
    await endTwins(tx, request);
    await tellMaker(tx, request, kind === 'destination' ? 'carry-out' : 'approved');
  } else {
    await updateRequest(tx, request, { status: 'approved' });
    await tellMaker(tx, request, 'carry-out');
  }
}

/** Takes the caller's approval back, while the request was not carried out. Refused with APPROVAL_ENDED. */
export async function retractApproval(
  deps: DecideDeps,
  hooks: AllOrderHooks,
  caller: Caller,
  id: string,
): Promise<RequestRow> {
  const seen = await findVisibleRequest(deps, caller, id);
  return decide(deps, hooks, seen, async (tx, request) => {
    if (!(await deleteApproval(tx, keyOf(request), caller.userId))) return;
    if (request.status === 'approved') await updateRequest(tx, request, { status: 'open' });
    await recordDecision(tx, caller, request, 'approval retracted');
  });
}

/** Rejects a request: what it asked for does not happen. Needs no factor, because it only stops something. */
export async function rejectRequest(
  deps: DecideDeps,
  hooks: AllOrderHooks,
  { caller, id, reason }: { readonly caller: Caller; readonly id: string; readonly reason: string },
): Promise<RequestRow> {
  const seen = await findVisibleRequest(deps, caller, id);
  return decide(deps, hooks, seen, async (tx, request) => {
    await recordDecision(tx, caller, request, 'approval rejected');
    if (request.made_by !== caller.userId) await tellMaker(tx, request, 'rejected');
    const text = 'Quem aprova recusou o pedido.';
    await endRequest(tx, hooks, request, {
      status: 'rejected',
      endedBy: caller.userId,
      reason: reason === '' ? null : reason,
      end: { code: 'APPROVAL_REJECTED', text },
    });
  });
}

/** Withdraws a request of the caller's own. Refused with APPROVAL_OF_OTHER. */
export async function cancelRequest(
  deps: DecideDeps,
  hooks: AllOrderHooks,
  caller: Caller,
  id: string,
): Promise<RequestRow> {
  const seen = await findVisibleRequest(deps, caller, id);
  if (seen.made_by !== caller.userId) throw new Refusal('APPROVAL_OF_OTHER');
  return decide(deps, hooks, seen, async (tx, request) => {
    await recordDecision(tx, caller, request, 'approval cancelled');
    await endRequest(tx, hooks, request, {
      status: 'cancelled',
      endedBy: caller.userId,
      reason: null,
      end: { code: 'APPROVAL_CANCELLED', text: 'Quem pediu desistiu antes da aprovação.' },
    });
  });
}

/** Ends a request whose time is over. */
export async function expireRequest(deps: DecideDeps, hooks: AllOrderHooks, key: RequestKey): Promise<void> {
  const seen = await findRequest(deps.db, key);
  if (seen === undefined || isEnded(seen)) return;
  await inTransaction(deps, async (tx) => {
    const request = await lockForDecision(tx, hooks, seen);
    if (isEnded(request) || request.expires_at > tx.now) return;
    await tellMaker(tx, request, 'expired');
    await endRequest(tx, hooks, request, {
      status: 'expired',
      endedBy: null,
      reason: null,
      end: { code: 'APPROVAL_EXPIRED', text: 'O prazo terminou sem as aprovações.' },
    });
  });
}

/** Locks a request that has not ended, lets `work` change it, and returns it as it is afterwards. */
async function decide(
  deps: DecideDeps,
  hooks: AllOrderHooks,
  seen: RequestRow,
  work: (tx: TxWithSecrets, request: RequestRow) => Promise<void>,
): Promise<RequestRow> {
  await inTransaction(deps, async (tx) => {
    const request = await lockForDecision(tx, hooks, seen);
    if (isEnded(request)) throw new Refusal('APPROVAL_ENDED');
    await work(tx, request);
  });
  const decided = await findRequest(deps.db, keyOf(seen));
  if (decided === undefined) throw new Refusal('APPROVAL_NOT_FOUND');
  return decided;
}

async function lockForDecision(
  tx: TxWithSecrets,
  hooks: AllOrderHooks,
  seen: RequestRow,
): Promise<RequestRow> {
  await lockMerchant(tx, seen.merchant_id);
  await hooksOf(hooks, seen.kind)?.lock(tx, seen.merchant_id, seen.subject);
  const request = await lockRequest(tx, keyOf(seen));
  if (request === undefined) throw new Refusal('APPROVAL_NOT_FOUND');
  return request;
}

export const isEnded = ({ status }: RequestRow) => status !== 'open' && status !== 'approved';
export const keyOf = ({ merchant_id, id }: RequestRow): RequestKey => ({ merchantId: merchant_id, id });

type RequestEnd = {
  readonly status: 'rejected' | 'cancelled' | 'expired';
  readonly endedBy: number | null;
  readonly reason: string | null;
  readonly end: OrderEnd;
};

/** Ends a request. If it is about an order, this comes last in its transaction. */
export async function endRequest(
  tx: TxWithSecrets,
  hooks: AllOrderHooks,
  request: RequestRow,
  { status, endedBy, reason, end }: RequestEnd,
): Promise<void> {
  await updateRequest(tx, request, { status, reason, ended_at: tx.now, ended_by: endedBy });
  await hooksOf(hooks, request.kind)?.end(tx, request.merchant_id, request.subject, end);
}

async function recordDecision(
  tx: TxWithSecrets,
  { userId }: Caller,
  request: RequestRow,
  action: `approval ${'given' | 'retracted' | 'rejected' | 'cancelled'}`,
): Promise<void> {
  const names = namesOnly(await lookUp(tx.db, request.merchant_id, [request]));
  await insertAuditEntry(tx, {
    actor_id: userId,
    action,
    subject_id: request.merchant_id,
    reason: null,
    before: {},
    after: {
      request: request.id,
      order: describeRequest(request, names).summary,
      digest: digestOf(request.document).toString('hex'),
    },
  });
}
