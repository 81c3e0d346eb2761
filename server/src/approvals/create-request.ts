import { randomUUID } from 'node:crypto';
import type { ApprovalKind, UnusualSign } from '@jangada/contract';
import { formatMomentForSentence } from '../calendar-day.ts';
import { addMs } from '../clock.ts';
import type { Tx } from '../db/transaction.ts';
import type { PolicyState } from './count-approvals.ts';
import { type Order, writeDocument } from './document.ts';
import { insertRequest, type RequestRow } from './store.ts';
import { tellApprovers } from './tell-people.ts';

export type NewRequest = {
  readonly merchantId: number;
  readonly kind: ApprovalKind;
  readonly subject: string;
  readonly order: Order;
  /** The person who asks; null if an API key does. */
  readonly madeBy: number | null;
  readonly unusual?: readonly UnusualSign[];
};

/** Stores a request for approval and tells those who may approve it. */
export async function createRequest(
  tx: Tx,
  state: PolicyState,
  origin: string,
  request: NewRequest,
): Promise<RequestRow> {
  const row = await storeRequest(tx, origin, request, state.expiresHours);
  await tellApprovers(tx, state, row);
  return row;
}

/** Stores a request without telling anybody, for a first policy that needs no approval. */
export function storeRequest(
  tx: Tx,
  origin: string,
  { merchantId, kind, subject, order, madeBy, unusual = [] }: NewRequest,
  expiresHours: number,
): Promise<RequestRow> {
  const id = randomUUID();
  const expiresAt = addMs(tx.now, expiresHours * 3_600_000);
  const document = writeDocument({
    origin,
    account: merchantId,
    request: id,
    kind,
    order,
    maker: madeBy,
    made_at: tx.now.toISOString(),
    expires_at: expiresAt.toISOString(),
  });
  return insertRequest(tx, {
    merchant_id: merchantId,
    id,
    kind,
    subject,
    document,
    made_by: madeBy,
    unusual: [...unusual],
    created_at: tx.now,
    expires_at: expiresAt,
  });
}

/** The sentence of an order that waits, for its maker. */
export function waitingText(needed: number, { expires_at }: Pick<RequestRow, 'expires_at'>): string {
  const people = needed === 1 ? 'de outra pessoa' : `de mais ${needed} pessoas`;
  return `Espera a aprovação ${people}, até ${formatMomentForSentence(expires_at)}.`;
}
