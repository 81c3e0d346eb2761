import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { Behaviour } from './behaviour.ts';
import type { Books } from './books.ts';
import { Problem } from './refusal.ts';
import type { Bank } from './site.ts';

/**
 * Runs before a call's work: delays it, or refuses it as unavailable. Returns `hang` if the call must hang instead.
 */
export async function delayOrRefuse(
  behaviour: Behaviour['charges'] | Behaviour['confirmations'],
  slowSeconds: number,
): Promise<'work' | 'hang'> {
  if (behaviour === 'down')
    throw new Problem('ServicoIndisponivel', 'O serviço não está disponível no momento.');
  if (behaviour === 'slow') await sleep(slowSeconds * 1000, undefined, { ref: false });
  return behaviour === 'hang' ? 'hang' : 'work';
}

/**
 * Runs before a look-up: delays it, refuses it as unavailable, or returns true if it must hang, as set in
 * `confirmations`.
 */
export async function shouldLookUpHang(books: Books): Promise<boolean> {
  const { confirmations, slowSeconds } = books.behaviour;
  const behaviour = confirmations === 'not-found-first' ? 'normal' : confirmations;
  return (await delayOrRefuse(behaviour, slowSeconds)) === 'hang';
}

/** Returns true once for each id, whose look-up is then denied, while `not-found-first` or `always` is set. */
export function firstDenial(): (books: Books, id: string, always?: boolean) => boolean {
  const isFirst = firstTime();
  return (books, id, always = false) =>
    (always || books.behaviour.confirmations === 'not-found-first') && isFirst(id);
}

/** Returns true the first time that an id is passed. */
export function firstTime(): (id: string) => boolean {
  const seenIds = new Set<string>();
  return (id) => {
    const isFirst = !seenIds.has(id);
    seenIds.add(id);
    return isFirst;
  };
}

/** Withholds the response: the caller waits until it times out, or until the connection is cut. */
export function leaveUnanswered({ hangMs }: Bank, reply: FastifyReply): FastifyReply {
  reply.hijack();
  setTimeout(() => reply.raw.destroy(), hangMs).unref();
  return reply;
}
