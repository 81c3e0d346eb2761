import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { Behaviour } from './behaviour.ts';
import { Problem } from './problem.ts';

/** A call that is never answered is cut after this long, as a balancer would. */
const HANG_MS = 120_000;

/** Before the work of a call: waits, or refuses it as unavailable. Returns whether the call is to hang instead. */
export async function delayOrRefuse(
  mood: Behaviour['charges'] | Behaviour['confirmations'],
  slowSeconds: number,
): Promise<'work' | 'hang'> {
  if (mood === 'down') throw new Problem('ServicoIndisponivel', 'O serviço não está disponível no momento.');
  if (mood === 'slow') await sleep(slowSeconds * 1000, undefined, { ref: false });
  return mood === 'hang' ? 'hang' : 'work';
}

/** Takes the answer away: the caller waits until it gives up. */
export function leaveUnanswered(reply: FastifyReply): FastifyReply {
  reply.hijack();
  setTimeout(() => reply.raw.destroy(), HANG_MS).unref();
  return reply;
}
