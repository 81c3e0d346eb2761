import type { ApprovalKind } from '@jangada/contract';
import type { Tx } from '../db/transaction.ts';
import type { PolicyState } from './count-approvals.ts';
import { readDocument, readOrder } from './document.ts';
import { insertHistory, type RequestRow, updateRequest } from './store.ts';

/** Whether an approved request of this kind grants something by itself, as an entry of the history. */
export function grantsRight(kind: ApprovalKind): kind is 'policy' | 'approver' | 'destination' {
  return kind === 'policy' || kind === 'approver' || kind === 'destination';
}

/** Carries out a request that enough people approved: what it grants counts from now on. */
export async function grantRight(
  tx: Tx,
  { entryCount }: PolicyState,
  request: RequestRow & { readonly kind: 'policy' | 'approver' | 'destination' },
): Promise<void> {
  const document = readDocument(request.document);
  const destination = document && readOrder('destination', document);
  await updateRequest(tx, request, { status: 'done', ended_at: tx.now, history_seq: entryCount });
  await insertHistory(tx, {
    merchant_id: request.merchant_id,
    kind: request.kind,
    request_id: request.id,
    ...(destination && { pix_key: destination.pix_key }),
  });
}
