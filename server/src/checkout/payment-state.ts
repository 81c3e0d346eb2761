import type { PaymentState } from '@jangada/contract';

/** The fields of a charge that determine its state for the payer. */
export type ChargeStatusFields = {
  readonly status: string;
  readonly expiresAt: Date;
  readonly cancelledAt: Date | null;
};

/** The state of a charge for its payer: expired as soon as its time is up, even if that is not recorded yet. */
export function stateOf({ status, expiresAt, cancelledAt }: ChargeStatusFields, now: Date): PaymentState {
  if (status === 'paid' || status === 'refunded') return status;
  if (status === 'error') return 'failed';
  if (cancelledAt !== null) return 'cancelled';
  return status === 'pending' && expiresAt > now ? 'waiting' : 'expired';
}
