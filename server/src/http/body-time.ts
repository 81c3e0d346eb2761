import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Beyond what any route allows: Node knows only one time for all. */
export const LONGEST_REQUEST_MS = 5 * 60_000;

/** A line of 1 Mbit/s. */
const slowBytesPerMs = 125;

/**
 * Ends requests whose body does not come: each route has as long as an ordinary call, and where it takes more than `usualBytes`,
 * as much longer as the rest needs on a slow line.
 */
export function boundBodyTime(
  server: FastifyInstance,
  { usualMs, usualBytes }: { readonly usualMs: number; readonly usualBytes: number },
): void {
  server.addHook('onRequest', async ({ raw, headers, routeOptions }) => {
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    // What is injected without a connection has none to end.
    if (!hasBody || !(raw.socket instanceof Socket)) return;
    const more = Math.max((routeOptions.bodyLimit ?? 0) - usualBytes, 0);
    const timer = setTimeout(
      () => {
        if (!raw.complete) endLateRequest(raw);
      },
      usualMs + more / slowBytesPerMs,
    );
    raw.once('close', () => clearTimeout(timer));
  });
}

/** As Node ends a request that takes too long. */
export function endLateRequest({ socket }: Pick<IncomingMessage, 'socket'>): void {
  socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  socket.destroySoon();
}
