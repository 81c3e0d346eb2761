import type { FastifyInstance, FastifyReply } from 'fastify';
import { Refusal } from '../refusal.ts';

export type AdmissionOptions = {
  /** Returns whether requests to this URL count towards this limit. */
  readonly covers: (url: string) => boolean;
  readonly limit: number;
};

/**
 * Bounds how many requests of a kind are worked on: beyond that more work would only make all of it slower, so the
 * caller is told to come back. Each kind has a bound of its own, so that a flood of calls keeps no notice of the
 * bank outside. A place is held while the gateway works, whether the caller is still there or not, and never while it waits
 * for the caller: whoever sends or reads slowly keeps nobody out. Large bodies, which stand in memory while they come, need
 * places of another kind besides, and hold those while they come (limit-uploads.ts).
 */
export function limitInFlight(server: FastifyInstance, { covers, limit }: AdmissionOptions): void {
  const working = new Set<FastifyReply['raw']>();
  const enter = async ({ url }: { readonly url: string }, { raw }: FastifyReply) => {
    if (!covers(url)) return;
    if (working.size >= limit) throw new Refusal('OVERLOADED', { retryAfterSeconds: 1 });
    working.add(raw);
  };
  server.addHook('onRequest', enter);
  server.addHook('preParsing', async (_request, { raw }) => {
    working.delete(raw);
  });
  server.addHook('preValidation', enter);
  // Runs for everything a handler returns or throws, even when the caller is gone.
  server.addHook('onSend', (_request, { raw }, payload, done) => {
    working.delete(raw);
    done(null, payload);
  });
}
