import type { FastifyInstance, FastifyReply } from 'fastify';
import { Refusal } from '../refusal.ts';

type AdmissionOptions = {
  /** Returns whether requests to this URL count towards this limit. */
  readonly covers: (url: string) => boolean;
  readonly limit: number;
};

/**
 * Limits how many requests of one kind are processed at once; more would only slow all of them down, so the excess is
 * refused with OVERLOADED and a retry time. Each kind has its own limit, so that a flood of API calls cannot block the
 * bank's notices. A slot is held while the gateway works, even if the caller has disconnected, but not while it waits
 * for the request body or the client's reading, so slow clients block no one. Large bodies are held in memory as they
 * arrive, so they also need an upload slot, held meanwhile (limit-uploads.ts).
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
  // Runs for everything a handler returns or throws, even if the caller has disconnected.
  server.addHook('onSend', (_request, { raw }, payload, done) => {
    working.delete(raw);
    done(null, payload);
  });
}

/**
 * Slots for files streamed while they are read: `limit` in total and one per merchant, so that no merchant blocks the
 * others. Returns a function that takes a slot and returns its release; refused with OVERLOADED when none is free.
 */
export function createConcurrencySlots(limit: number): (merchantId: number) => () => void {
  const taken = new Set<number>();
  return (merchantId) => {
    if (taken.has(merchantId) || taken.size >= limit)
      throw new Refusal('OVERLOADED', { retryAfterSeconds: 10 });
    taken.add(merchantId);
    return () => void taken.delete(merchantId);
  };
}
