import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';

/**
 * Bounds how many large bodies are taken at once, from their first byte to the answer: each stands in memory whole. One of
 * each caller, and `limit` of all.
 */
export function createUploadBound(
  limit: number,
): (request: Pick<FastifyRequest, 'caller'>, reply: Pick<FastifyReply, 'raw'>) => void {
  const uploading = new Map<number, FastifyReply['raw']>();
  return ({ caller }, { raw }) => {
    if (caller === undefined || raw.destroyed) return;
    const { userId } = caller;
    if (uploading.has(userId) || uploading.size >= limit)
      throw new Refusal('OVERLOADED', { retryAfterSeconds: 5 });
    uploading.set(userId, raw);
    raw.once('close', () => uploading.delete(userId));
  };
}
