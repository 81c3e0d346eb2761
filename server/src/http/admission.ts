import type { FastifyInstance } from 'fastify';
import { Refusal } from '../refusal.ts';

export type AdmissionOptions = {
  /** Whether a request to this address counts here. */
  readonly covers: (url: string) => boolean;
  readonly limit: number;
};

/**
 * Bounds how many requests of a kind are under way: beyond that more work would only make all of it slower, so the
 * caller is told to come back. Each kind has a bound of its own, so that a flood of calls keeps no notice of the
 * bank outside.
 */
export function boundInFlight(server: FastifyInstance, { covers, limit }: AdmissionOptions): void {
  let underWay = 0;
  server.addHook('onRequest', async (request, reply) => {
    if (!covers(request.url)) return;
    if (underWay >= limit) throw new Refusal('OVERLOADED', { retryAfterSeconds: 1 });
    underWay += 1;
    // Comes once, whether the answer was sent or the caller went away.
    reply.raw.once('close', () => {
      underWay -= 1;
    });
  });
}
