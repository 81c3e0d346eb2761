import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { Bank } from './bank.ts';
import type { Behaviour } from './behaviour.ts';
import type { Books } from './books.ts';
import { Problem } from './refusal.ts';

/**
 * To be awaited before a call does its work: delays the call, or throws ServicoIndisponivel (503). Returns `hang` if
 * the call must neither work nor respond.
 */
export async function applyAvailability(
  behaviour: Behaviour['charges'] | Behaviour['confirmations'],
  slowSeconds: number,
): Promise<'work' | 'hang'> {
  if (behaviour === 'down') throw serviceUnavailable();
  if (behaviour === 'slow') await sleep(slowSeconds * 1000, undefined, { ref: false });
  return behaviour === 'hang' ? 'hang' : 'work';
}

/** The 503 of a bank that is down. */
export function serviceUnavailable(): Problem {
  return new Problem('ServicoIndisponivel', 'O serviço não está disponível no momento.');
}

/** Delays or refuses a look-up, or returns `hang`, as configured by the behaviour `confirmations`. */
export function delayOrRefuseLookUp(books: Books): Promise<'work' | 'hang'> {
  const { confirmations, slowSeconds } = books.behaviour;
  const behaviour = confirmations === 'not-found-first' ? 'normal' : confirmations;
  return applyAvailability(behaviour, slowSeconds);
}

/**
 * Returns a function that decides whether a look-up gets "not found" for something that exists. It does so at the first
 * look-up of each id, if the behaviour is `not-found-first` or `always` is set.
 */
export function createFirstLookUpDenier(): (books: Books, id: string, always?: boolean) => boolean {
  const isFirst = createFirstTimeCheck();
  return (books, id, always = false) =>
    (always || books.behaviour.confirmations === 'not-found-first') && isFirst(books, id);
}

/** Returns a function that is true the first time that an id is passed to it with an account's books. */
export function createFirstTimeCheck(): (books: Books, id: string) => boolean {
  const seenByBooks = new WeakMap<Books, Set<string>>();
  return (books, id) => {
    const seenIds = seenByBooks.get(books) ?? new Set<string>();
    seenByBooks.set(books, seenIds);
    const isFirst = !seenIds.has(id);
    seenIds.add(id);
    return isFirst;
  };
}

/** Sends no response: the caller waits until its own timeout, or until the bank cuts the connection after `hangMs`. */
export function leaveUnanswered({ hangMs }: Bank, reply: FastifyReply): FastifyReply {
  reply.hijack();
  setTimeout(() => reply.raw.destroy(), hangMs).unref();
  return reply;
}
