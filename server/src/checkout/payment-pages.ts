import type { PaymentPageStatus } from '@jangada/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { sendError } from '../http/error-response.ts';
import { Refusal } from '../refusal.ts';
import type { AnswerPage } from './answer-page.ts';
import { determinePaymentState, loadPaymentPage, loadReceiptPage } from './load-payment-page.ts';
import { findChargeStatusFields } from './payment-store.ts';

type PageDeps = Pick<Deps, 'db' | 'clock' | 'banks'>;

/**
 * Serves the payment page, the receipt and the status of each charge to anyone who has its address. The `id` in an
 * address is the charge's txid.
 */
export function paymentPages(deps: PageDeps, answerPage: AnswerPage) {
  return (scope: FastifyInstance): void => {
    scope.get('/pagar/:id', (request, reply) =>
      answerPayment(deps, answerPage, txidFromRequest(request), reply),
    );
    scope.get('/comprovante/:id', (request, reply) =>
      answerReceipt(deps, answerPage, txidFromRequest(request), reply),
    );
    scope.get('/pagar/:id/status', { errorHandler: sendError }, async (request, reply) => {
      reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
      return await readStatus(deps, txidFromRequest(request));
    });
  };
}

async function answerPayment(deps: PageDeps, answerPage: AnswerPage, txid: string, reply: FastifyReply) {
  const page = await loadPaymentPage(deps, txid);
  return page === undefined
    ? answerPage(reply, { kind: 'notice', about: 'payment-unknown' }, 404)
    : answerPage(reply, page);
}

async function answerReceipt(deps: PageDeps, answerPage: AnswerPage, txid: string, reply: FastifyReply) {
  const page = await loadReceiptPage(deps, txid);
  // An unpaid charge has no receipt, so its payment page is shown instead.
  if (page === null) return reply.header('cache-control', 'no-store').redirect(`/pagar/${txid}`, 302);
  return page === undefined
    ? answerPage(reply, { kind: 'notice', about: 'receipt-unknown' }, 404)
    : answerPage(reply, page);
}

async function readStatus({ db, clock }: PageDeps, txid: string): Promise<PaymentPageStatus> {
  const charge = await findChargeStatusFields(db, txid);
  if (charge === undefined) throw new Refusal('PAYMENT_NOT_FOUND');
  const now = clock.now();
  return {
    status: determinePaymentState(charge, now),
    now: now.toISOString(),
    expires_at: charge.expiresAt.toISOString(),
    paid_at: charge.paidAt?.toISOString() ?? null,
  };
}

const paramsSchema = z.object({ id: z.string() });

function txidFromRequest(request: FastifyRequest): string {
  return paramsSchema.parse(request.params).id;
}
