import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { outageRefusal, protocolRefusal } from '../http/error-response.ts';
import { networkOf } from '../http/network-of.ts';
import { RateLimit } from '../http/rate-limit.ts';
import { Refusal } from '../refusal.ts';
import type { AnswerPage } from './answer-page.ts';

/** Adds routes that respond with pages for payers. */
export type AddPayerRoutes = (scope: FastifyInstance) => void;

/**
 * The path prefixes of the payers' pages, each with its notice. An unknown address below a prefix is answered with this
 * notice, and never with the dashboard.
 */
const unknownPageNotices = [
  ['/pagar', 'payment-unknown'],
  ['/comprovante', 'receipt-unknown'],
  ['/link', 'link-unknown'],
  ['/balcao', 'code-unknown'],
  ['/c', 'customer-unknown'],
  ['/lembretes', 'customer-unknown'],
  ['/autorizar', 'subscription-unknown'],
] as const;

/**
 * Serves the payers' pages. Payers have no key or session, so requests are limited by network, and every refusal or
 * failure is answered with a page.
 */
export function mountPayerPages(
  server: FastifyInstance,
  config: Pick<Config, 'rateLimit'>,
  answerPage: AnswerPage,
  pages: readonly AddPayerRoutes[],
): void {
  const rateLimit = new RateLimit(config.rateLimit);
  server.register(async (scope) => {
    scope.addHook('onRequest', async ({ ip }) => {
      const { allowed, resetSeconds } = rateLimit.take(networkOf(ip));
      if (!allowed) throw new Refusal('RATE_LIMITED', { retryAfterSeconds: resetSeconds });
    });
    scope.setErrorHandler((error, request, reply) => answerFailure(answerPage, error, request, reply));
    for (const addRoutes of pages) addRoutes(scope);
    for (const [prefix, about] of unknownPageNotices) {
      const answerUnknown = (_: FastifyRequest, reply: FastifyReply) =>
        answerPage(reply, { kind: 'notice', about }, 404);
      scope.get(prefix, answerUnknown);
      scope.get(`${prefix}/*`, answerUnknown);
    }
  });
}

async function answerFailure(
  answerPage: AnswerPage,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (error instanceof Refusal && (error.code === 'RATE_LIMITED' || error.code === 'OVERLOADED')) {
    reply.header('retry-after', Math.max(1, Math.ceil(error.retryAfterSeconds ?? 1)));
    return answerPage(reply, { kind: 'notice', about: 'too-many' }, error.status);
  }
  const outage = outageRefusal(error, request);
  if (outage !== undefined) {
    reply.header('retry-after', outage.retryAfterSeconds);
    return answerPage(reply, { kind: 'notice', about: 'failed' }, outage.status);
  }
  const protocolError = protocolRefusal(error);
  if (protocolError !== undefined)
    return answerPage(reply, { kind: 'notice', about: 'unreadable' }, protocolError.status);
  request.log.error({ err: error }, "a request for a payer's page failed");
  return answerPage(reply, { kind: 'notice', about: 'failed' }, 500);
}
