import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';

/**
 * Bounds how many large bodies are taken at once, from their first byte until their answer is ready: each stands in memory
 * whole. One of each caller, and `limit` of all.
 */
export function createUploadLimit(
  server: FastifyInstance,
  limit: number,
): (request: Pick<FastifyRequest, 'caller'>, reply: Pick<FastifyReply, 'raw'>) => void {
  const uploading = new Map<number, { readonly raw: FastifyReply['raw']; isRead: boolean }>();
  const placeOf = ({ caller }: Pick<FastifyRequest, 'caller'>, raw: FastifyReply['raw']) => {
    const place = caller && uploading.get(caller.userId);
    return place?.raw === raw ? place : undefined;
  };
  server.addHook('preValidation', (request, { raw }, done) => {
    const place = placeOf(request, raw);
    if (place !== undefined) place.isRead = true;
    done();
  });
  server.addHook('onSend', (request, { raw }, payload, done) => {
    if (request.caller !== undefined && placeOf(request, raw)) uploading.delete(request.caller.userId);
    done(null, payload);
  });
  return (request, { raw }) => {
    const { caller } = request;
    if (caller === undefined || raw.destroyed) return;
    const { userId } = caller;
    if (uploading.has(userId) || uploading.size >= limit)
      throw new Refusal('OVERLOADED', { retryAfterSeconds: 5 });
    uploading.set(userId, { raw, isRead: false });
    // One whose body breaks off may never be answered.
    raw.once('close', () => {
      if (placeOf(request, raw)?.isRead === false) uploading.delete(userId);
    });
  };
}
