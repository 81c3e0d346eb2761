import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { Behaviour } from './behaviour.ts';
import type { Books } from './books.ts';
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

/** Before a look-up: waits, refuses it as unavailable, or says that it is to hang, as `confirmations` has it. */
export async function lookUpHangs(books: Books): Promise<boolean> {
  const { confirmations, slowSeconds } = books.behaviour;
  const mood = confirmations === 'not-found-first' ? 'normal' : confirmations;
  return (await delayOrRefuse(mood, slowSeconds)) === 'hang';
}

/** Denies each thing once, as long as that is how it is to be. */
export function firstDenial(): (books: Books, id: string, always?: boolean) => boolean {
  const isFirst = firstTime();
  return (books, id, always = false) =>
    (always || books.behaviour.confirmations === 'not-found-first') && isFirst(id);
}

/** Whether an id comes for the first time. */
export function firstTime(): (id: string) => boolean {
  const known = new Set<string>();
  return (id) => !known.has(id) && known.add(id).has(id);
}

/** Takes the answer away: the caller waits until it gives up. */
export function leaveUnanswered(reply: FastifyReply): FastifyReply {
  reply.hijack();
  setTimeout(() => reply.raw.destroy(), HANG_MS).unref();
  return reply;
}
