import { billedTo, due } from './due.ts';

/*
 * Readers of what a charge with a due date has besides, apart from those of all charges, so that only screens that show
 * it load them. What another gateway writes under these names, in a form of its own, counts as absent.
 */

/** Reads the due date and the terms of a charge; undefined if it has none. */
export function readDue(value: unknown) {
  return due.safeParse(value).data;
}

/** Reads whom a charge is for; undefined if it names nobody. */
export function readBilledTo(value: unknown) {
  return billedTo.safeParse(value).data;
}
