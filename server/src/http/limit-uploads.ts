import type { Buffer } from 'node:buffer';
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';
import { endLateRequest } from './body-time.ts';
import { answerError, isTooLarge } from './error-response.ts';
import { networkOf } from './network-of.ts';
import { boundaryOf, longestUpload, readMultipart, type Upload } from './read-multipart.ts';

/** When no slot is free, an upload slower than this over some seconds loses its slot: 128 kbit/s. */
const crawlBytesPerMs = 16;
const watchedMs = 3000;

type Place = {
  readonly raw: FastifyReply['raw'];
  readonly request: FastifyRequest['raw'];
  readonly approved: boolean;
  readonly network: string;
  isRead: boolean;
  /** Bytes received on its connection at the last check, and the time of that check. */
  seen: { readonly bytes: number; readonly at: number };
};

/**
 * Limits concurrent large bodies, from their first byte until their response is ready, because each is held in memory
 * in full: one per caller and `limit` in total. When all slots are taken, an upload still under way is ended to make
 * room for a new one if it is nearly stalled, if only the newcomer's account is approved, or if its network holds more
 * than its share: neither fresh accounts nor one network can keep everybody else out. Refused with OVERLOADED.
 */
export function createUploadLimit(
  server: FastifyInstance,
  limit: number,
): (request: Pick<FastifyRequest, 'caller' | 'raw' | 'ip'>, reply: Pick<FastifyReply, 'raw'>) => void {
  const uploading = new Map<number, Place>();
  const placeOf = ({ caller }: Pick<FastifyRequest, 'caller'>, raw: FastifyReply['raw']) => {
    const place = caller && uploading.get(caller.userId);
    return place?.raw === raw ? place : undefined;
  };
  const makeRoom = (newcomer: Newcomer) => {
    const underWay = [...uploading].filter(([, place]) => !place.isRead && !place.request.complete);
    const ended = whoMakesRoom(underWay, newcomer);
    if (ended === undefined) return;
    const [userId, { request }] = ended;
    uploading.delete(userId);
    endLateRequest(request);
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
    const { userId, approved } = caller;
    const newcomer = { approved, network: networkOf(request.ip) };
    if (uploading.size >= limit && !uploading.has(userId)) makeRoom(newcomer);
    if (uploading.has(userId) || uploading.size >= limit)
      throw new Refusal('OVERLOADED', { retryAfterSeconds: 5 });
    uploading.set(userId, {
      ...newcomer,
      raw,
      request: request.raw,
      isRead: false,
      seen: seenNow(request.raw),
    });
    // A request whose body is cut off may never be answered.
    raw.once('close', () => {
      if (placeOf(request, raw)?.isRead === false) uploading.delete(userId);
    });
  };
}

type Newcomer = Pick<Place, 'approved' | 'network'>;

/** The upload that gives its slot to a newcomer, oldest first; undefined if all have a better claim. */
function whoMakesRoom(
  underWay: readonly (readonly [number, Place])[],
  newcomer: Newcomer,
): readonly [number, Place] | undefined {
  const held = Map.groupBy(underWay, ([, { network }]) => network);
  const own = held.get(newcomer.network)?.length ?? 0;
  const isAboveShare = ({ network }: Place) => (held.get(network)?.length ?? 0) >= own + 2;
  return (
    underWay.find(([, place]) => isCrawling(place)) ??
    underWay.find(([, place]) => newcomer.approved && !place.approved) ??
    underWay.find(([, place]) => (newcomer.approved || !place.approved) && isAboveShare(place))
  );
}

/** Checks again only some seconds after the last check: a shorter pause may only be a bad connection. */
function isCrawling(place: Place): boolean {
  const { request, seen } = place;
  const now = seenNow(request);
  const ms = now.at - seen.at;
  if (ms < watchedMs) return false;
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
