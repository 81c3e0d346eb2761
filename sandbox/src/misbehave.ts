import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { Behaviour } from './behaviour.ts';
import type { Books } from './books.ts';
import { Problem } from './refusal.ts';
import type { Bank } from './site.ts';

/** Runs before a call's work: delays it, or refuses it as unavailable. Returns true if the call must hang instead. */
export async function delayOrRefuse(
  mood: Behaviour['charges'] | Behaviour['confirmations'],
  slowSeconds: number,
): Promise<'work' | 'hang'> {
  if (mood === 'down') throw new Problem('ServicoIndisponivel', 'O serviço não está disponível no momento.');
  if (mood === 'slow') await sleep(slowSeconds * 1000, undefined, { ref: false });
  return mood === 'hang' ? 'hang' : 'work';
}

/**
 * Runs before a look-up: delays it, refuses it as unavailable, or returns true if it must hang, as set in
 * `confirmations`.
 */
export async function lookUpHangs(books: Books): Promise<boolean> {
  const { confirmations, slowSeconds } = books.behaviour;
  const mood = confirmations === 'not-found-first' ? 'normal' : confirmations;
  return (await delayOrRefuse(mood, slowSeconds)) === 'hang';
}

/** Denies each id once, while that behaviour or `always` is set. */
export function firstDenial(): (books: Books, id: string, always?: boolean) => boolean {
  const isFirst = firstTime();
  return (books, id, always = false) =>
    (always || books.behaviour.confirmations === 'not-found-first') && isFirst(id);
}

/** True the first time an id is seen. */
export function firstTime(): (id: string) => boolean {
  const known = new Set<string>();
  return (id) => !known.has(id) && known.add(id).has(id);
}

/** Withholds the response: the caller waits until it times out, or until the connection is cut. */
export function leaveUnanswered({ hangMs }: Bank, reply: FastifyReply): FastifyReply {
  reply.hijack();
  setTimeout(() => reply.raw.destroy(), hangMs).unref();
  return reply;
}
