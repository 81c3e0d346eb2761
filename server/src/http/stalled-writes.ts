import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** A phone that changes its cell comes back sooner. */
export const STALLED_MS = 20_000;

/** A connection is looked at so often before it is ended: a process that stood still itself blames no reader. */
const looks = 5;

/** Of a write no more is known than that it was done: with pieces of this size a slow line shows that it moves. */
const pieceBytes = 64 * 1024;

/**
 * Ends connections whose readers have taken nothing of what was written to them for this long, whatever it was: an answer
 * of any kind, or messages of an open channel.
 */
export function endStalledWrites(server: Server, stalledMs: number): void {
  const watched = new Map<Socket, { written: number; looks: number }>();
  // Over TLS the plain connection below has nothing of its own to write.
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

/** Has long answers written in pieces. */
export function writeInPieces(server: FastifyInstance): void {
  server.addHook('onSend', (_request, reply, payload, done) => {
    const isLong = (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length > pieceBytes;
    if (!isLong) return done(null, payload);
    // Printed answers are one buffer for all who read them.
    const bytes = Buffer.isBuffer(payload) ? payload : Buffer.from(payload);
    reply.header('content-length', bytes.length);
    done(null, Readable.from(piecesOf(bytes), { objectMode: false }));
  });
}

/** Views of the same memory. */
export function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}
