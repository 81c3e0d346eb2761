import type { ApprovalDetail, ApprovalRequest, listApprovals, ResponseOf } from '@jangada/contract';
import { mayDo, unusualSigns } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { formatBrl } from '../format-brl.ts';
import type { Caller } from '../http/route.ts';
import { PLATFORM } from '../ledger/index.ts';
import { neededApprovals, type PolicyState, samePersonRuleFor } from './count-approvals.ts';
import { type Description, describeRequest } from './describe-order.ts';
import { digestOf, readDocument, readOrder } from './document.ts';
import { knownOf, lookUp } from './look-up-names.ts';
import { readPolicy } from './read-policy.ts';
import {
  type RequestRow,
  type StoredApproval,
  selectApprovals,
  selectPeople,
  selectRequests,
} from './store.ts';

type ListDeps = Pick<Deps, 'db' | 'clock' | 'secrets'>;

/** Lists the requests of an account that wait and the last that ended. Whoever does not approve sees only their own. */
export async function listRequests(
  deps: ListDeps,
  merchantId: number,
  caller: Caller,
): Promise<ResponseOf<typeof listApprovals>> {
  const seesAll = merchantId === PLATFORM || mayDo(caller.memberRole, 'approve');
  const madeBy = seesAll ? {} : { madeBy: caller.userId };
  const waiting = await selectRequests(deps.db, merchantId, { isWaiting: true, ...madeBy });
  const ended = await selectRequests(deps.db, merchantId, { isWaiting: false, ...madeBy });
  const shown = (await showRequests(deps, merchantId, caller, [...waiting, ...ended])).map(withoutDetail);
  const open = shown.slice(0, waiting.length);
  return {
    open,
    ended: shown.slice(waiting.length),
    waiting_for_you: open.filter(({ may_approve }) => may_approve).length,
  };
}

async function showRequests(
  deps: ListDeps,
  merchantId: number,
  caller: Caller,
  requests: readonly RequestRow[],
): Promise<ApprovalDetail[]> {
  if (requests.length === 0) return [];
  const state = await readPolicy(deps, merchantId);
  const approvals = await selectApprovals(
    deps.db,
    merchantId,
    requests.map(({ id }) => id),
  );
  const names = await selectPeople(
    deps.db,
    requests.flatMap(({ made_by, ended_by }) => [made_by, ended_by].filter((id) => id !== null)),
  );
  const known = await lookUp(deps.db, merchantId, requests);
  const now = deps.clock.now();
  return requests.map((request) =>
    show(request, {
      state,
      description: describeRequest(request, knownOf(known, state, request)),
      caller,
      now,
      names,
      approvals: approvals.filter(({ requestId }) => requestId === request.id),
    }),
  );
}

type Showing = {
  readonly state: PolicyState;
  readonly description: Description;
  readonly caller: Caller;
  readonly now: Date;
  readonly names: ReadonlyMap<number, string>;
  readonly approvals: readonly StoredApproval[];
};

function show(request: RequestRow, showing: Showing): ApprovalDetail {
  const { state, caller, now, names, approvals } = showing;
  const personOf = (id: number | null) =>
    id === null ? null : { id: String(id), name: names.get(id) ?? '' };
  const { summary, amountCents, facts } = showing.description;
  const { made_by: madeBy } = request;
  const isCounted =
    state.approvers.has(caller.userId) &&
    (madeBy === null ||
      !samePersonRuleFor(state.approvers, readDocument(request.document), now)(madeBy, caller.userId));
  return {
    id: request.id,
    kind: request.kind,
    order_id: request.kind === 'withdrawal' || request.kind === 'refund' ? request.subject : null,
    status: request.status,
    summary,
    amount_cents: amountCents,
    maker: personOf(madeBy),
    is_maker: madeBy === caller.userId,
    created_at: request.created_at.toISOString(),
    expires_at: request.expires_at.toISOString(),
    ended_at: request.ended_at?.toISOString() ?? null,
    needed: isFirstPolicy(request) ? 0 : neededApprovals(state, madeBy),
    approvals: approvals.map(({ userId, name, keyId, approvedAt }) => ({
      person: { id: String(userId), name },
      method: keyId.startsWith('totp:') ? 'totp' : 'passkey',
      approved_at: approvedAt.toISOString(),
      is_own: userId === caller.userId,
    })),
    may_approve:
      (request.status === 'open' || request.status === 'approved') &&
      approvals.length < neededApprovals(state, madeBy) &&
      request.expires_at > now &&
      isCounted &&
      !approvals.some(({ userId }) => userId === caller.userId),
    ended_by: personOf(request.ended_by),
    reason: request.reason,
    unusual: unusualSigns.filter((sign) => request.unusual.includes(sign)),
    facts: [...facts, ...whyItWaits(request, amountCents, state)],
    document: request.document,
    digest: digestOf(request.document).toString('hex'),
  };
}

/** Why an order waits that is smaller than the amount of the policy. */
function whyItWaits(
  { kind, status, made_by: madeBy, document }: RequestRow,
  amountCents: number | null,
  { isOn, fromCents, destinations }: PolicyState,
): ApprovalDetail['facts'] {
  const isOrder = kind === 'withdrawal' || kind === 'refund';
  const isWaiting = status === 'open' || status === 'approved';
  if (!isOn || !isOrder || !isWaiting || amountCents === null || amountCents >= fromCents) return [];
  const pixKey = readDocument(document)?.order['pix_key'];
  const isOverLimit = madeBy === null && typeof pixKey === 'string' && destinations.has(pixKey);
  const value = isOverLimit
    ? 'Passa do limite por dia do destino aprovado.'
    : `Somado aos outros abaixo de ${formatBrl(fromCents)} das últimas 24 horas, chega a esse valor.`;
  return [{ label: 'Por que espera', value }];
}

/** A first policy was never approved: before it nobody could. */
function isFirstPolicy({ document }: RequestRow): boolean {
  const content = readDocument(document);
  return content !== undefined && readOrder('policy', content)?.approvers !== undefined;
}

function withoutDetail({ facts, document, digest, ...request }: ApprovalDetail): ApprovalRequest {
  return request;
}

/** Shows one request with the text that is approved. */
export async function showRequest(
  deps: ListDeps,
  caller: Caller,
  request: RequestRow,
): Promise<ApprovalDetail> {
  const [shown] = await showRequests(deps, request.merchant_id, caller, [request]);
  if (shown === undefined) throw new Error('a request that is not shown');
  return shown;
}
