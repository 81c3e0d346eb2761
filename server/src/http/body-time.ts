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
 * Ends requests whose body does not arrive within `timeoutMs`. A route whose body limit is above `usualBodyLimit` bytes
 * gets additional time: as long as the excess takes at `minBytesPerMs`.
 */
export function limitBodyTime(
  server: FastifyInstance,
  { timeoutMs, usualBodyLimit }: { readonly timeoutMs: number; readonly usualBodyLimit: number },
): void {
  server.addHook('onRequest', async ({ raw, headers, routeOptions }) => {
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    // A request that a test injects has no connection to close.
    if (!hasBody || !(raw.socket instanceof Socket)) return;
    const excessBytes = Math.max((routeOptions.bodyLimit ?? 0) - usualBodyLimit, 0);
    const timer = setTimeout(
      () => {
        if (!raw.complete) sendRequestTimeout(raw);
      },
      timeoutMs + excessBytes / minBytesPerMs,
    );
    raw.once('close', () => clearTimeout(timer));
  });
}

/** Responds as Node does when a request times out. */
export function sendRequestTimeout({ socket }: Pick<IncomingMessage, 'socket'>): void {
  socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  socket.destroySoon();
}
