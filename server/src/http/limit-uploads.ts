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

type Slot = {
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
 * in full: one per caller and `limit` in total. When all slots are taken, one body still arriving is ended to make room
 * for a newcomer: a nearly stalled one; else one of an account that is not approved, if the newcomer's is; else one whose
 * network holds at least two slots more than the newcomer's (never an approved account's for one that is not). So neither
 * fresh accounts nor one network can keep everybody else out. A newcomer for whom there is no room is refused with
 * OVERLOADED.
 */
export function createUploadLimit(
  server: FastifyInstance,
  limit: number,
): (request: Pick<FastifyRequest, 'caller' | 'raw' | 'ip'>, reply: Pick<FastifyReply, 'raw'>) => void {
  const uploading = new Map<number, Slot>();
  const slotOf = ({ caller }: Pick<FastifyRequest, 'caller'>, raw: FastifyReply['raw']) => {
    const slot = caller && uploading.get(caller.userId);
    return slot?.raw === raw ? slot : undefined;
  };
  const makeRoom = (newcomer: Newcomer) => {
    const underWay = [...uploading].filter(([, slot]) => !slot.isRead && !slot.request.complete);
    const ended = whoMakesRoom(underWay, newcomer);
    if (ended === undefined) return;
    const [userId, { request }] = ended;
    uploading.delete(userId);
    endLateRequest(request);
  };
  server.addHook('preValidation', (request, { raw }, done) => {
    const slot = slotOf(request, raw);
    if (slot !== undefined) slot.isRead = true;
    done();
  });
  server.addHook('onSend', (request, { raw }, payload, done) => {
    if (request.caller !== undefined && slotOf(request, raw)) uploading.delete(request.caller.userId);
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
      if (slotOf(request, raw)?.isRead === false) uploading.delete(userId);
    });
  };
}

type Newcomer = Pick<Slot, 'approved' | 'network'>;

/** The upload that gives its slot to a newcomer, oldest first; undefined if all have a better claim. */
function whoMakesRoom(
  underWay: readonly (readonly [number, Slot])[],
  newcomer: Newcomer,
): readonly [number, Slot] | undefined {
  const held = Map.groupBy(underWay, ([, { network }]) => network);
  const own = held.get(newcomer.network)?.length ?? 0;
  const isAboveShare = ({ network }: Slot) => (held.get(network)?.length ?? 0) >= own + 2;
  return (
    underWay.find(([, slot]) => isCrawling(slot)) ??
    underWay.find(([, slot]) => newcomer.approved && !slot.approved) ??
    underWay.find(([, slot]) => (newcomer.approved || !slot.approved) && isAboveShare(slot))
  );
}

/** Measures since the last check and starts anew. A pause under `watchedMs` decides nothing: it may be a bad connection. */
function isCrawling(slot: Slot): boolean {
  const { request, seen } = slot;
  const now = seenNow(request);
  const ms = now.at - seen.at;
  if (ms < watchedMs) return false;
  slot.seen = now;
  return now.bytes - seen.bytes < ms * crawlBytesPerMs;
}

/** A request injected without a connection has already arrived in full. */
function seenNow({ socket }: FastifyRequest['raw']): Slot['seen'] {
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
