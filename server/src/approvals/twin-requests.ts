import type { ApprovalKind } from '@jangada/contract';
import type { TxWithSecrets } from '../db/transaction.ts';
import { Refusal } from '../refusal.ts';
import { type Order, readDocument } from './document.ts';
import { type RequestRow, selectWaitingOfKind, updateRequest } from './store.ts';

/*
 * Requests for the same act: by two people, or by one who gave another reason. An act can be carried out once, so the
 * others end with it, and nobody is asked twice for one act without noticing.
 */

/** What in an order names the thing on which it acts, for acts that one thing admits once. */
const targets: Partial<Record<ApprovalKind, readonly string[]>> = {
  'held-withdrawal': ['user', 'id'],
  'unmatched-pix': ['end_to_end_id'],
  'open-item': ['id'],
  payouts: ['action'],
  administrator: ['user'],
  recovery: ['user'],
};

/**
 * Whether an act that was carried out leaves nothing to do of another request. What a merchant asks for may be done
 * twice, such as two keys of one name, except where two people asked for exactly the same.
 */
function isTwin(kind: ApprovalKind, done: Order, other: Order): boolean {
  const target = targets[kind];
  if (target !== undefined) return target.every((name) => String(done[name]) === String(other[name]));
  const isRepeatable = kind === 'key' || kind === 'withdrawal' || kind === 'refund' || kind === 'approver';
  return !isRepeatable && JSON.stringify(done) === JSON.stringify(other);
}

/** Ends the other requests for an act that is carried out now. */
export async function endTwins(
  tx: TxWithSecrets,
  { id: ownId, kind, merchant_id, document }: RequestRow,
): Promise<void> {
  const done = readDocument(document)?.order;
  if (done === undefined) return;
  for (const request of await selectWaitingOfKind(tx, merchant_id, kind)) {
    const order = readDocument(request.document)?.order;
    if (request.id === ownId || order === undefined || !isTwin(kind, done, order)) continue;
    await updateRequest(tx, request, {
      status: 'cancelled',
      ended_at: tx.now,
      reason: 'Outro pedido sobre o mesmo foi cumprido.',
    });
  }
}

/**
 * Refuses to ask again for an act for which the same person asked with another reason: what others approve is also the
 * reason. Refused with APPROVAL_REQUESTED, naming the request that waits and its reason.
 */
export async function refuseOtherReason(
  tx: TxWithSecrets,
  {
    merchantId,
    kind,
    madeBy,
    order,
  }: {
    readonly merchantId: number;
    readonly kind: ApprovalKind;
    readonly madeBy: number;
    readonly order: Order;
  },
): Promise<void> {
  if (order['reason'] === undefined) return;
  const withoutReason = (asked: Order) => JSON.stringify({ ...asked, reason: '' });
  for (const { id, status, document, made_by, expires_at } of await selectWaitingOfKind(
    tx,
    merchantId,
    kind,
  )) {
    const other = readDocument(document)?.order;
    if (other === undefined || made_by !== madeBy || expires_at <= tx.now) continue;
    if (withoutReason(other) !== withoutReason(order)) continue;
    const state = status === 'approved' ? 'e já foi aprovado' : 'e ainda espera';
    throw new Refusal('APPROVAL_REQUESTED', {
      message: `Você já pediu isto ${state}, com outro motivo: “${String(other['reason'])}”. Use o mesmo motivo para concluir, ou desista do pedido.`,
      details: { approval_id: id },
    });
  }
}
