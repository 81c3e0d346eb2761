import type { Buffer } from 'node:buffer';
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';
import { endLateRequest } from './body-time.ts';
import { answerError, isTooLarge } from './error-response.ts';
import { boundaryOf, longestUpload, readMultipart, type Upload } from './read-multipart.ts';

/** When no slot is free, an upload slower than this over some seconds loses its slot: 128 kbit/s. */
const crawlBytesPerMs = 16;
const watchedMs = 3000;

type Place = {
  readonly raw: FastifyReply['raw'];
  readonly request: FastifyRequest['raw'];
  isRead: boolean;
  /** Bytes received on its connection at the last check, and the time of that check. */
  seen: { readonly bytes: number; readonly at: number };
};

/**
 * Limits concurrent large bodies, from their first byte until their response is ready, because each is held in memory
 * in full: one per caller and `limit` in total. When all slots are taken, a nearly stalled upload is ended to make room
 * for a new one, so that accounts that send nothing cannot block others for long. Refused with OVERLOADED.
 */
export function createUploadLimit(
  server: FastifyInstance,
  limit: number,
): (request: Pick<FastifyRequest, 'caller' | 'raw'>, reply: Pick<FastifyReply, 'raw'>) => void {
  const uploading = new Map<number, Place>();
  const placeOf = ({ caller }: Pick<FastifyRequest, 'caller'>, raw: FastifyReply['raw']) => {
    const place = caller && uploading.get(caller.userId);
    return place?.raw === raw ? place : undefined;
  };
  const makeRoom = () => {
    for (const [userId, place] of uploading)
      if (isCrawling(place)) {
        uploading.delete(userId);
        endLateRequest(place.request);
        return;
      }
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
    if (uploading.size >= limit && !uploading.has(userId)) makeRoom();
    if (uploading.has(userId) || uploading.size >= limit)
      throw new Refusal('OVERLOADED', { retryAfterSeconds: 5 });
    uploading.set(userId, { raw, request: request.raw, isRead: false, seen: seenNow(request.raw) });
    // A request whose body is cut off may never be answered.
    raw.once('close', () => {
      if (placeOf(request, raw)?.isRead === false) uploading.delete(userId);
    });
  };
}

/** Checks again only some seconds after the last check: a shorter pause may only be a bad connection. */
function isCrawling(place: Place): boolean {
  const { request, isRead, seen } = place;
  const now = seenNow(request);
  const ms = now.at - seen.at;
  if (isRead || request.complete || ms < watchedMs) return false;
  place.seen = now;
  return now.bytes - seen.bytes < ms * crawlBytesPerMs;
}

/** A request injected without a connection has already arrived in full. */
function seenNow({ socket }: FastifyRequest['raw']): Place['seen'] {
  return {
    bytes: socket instanceof Socket ? socket.bytesRead : Number.POSITIVE_INFINITY,
    at: performance.now(),
  };
}

/** Refuses a call that is not multipart with UNSUPPORTED_MEDIA_TYPE, before its body is read. */
export function refuseOtherBodies({ headers }: Pick<FastifyRequest, 'headers'>): void {
  if (boundaryOf(headers['content-type']) === undefined)
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', { message: 'Envie os arquivos como multipart/form-data.' });
}

/** Makes the routes of a scope accept only the files of an upload as their body. */
export function takeUploads(scope: FastifyInstance, upload: Upload): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser<Buffer>(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: longestUpload(upload) },
    async (request: FastifyRequest, body: Buffer) =>
      readMultipart(body, boundaryOf(request.headers['content-type']) ?? '', upload),
  );
  scope.setErrorHandler((error, request, reply) =>
    answerError(isTooLarge(error) ? new Refusal(upload.tooLarge) : error, request, reply),
  );
}
