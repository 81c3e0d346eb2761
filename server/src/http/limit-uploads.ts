import type { Buffer } from 'node:buffer';
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';
import { sendRequestTimeout } from './body-time.ts';
import { isTooLarge, sendError } from './error-response.ts';
import { networkOf } from './network-of.ts';
import { boundaryOf, maxUploadBodyBytes, readMultipart, type Upload } from './read-multipart.ts';

/** When no slot is free, an upload slower than this for at least `minObservationMs` loses its slot: 128 kbit/s. */
const stalledBytesPerMs = 16;
const minObservationMs = 3000;

type Slot = {
  readonly response: FastifyReply['raw'];
  readonly request: FastifyRequest['raw'];
  readonly approved: boolean;
  readonly network: string;
  /** Whether the body has arrived in full and was parsed. */
  isRead: boolean;
  /** The bytes received on its connection until the last check, and the time of that check. */
  lastCheck: { readonly bytes: number; readonly at: number };
};

/**
 * Limits concurrent large bodies: one per caller and `limit` in total. A body holds its slot from its first byte until
 * its response is ready, because the whole body is in memory for that time.
 *
 * When all slots are taken, one upload that is still arriving may be ended to free its slot for the newcomer, the
 * caller whose upload begins now. The first of these rules that finds an upload decides which:
 * 1. an upload that has nearly stalled;
 * 2. the upload of an account that is not approved, if the newcomer's account is;
 * 3. an upload from a network that has at least two uploads more than the newcomer's network; but no upload of an
 *    approved account is ended for a newcomer whose account is not approved.
 * So neither fresh accounts nor one network can keep everybody else out. If no rule finds an upload, the newcomer is
 * refused with OVERLOADED.
 */
export function createUploadLimit(
  server: FastifyInstance,
  limit: number,
): (request: Pick<FastifyRequest, 'caller' | 'raw' | 'ip'>, reply: Pick<FastifyReply, 'raw'>) => void {
  const slotByUser = new Map<number, Slot>();
  const slotOf = ({ caller }: Pick<FastifyRequest, 'caller'>, raw: FastifyReply['raw']) => {
    const slot = caller && slotByUser.get(caller.userId);
    return slot?.response === raw ? slot : undefined;
  };
  const freeSlot = (newcomer: Newcomer) => {
    const arriving = [...slotByUser].filter(([, slot]) => !slot.isRead && !slot.request.complete);
    const uploadToEnd = chooseUploadToEnd(arriving, newcomer);
    if (uploadToEnd === undefined) return;
    const [userId, { request }] = uploadToEnd;
    slotByUser.delete(userId);
    sendRequestTimeout(request);
  };
  server.addHook('preValidation', (request, { raw }, done) => {
    const slot = slotOf(request, raw);
    if (slot !== undefined) slot.isRead = true;
    done();
  });
  server.addHook('onSend', (request, { raw }, payload, done) => {
    if (request.caller !== undefined && slotOf(request, raw)) slotByUser.delete(request.caller.userId);
    done(null, payload);
  });
  return (request, { raw }) => {
    const { caller } = request;
    if (caller === undefined || raw.destroyed) return;
    const { userId, approved } = caller;
    const newcomer = { approved, network: networkOf(request.ip) };
    if (slotByUser.size >= limit && !slotByUser.has(userId)) freeSlot(newcomer);
    if (slotByUser.has(userId) || slotByUser.size >= limit)
      throw new Refusal('OVERLOADED', { retryAfterSeconds: 5 });
    slotByUser.set(userId, {
      ...newcomer,
      response: raw,
      request: request.raw,
      isRead: false,
      lastCheck: currentProgress(request.raw),
    });
    // A request whose body is cut off may never get a response, and so never reach the onSend hook.
    raw.once('close', () => {
      if (slotOf(request, raw)?.isRead === false) slotByUser.delete(userId);
    });
  };
}

type Newcomer = Pick<Slot, 'approved' | 'network'>;

/**
 * Returns the upload to end for the newcomer: the oldest one that the first applicable rule of `createUploadLimit`
 * selects. Returns undefined if no rule applies.
 */
function chooseUploadToEnd(
  arriving: readonly (readonly [number, Slot])[],
  newcomer: Newcomer,
): readonly [number, Slot] | undefined {
  const uploadsByNetwork = Map.groupBy(arriving, ([, { network }]) => network);
  const newcomerUploads = uploadsByNetwork.get(newcomer.network)?.length ?? 0;
  const isFromBusierNetwork = ({ network }: Slot) =>
    (uploadsByNetwork.get(network)?.length ?? 0) >= newcomerUploads + 2;
  return (
    arriving.find(([, slot]) => isNearlyStalled(slot)) ??
    arriving.find(([, slot]) => newcomer.approved && !slot.approved) ??
    arriving.find(([, slot]) => (newcomer.approved || !slot.approved) && isFromBusierNetwork(slot))
  );
}

/**
 * Measures the upload's speed since the last check, and begins a new measurement. Decides nothing until
 * `minObservationMs` have passed, because a shorter pause may be only a bad connection.
 */
function isNearlyStalled(slot: Slot): boolean {
  const { request, lastCheck } = slot;
  const now = currentProgress(request);
  const ms = now.at - lastCheck.at;
  if (ms < minObservationMs) return false;
  slot.lastCheck = now;
  return now.bytes - lastCheck.bytes < ms * stalledBytesPerMs;
}

/** A request injected by a test has no connection and has already arrived in full. */
function currentProgress({ socket }: FastifyRequest['raw']): Slot['lastCheck'] {
  return {
    bytes: socket instanceof Socket ? socket.bytesRead : Number.POSITIVE_INFINITY,
    at: performance.now(),
  };
}

/** Refuses a call that is not multipart with UNSUPPORTED_MEDIA_TYPE, before its body is read. */
export function refuseNonMultipart({ headers }: Pick<FastifyRequest, 'headers'>): void {
  if (boundaryOf(headers['content-type']) === undefined)
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', { message: 'Envie os arquivos como multipart/form-data.' });
}

/** Makes the routes of a scope accept only the files of an upload as their body. */
export function acceptOnlyUploads(scope: FastifyInstance, upload: Upload): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser<Buffer>(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: maxUploadBodyBytes(upload) },
    async (request: FastifyRequest, body: Buffer) =>
      readMultipart(body, boundaryOf(request.headers['content-type']) ?? '', upload),
  );
  scope.setErrorHandler((error, request, reply) =>
    sendError(isTooLarge(error) ? new Refusal(upload.tooLarge) : error, request, reply),
  );
}
