import { brlFromCents, type ChargeStatus } from '@jangada/contract';
import type { Tx } from '../db/transaction.ts';
import { writeMessages } from '../outbox/index.ts';
import { emitPaymentEvents } from '../webhooks/index.ts';
import type { Charge } from './payment.ts';

export type ChangedCharge = { readonly charge: Charge; readonly paidAt: Date | null };

/** Tells merchants' systems and open screens that charges came to a status, in the transaction that brought them there. */
export async function tellChange(
  tx: Tx,
  status: Extract<ChargeStatus, 'paid' | 'expired' | 'error'>,
  changes: readonly ChangedCharge[],
): Promise<void> {
  await emitPaymentEvents(
    tx,
    changes.map(({ charge }) => ({
      type: `payment.${status}` as const,
      merchantId: charge.merchantId,
      chargeId: charge.id,
      callbackUrl: charge.callbackUrl,
      status,
      amountCents: charge.amountCents,
      createdAt: charge.createdAt,
    })),
  );
  await writeMessages(
    tx,
    changes.map(({ charge, paidAt }) => ({
      merchantId: charge.merchantId,
      message: {
        type: 'charge',
        charge: {
          id: charge.id,
          status,
          amount: brlFromCents(charge.amountCents),
          credited_amount: brlFromCents(charge.amountCents - charge.feeCents),
          paid_at: paidAt?.toISOString() ?? null,
        },
      },
    })),
  );
}
