import type { Config } from '../config.ts';
import type { TxWithSecrets } from '../db/transaction.ts';
import { Refusal } from '../refusal.ts';
import {
  findCountingApprovers,
  neededApprovals,
  type PolicyState,
  samePersonRule,
} from './count-approvals.ts';
import { createRequest, waitingText } from './create-request.ts';
import { readDocument } from './document.ts';
import {
  type Demand,
  findDemand,
  findUnusual,
  type MoneyOrder,
  orderContent,
  withOthersText,
} from './money-order.ts';
import { makeMarkWith, readPolicy } from './read-policy.ts';
import {
  findOrderRequest,
  lockAllowedApprovers,
  type RequestRow,
  selectApprovals,
  updateRequest,
} from './store.ts';

/** Why an order waits: a stable code and a sentence for the merchant. */
export type ApprovalWait = { readonly code: 'APPROVAL_WAITING'; readonly text: string };

/**
 * Asks for approval of a new order if the policy of its account demands it. Returns why the order waits, or undefined if
 * it may be sent. Refused with APPROVERS_TOO_FEW if nobody could approve it.
 */
export async function askForApproval(
  tx: TxWithSecrets,
  { publicUrl }: Pick<Config, 'publicUrl'>,
  order: MoneyOrder,
): Promise<ApprovalWait | undefined> {
  const state = await readPolicy(tx, order.merchantId);
  const demand = await findDemand(tx, state, order);
  if (demand === undefined) return undefined;
  refuseWithoutApprovers(state, order.madeBy, tx.now);
  return ask(tx, publicUrl, state, { ...order, demand });
}

async function ask(
  tx: TxWithSecrets,
  publicUrl: string,
  state: PolicyState,
  { demand, ...order }: MoneyOrder & { readonly demand: Demand },
): Promise<ApprovalWait> {
  const request = await createRequest(tx, state, new URL(publicUrl).origin, {
    merchantId: order.merchantId,
    kind: order.kind,
    subject: order.id,
    order: orderContent(order),
    madeBy: order.madeBy,
    unusual: await findUnusual(tx, order, demand),
  });
  return { code: 'APPROVAL_WAITING', text: waitText(state, request, demand) };
}

function waitText(state: PolicyState, request: RequestRow, demand: Demand): string {
  return `${waitingText(neededApprovals(state, request.made_by), request)}${withOthersText(demand, state)}`;
}

/** Refuses with APPROVERS_TOO_FEW what the people who approve could never approve together. */
export function refuseWithoutApprovers(state: PolicyState, madeBy: number | null, now: Date): void {
  if (countPeople(state, madeBy, now) < neededApprovals(state, madeBy))
    throw new Refusal('APPROVERS_TOO_FEW');
}

/**
 * Refuses with APPROVERS_TOO_FEW that an approver leaves by themself without whom the others could approve nothing any
 * more, not even a change of the policy. An owner who removes somebody is not held up.
 */
export async function refuseLeavingTooFew(
  tx: TxWithSecrets,
  merchantId: number,
  userId: number,
): Promise<void> {
  const state = await readPolicy(tx, merchantId);
  if (!state.isOn || !state.approvers.has(userId)) return;
  const approvers = new Map([...state.approvers].filter(([id]) => id !== userId));
  if (countPeople({ ...state, approvers }, null, tx.now) > state.approvals) return;
  throw new Refusal('APPROVERS_TOO_FEW', {
    message:
      'Sem você, quem fica não consegue aprovar mais nada nesta conta. Antes, desliguem a política de aprovação ou aprovem outra pessoa.',
  });
}

/** Counts the people who may approve together, without the maker. */
export function countPeople(
  { approvers, passkeysOnly }: PolicyState,
  madeBy: number | null,
  now: Date,
): number {
  const isSamePerson = samePersonRule(approvers, now);
  const people: number[] = [];
  for (const { user, keys } of approvers.values()) {
    if (passkeysOnly && keys.every(({ public_key }) => public_key === null)) continue;
    const others = madeBy === null ? people : [...people, madeBy];
    if (!others.some((other) => isSamePerson(other, user))) people.push(user);
  }
  return people.length;
}

/**
 * Decides whether an order may be sent now: called by the part that speaks to the bank, which believes no status but
 * proves the approvals itself. Whoever approved keeps their right until the caller commits. Returns undefined if the
 * order may be sent; otherwise why it waits, after asking for approval if nobody did yet.
 */
export async function checkApproval(
  tx: TxWithSecrets,
  config: Pick<Config, 'publicUrl'>,
  order: MoneyOrder,
): Promise<ApprovalWait | undefined> {
  const state = await readPolicy(tx, order.merchantId);
  const demand = await findDemand(tx, state, order);
  if (demand === undefined) return undefined;
  const request = await findOrderRequest(tx.db, order.merchantId, order.kind, order.id);
  if (request === undefined) return ask(tx, config.publicUrl, state, { ...order, demand });
  const isRefused = !['open', 'approved', 'done'].includes(request.status);
  if (!isRefused && isAbout(request, order, tx.now) && (await hasEnoughApprovals(tx, state, request))) {
    if (request.status !== 'done')
      await updateRequest(tx, request, {
        status: 'done',
        ended_at: tx.now,
        history_seq: state.entryCount,
      });
    return undefined;
  }
  // Who approved has lost the right since, or the policy demands more by now.
  if (request.status === 'approved') await updateRequest(tx, request, { status: 'open' });
  return { code: 'APPROVAL_WAITING', text: waitText(state, request, demand) };
}

/** Whether a request is about exactly this order, and its time is not over. */
function isAbout({ document }: RequestRow, order: MoneyOrder, now: Date): boolean {
  const content = readDocument(document);
  return (
    content !== undefined &&
    content.account === order.merchantId &&
    content.kind === order.kind &&
    content.maker === order.madeBy &&
    Date.parse(content.expires_at) > now.getTime() &&
    JSON.stringify(content.order) === JSON.stringify(orderContent(order))
  );
}

/** Whether enough people approved a request who have the right to at this moment. */
export async function hasEnoughApprovals(
  tx: TxWithSecrets,
  state: PolicyState,
  { merchant_id, id, document }: RequestRow,
): Promise<boolean> {
  const approvals = await selectApprovals(tx.db, merchant_id, [id]);
  const allowed = await lockAllowedApprovers(
    tx,
    merchant_id,
    approvals.map(({ userId }) => userId),
  );
  const counting = await findCountingApprovers(state, document, approvals, {
    makeMark: makeMarkWith(tx.secrets),
    at: tx.now,
    isStillAllowed: (userId) => allowed.has(userId),
  });
  const maker = readDocument(document)?.maker ?? null;
  return counting.length >= neededApprovals(state, maker);
}
