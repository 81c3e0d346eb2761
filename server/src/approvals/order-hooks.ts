import type { Tx } from '../db/transaction.ts';

/** Why an order ends without being sent: a stable code and a sentence for the merchant. */
export type OrderEnd = { readonly code: string; readonly text: string };

/** The effects of approvals on an order to the bank. Its module provides it, because approvals know no orders. */
export type OrderHooks = {
  /** Locks the order, which comes before its request in the order of locks. */
  readonly lock: (tx: Tx, merchantId: number, orderId: string) => Promise<void>;
  /** Makes the order due: it was approved. */
  readonly release: (tx: Tx, merchantId: number, orderId: string) => Promise<void>;
  /** Ends the order and gives its money back. Comes last in its transaction. */
  readonly end: (tx: Tx, merchantId: number, orderId: string, reason: OrderEnd) => Promise<void>;
};

export type AllOrderHooks = { readonly withdrawal: OrderHooks; readonly refund: OrderHooks };

/** The hooks of a request about an order; undefined for any other act. */
export function hooksOf(hooks: AllOrderHooks, kind: string): OrderHooks | undefined {
  return kind === 'withdrawal' || kind === 'refund' ? hooks[kind] : undefined;
}
