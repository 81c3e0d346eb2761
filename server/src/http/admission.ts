import type { FastifyInstance, FastifyReply } from 'fastify';
import { Refusal } from '../refusal.ts';

export type AdmissionOptions = {
  /** Whether a request to this address counts here. */
  readonly covers: (url: string) => boolean;
  readonly limit: number;
};

/**
 * Bounds how many requests of a kind are worked on: beyond that more work would only make all of it slower, so the
 * caller is told to come back. Each kind has a bound of its own, so that a flood of calls keeps no notice of the
 * bank outside. While a body is on its way its request takes no place: whoever sends slowly keeps nobody out.
 */
export function boundInFlight(server: FastifyInstance, { covers, limit }: AdmissionOptions): void {
  const working = new Set<FastifyReply['raw']>();
  const enter = async ({ url }: { readonly url: string }, { raw }: FastifyReply) => {
    // Of a connection that has ended no end would be heard any more.
    if (!covers(url) || raw.destroyed) return;
    if (working.size >= limit) throw new Refusal('OVERLOADED', { retryAfterSeconds: 1 });
    working.add(raw);
  };
  server.addHook('onRequest', async (request, reply) => {
    // Comes once, whether the answer was sent or the caller went away.
    if (covers(request.url)) reply.raw.once('close', () => working.delete(reply.raw));
    await enter(request, reply);
  });
  server.addHook('preParsing', async (_request, { raw }) => {
    working.delete(raw);
  });
  server.addHook('preValidation', enter);
}
