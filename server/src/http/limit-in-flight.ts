import type { FastifyInstance, FastifyReply } from 'fastify';
import { Refusal } from '../refusal.ts';

type InFlightLimit = {
  /** Returns whether requests to this URL count towards this limit. */
  readonly isLimited: (url: string) => boolean;
  readonly limit: number;
};

/**
 * Limits how many requests of one kind are processed at once. More would only slow all of them down, so the excess is
 * refused with OVERLOADED and a retry time. Each kind has its own limit, so that a flood of API calls cannot block the
 * bank's notices. A request occupies its slot while the gateway works on it, even if the caller has disconnected. The
 * slot is free while the body arrives and while the client reads the response, so slow clients block nobody. Large
 * bodies fill memory while they arrive, so for that time they also need an upload slot (limit-uploads.ts).
 */
export function limitInFlight(server: FastifyInstance, { isLimited, limit }: InFlightLimit): void {
  const inFlight = new Set<FastifyReply['raw']>();
  const takeSlot = async ({ url }: { readonly url: string }, { raw }: FastifyReply) => {
    if (!isLimited(url)) return;
    if (inFlight.size >= limit) throw new Refusal('OVERLOADED', { retryAfterSeconds: 1 });
    inFlight.add(raw);
  };
  server.addHook('onRequest', takeSlot);
  // The slot is free while the body arrives; the request must get one again before it is handled.
  server.addHook('preParsing', async (_request, { raw }) => {
    inFlight.delete(raw);
  });
  server.addHook('preValidation', takeSlot);
  // Runs for everything a handler returns or throws, even if the caller has disconnected.
  server.addHook('onSend', (_request, { raw }, payload, done) => {
    inFlight.delete(raw);
    done(null, payload);
  });
}
