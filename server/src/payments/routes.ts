import {
  brlFromCents,
  type CreatedPayment,
  createPayment,
  getPaymentStatus,
  transactionFeed,
} from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { qrPicture } from '../qr-picture.ts';
import { Refusal } from '../refusal.ts';
import { createPayment as create } from './create-payment.ts';
import { listTransactions } from './list-transactions.ts';
import type { Charge } from './payment.ts';
import { findCharge } from './store.ts';

export function paymentRoutes(deps: Deps): Route[] {
  return [
    route(createPayment, async ({ body, caller, idempotency }) => {
      const wanted = {
        merchantId: caller.userId,
        amount: body.amount,
        expiresInSeconds: body.expires_in,
        callbackUrl: body.callback_url ?? undefined,
      };
      return createdPaymentFrom(await create(deps, wanted, idempotency), body.image);
    }),
    route(getPaymentStatus, async ({ params, caller }) => {
      const charge = await findCharge(deps.db, caller.userId, params.id);
      if (charge === undefined) throw new Refusal('PAYMENT_NOT_FOUND');
      return {
        id: charge.id,
        status: charge.status,
        amount: brlFromCents(charge.amountCents),
        credited_amount: brlFromCents(charge.amountCents - charge.feeCents),
        created_at: charge.createdAt.toISOString(),
        paid_at: charge.paidAt?.toISOString() ?? null,
        expires_at: charge.expiresAt.toISOString(),
        refunded_amount: brlFromCents(charge.refundedCents),
      };
    }),
    route(transactionFeed, ({ query, caller }) => listTransactions(deps, caller.userId, query)),
  ];
}

async function createdPaymentFrom(charge: Charge, withPicture: boolean): Promise<CreatedPayment> {
  return {
    id: charge.id,
    text: charge.brCode,
    content: charge.brCode,
    image: withPicture ? await qrPicture(charge.brCode) : null,
    status: charge.status,
    amount: brlFromCents(charge.amountCents),
    fee: brlFromCents(charge.feeCents),
    credited_amount: brlFromCents(charge.amountCents - charge.feeCents),
    created_at: charge.createdAt.toISOString(),
    expires_at: charge.expiresAt.toISOString(),
  };
}
