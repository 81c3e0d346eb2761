import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** How long a client may read nothing before its connection is closed. A phone that changes cells reconnects sooner. */
export const STALLED_MS = 20_000;

/**
 * Each connection is checked this often in the time that it may be stalled, and closed only when more checks than that
 * in a row find it stalled: a pause of this process makes all clients look stalled at a single check.
 */
const checksPerPeriod = 5;

/** Node reports a write only once it is complete, so long responses are written in pieces, which show progress. */
const pieceBytes = 64 * 1024;

/**
 * Closes connections whose clients have read nothing for `stalledMs`, although data was written to them: responses, or
 * messages of an open WebSocket.
 */
export function endStalledWrites(server: Server, stalledMs: number): void {
  const progressBySocket = new Map<Socket, { written: number; stalledChecks: number }>();
  // With TLS each connection is followed twice. The underlying plain connection has no pending writes of its own, so it
  // never counts as stalled.
  for (const event of ['connection', 'secureConnection'])
    server.on(event, (socket: Socket) => {
      progressBySocket.set(socket, { written: 0, stalledChecks: 0 });
      socket.once('close', () => progressBySocket.delete(socket));
    });
  const timer = setInterval(() => {
    for (const [socket, progress] of progressBySocket) {
      const written = socket.bytesWritten - socket.writableLength;
      const isStalled = socket.writableLength > 0 && written === progress.written;
      progress.stalledChecks = isStalled ? progress.stalledChecks + 1 : 0;
      progress.written = written;
      if (progress.stalledChecks > checksPerPeriod) socket.destroy();
    }
  }, stalledMs / checksPerPeriod);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

/** Writes long responses in pieces, so that a client that reads slowly is not taken for a stalled one. */
export function writeInPieces(server: FastifyInstance): void {
  server.addHook('onSend', (_request, reply, payload, done) => {
    const isLong = (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length > pieceBytes;
    if (!isLong) return done(null, payload);
    // A buffer is not copied: a cached document is one buffer for all its readers.
    const bytes = Buffer.isBuffer(payload) ? payload : Buffer.from(payload);
    reply.header('content-length', bytes.length);
    done(null, Readable.from(piecesOf(bytes), { objectMode: false }));
  });
}

/** Splits a buffer without copying it: the pieces are views of its memory. */
export function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += pieceBytes)
    yield bytes.subarray(start, start + pieceBytes);
}

/** Far more than needed: browsers and common clients send the next request only after the previous response. */
const maxUnanswered = 32;

/**
 * Closes a connection with more than `maxUnanswered` requests without a response. Node dispatches all requests that
 * arrive together before it applies backpressure to a client that does not read.
 */
export function limitPipelining(server: FastifyInstance): void {
  const unanswered = new WeakMap<Socket, number>();
  server.addHook('onRequest', async ({ raw: { socket } }, reply) => {
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    if (count > maxUnanswered) {
      socket.destroy();
      return reply.hijack();
    }
    reply.raw.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
  });
}
