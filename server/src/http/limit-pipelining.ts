import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Browsers and clients in use send the next request of a connection after the answer to the one before. */
const mostUnanswered = 32;

/**
 * Ends a connection on which more requests than this wait for their answers: Node hands over all that arrived together
 * before it heeds a reader who takes nothing.
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
