import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Node's own timeout for a whole request, longer than any route allows. Node has only one timeout for all routes, so
 * `limitBodyTime` enforces the shorter time of each route.
 */
export const LONGEST_REQUEST_MS = 5 * 60_000;

/** The lowest speed at which a large body still arrives in time: 1 Mbit/s. */
const minBytesPerMs = 125;

/**
 * Ends requests whose body does not arrive within `usualMs`. Routes that accept more than `usualBytes` also allow the
 * time that the excess bytes take at `stalledBytesPerMs`.
 */
export function limitBodyTime(
  server: FastifyInstance,
  { usualMs, usualBytes }: { readonly usualMs: number; readonly usualBytes: number },
): void {
  server.addHook('onRequest', async ({ raw, headers, routeOptions }) => {
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    // A request that a test injects has no connection to close.
    if (!hasBody || !(raw.socket instanceof Socket)) return;
    const excessBytes = Math.max((routeOptions.bodyLimit ?? 0) - usualBytes, 0);
    const timer = setTimeout(
      () => {
        if (!raw.complete) sendRequestTimeout(raw);
      },
      usualMs + excessBytes / minBytesPerMs,
    );
    raw.once('close', () => clearTimeout(timer));
  });
}

/** Responds as Node does when a request times out. */
export function sendRequestTimeout({ socket }: Pick<IncomingMessage, 'socket'>): void {
  socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  socket.destroySoon();
}
