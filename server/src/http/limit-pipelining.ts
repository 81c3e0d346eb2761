import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

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
