import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** A phone that changes cells reconnects sooner. */
export const STALLED_MS = 20_000;

/** Checks before a connection is closed: several, so that a pause of this process is not blamed on the client. */
const looks = 5;

/** Node reports a write only once it is complete: pieces of this size show progress on a slow connection. */
const pieceBytes = 64 * 1024;

/**
 * Closes connections whose clients have read nothing of the data written to them for this long, whether responses or
 * messages of an open WebSocket.
 */
export function endStalledWrites(server: Server, stalledMs: number): void {
  const watched = new Map<Socket, { written: number; looks: number }>();
  // With TLS, the underlying plain connection has no pending writes of its own.
  for (const event of ['connection', 'secureConnection'])
    server.on(event, (socket: Socket) => {
      watched.set(socket, { written: 0, looks: 0 });
      socket.once('close', () => watched.delete(socket));
    });
  const timer = setInterval(() => {
    for (const [socket, seen] of watched) {
      const written = socket.bytesWritten - socket.writableLength;
      const stands = socket.writableLength > 0 && written === seen.written;
      seen.looks = stands ? seen.looks + 1 : 0;
      seen.written = written;
      if (seen.looks > looks) socket.destroy();
    }
  }, stalledMs / looks);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

/** Splits long responses into pieces. */
export function writeInPieces(server: FastifyInstance): void {
  server.addHook('onSend', (_request, reply, payload, done) => {
    const isLong = (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length > pieceBytes;
    if (!isLong) return done(null, payload);
    // A cached document is one buffer shared by all its readers.
    const bytes = Buffer.isBuffer(payload) ? payload : Buffer.from(payload);
    reply.header('content-length', bytes.length);
    done(null, Readable.from(piecesOf(bytes), { objectMode: false }));
  });
}

/** Views of the same memory. */
export function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

/** Browsers and common clients send the next request on a connection only after the previous response. */
const mostUnanswered = 32;

/**
 * Closes a connection with more unanswered requests than this: Node dispatches all that arrived together before it
 * applies backpressure to a client that does not read.
 */
export function limitPipelining(server: FastifyInstance): void {
  const unanswered = new WeakMap<Socket, number>();
  server.addHook('onRequest', async ({ raw: { socket } }, reply) => {
    const waiting = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, waiting);
    if (waiting > mostUnanswered) {
      socket.destroy();
      return reply.hijack();
    }
    reply.raw.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
  });
}
