import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SandboxRefusal } from '../refusal.ts';
import type { Bank } from '../site.ts';
import { layout } from './layout.ts';
import { refusalView } from './pay-view.ts';
import type { View } from './view.ts';

/** Sends a refusal as a page to browsers, as JSON to programs. */
export function answerRefusal(
  bank: Bank,
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: SandboxRefusal,
): FastifyReply {
  reply.status(refusal.status);
  const looks = request.method === 'GET' && request.headers.accept?.includes('text/html') === true;
  return looks ? show(reply, bank, refusalView(refusal)) : reply.send(refusal.body);
}

export function show(reply: FastifyReply, bank: Bank, view: View): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(layout(bank, view));
}
