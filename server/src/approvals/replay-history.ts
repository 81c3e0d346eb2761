import {
  findCountingApprovers,
  firstPolicyMarkText,
  type GivenApproval,
  type MakeMark,
  neededApprovals,
  type PolicyState,
} from './count-approvals.ts';
import { type DocumentedApprover, digestOf, type PolicyOrder, readDocument, readOrder } from './document.ts';

/** An entry of an account's history: what was granted by which request, or what ended. */
export type HistoryEntry = {
  /** Its place in the history, from 1 on. */
  readonly seq: number;
  readonly kind: string;
  readonly requestId: string | null;
  readonly userId: number | null;
  readonly keyId: string | null;
  readonly pixKey: string | null;
  readonly mark: Buffer | null;
  readonly at: Date;
};

/** A request to which an entry refers, with what was approved by whom. */
export type ProvenRequest = { readonly document: string; readonly approvals: readonly GivenApproval[] };

export const noPolicy: PolicyState = {
  isOn: false,
  fromCents: 0,
  approvals: 1,
  expiresHours: 72,
  passkeysOnly: false,
  approvers: new Map(),
  destinations: new Map(),
  endedKeys: new Set(),
  entryCount: 0,
};

/** An entry that grants nothing, because what it refers to does not prove it. */
export type UnprovenEntry = { readonly index: number; readonly entry: HistoryEntry };

/**
 * Follows the history of an account from its first policy on, and returns the policy that is in force, and those that
 * were: `states` has the one before the first entry, and then the one after each. An entry that grants something counts
 * only if enough people approved it who had the right just then, in time and once, so whoever can merely write into the
 * table changes nothing. The first policy, before which nobody could approve, carries the gateway's own mark. A reset,
 * which only the owner of the database can write, takes everything off.
 */
export async function replayHistory(
  account: number,
  history: readonly HistoryEntry[],
  requests: ReadonlyMap<string, ProvenRequest>,
  makeMark: MakeMark,
): Promise<{
  readonly state: PolicyState;
  readonly states: readonly PolicyState[];
  readonly unproven: readonly UnprovenEntry[];
}> {
  let state = noPolicy;
  const states = [state];
  const unproven: UnprovenEntry[] = [];
  const usedRequests = new Set<string | null>();
  for (const [index, entry] of history.entries()) {
    const isUsed = entry.requestId !== null && usedRequests.has(entry.requestId);
    const next = isUsed ? undefined : await follow(state, { account, entry, requests, makeMark });
    if (next === undefined) unproven.push({ index, entry });
    usedRequests.add(entry.requestId);
    state = { ...(next ?? state), entryCount: index + 1 };
    states.push(state);
  }
  return { state, states, unproven };
}

type Step = {
  readonly account: number;
  readonly entry: HistoryEntry;
  readonly requests: ReadonlyMap<string, ProvenRequest>;
  readonly makeMark: MakeMark;
};

async function follow(state: PolicyState, step: Step): Promise<PolicyState | undefined> {
  const { account, entry, requests, makeMark } = step;
  if (entry.kind === 'end') return withoutEnded(state, entry);
  if (entry.kind === 'reset') return noPolicy;
  const request = entry.requestId === null ? undefined : requests.get(entry.requestId);
  const document = request && readDocument(request.document);
  if (request === undefined || document === undefined || document.account !== account) return undefined;
  if (document.request !== entry.requestId || document.kind !== entry.kind) return undefined;
  if (entry.at.getTime() >= Date.parse(document.expires_at)) return undefined;
  if (!state.isOn) {
    const policy = readOrder('policy', document);
    const mark = makeMark(firstPolicyMarkText(digestOf(request.document)));
    const isMarked = mark !== undefined && entry.mark !== null && mark.equals(entry.mark);
    return policy !== undefined && isMarked ? begin(policy) : undefined;
  }
  const counting = await findCountingApprovers(state, request.document, request.approvals, {
    makeMark,
    at: entry.at,
  });
  if (counting.length < neededApprovals(state, document.maker)) return undefined;
  const policy = readOrder('policy', document);
  if (policy !== undefined) return policy.enabled ? { ...state, ...termsOf(policy) } : noPolicy;
  const approver = readOrder('approver', document);
  if (approver !== undefined) return withApprover(state, approver);
  const destination = readOrder('destination', document);
  if (destination === undefined) return undefined;
  return {
    ...state,
    destinations: new Map(state.destinations).set(destination.pix_key, destination.day_limit_cents),
  };
}

function begin(policy: PolicyOrder): PolicyState | undefined {
  if (!policy.enabled || policy.approvers === undefined) return undefined;
  return {
    ...termsOf(policy),
    approvers: new Map(policy.approvers.map((approver) => [approver.user, approver])),
    destinations: new Map(),
    endedKeys: new Set(),
    entryCount: 0,
  };
}

function termsOf(policy: PolicyOrder) {
  return {
    isOn: policy.enabled,
    fromCents: policy.from_cents,
    approvals: policy.approvals,
    expiresHours: policy.expires_hours,
    passkeysOnly: policy.passkeys_only,
  };
}

function withApprover(state: PolicyState, approver: DocumentedApprover): PolicyState {
  // A factor that was removed stays removed, even if the request was made before.
  const keys = approver.keys.filter(({ id }) => !state.endedKeys.has(id));
  return { ...state, approvers: new Map(state.approvers).set(approver.user, { ...approver, keys }) };
}

function withoutEnded(state: PolicyState, { userId, keyId, pixKey }: HistoryEntry): PolicyState {
  if (pixKey !== null) {
    const destinations = new Map(state.destinations);
    destinations.delete(pixKey);
    return { ...state, destinations };
  }
  const endedKeys = keyId === null ? state.endedKeys : new Set([...state.endedKeys, keyId]);
  const approvers = new Map(state.approvers);
  const approver = userId === null ? undefined : approvers.get(userId);
  if (approver === undefined) return { ...state, endedKeys };
  const keys = keyId === null ? [] : approver.keys.filter(({ id }) => id !== keyId);
  if (keys.length === 0) approvers.delete(approver.user);
  else approvers.set(approver.user, { ...approver, keys });
  return { ...state, approvers, endedKeys };
}
