import type { PaymentPage } from '@jangada/contract';

/** What the script reads of a payment: it asks for its status, and counts by the gateway's clock. */
export function watched({ id, state, now, expiresAt }: PaymentPage) {
  return { 'data-id': id, 'data-state': state, 'data-now': now, 'data-expires': expiresAt } as const;
}
