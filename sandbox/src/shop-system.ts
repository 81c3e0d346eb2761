import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Bank } from './bank.ts';

/** The path of the example shop's system: the gateway sends webhooks here by POST, and a GET shows those received. */
export const SHOP_SYSTEM_PATH = '/loja/webhooks';

/** How many of the latest webhooks are kept, in memory only: a restart discards them. */
const MAX_WEBHOOKS = 50;
const BODY_LIMIT = 64 * 1024;

const headersSchema = z.object({
  'webhook-id': z.string().max(200).default(''),
  'webhook-signature': z.string().max(1000).default(''),
});

/** Simulates a shop's system, which accepts every webhook unless the behaviour `shopSystem` is `down`. */
export function shopSystemRoutes(app: FastifyInstance, bank: Bank): void {
  app.post(SHOP_SYSTEM_PATH, { bodyLimit: BODY_LIMIT }, async (request, reply) => {
    const { 'webhook-id': id, 'webhook-signature': signature } = headersSchema.parse(request.headers);
    const isAccepted = bank.books.behaviour.shopSystem === 'normal';
    const { body } = request;
    bank.receivedWebhooks.unshift({ at: bank.books.clock.now(), id, signature, body, isAccepted });
    bank.receivedWebhooks.splice(MAX_WEBHOOKS);
    return isAccepted
      ? { received: true }
      : reply.status(503).send({ received: false, error: 'O sistema da loja está fora do ar.' });
  });
}
