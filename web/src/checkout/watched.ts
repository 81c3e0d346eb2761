import type { PaymentPage } from '@jangada/contract';

/** The attributes that the script reads: it polls the payment's status, and counts by the gateway's clock. */
export function watched({ id, state, now, expiresAt }: PaymentPage) {
  return { 'data-id': id, 'data-state': state, 'data-now': now, 'data-expires': expiresAt } as const;
}
