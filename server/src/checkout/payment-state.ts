import type { PaymentState } from '@jangada/contract';

/** As much of a charge as tells how it stands for its payer. */
export type ChargeStatusFields = {
  readonly status: string;
  readonly expiresAt: Date;
  readonly cancelledAt: Date | null;
};

/** How a charge stands for its payer: over when its time is, whether or not that was written down yet. */
export function stateOf({ status, expiresAt, cancelledAt }: ChargeStatusFields, now: Date): PaymentState {
  if (status === 'paid' || status === 'refunded') return status;
  if (status === 'error') return 'failed';
  if (cancelledAt !== null) return 'cancelled';
  return status === 'pending' && expiresAt > now ? 'waiting' : 'expired';
}
