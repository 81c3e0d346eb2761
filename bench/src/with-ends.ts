import { interruption } from './interruption.ts';

/** Registers a cleanup. */
export type OnEnd = (end: () => Promise<unknown>) => void;

/** Runs a function and then its cleanups, newest first, whether it succeeded, failed or was interrupted. */
export async function withEnds(run: (onEnd: OnEnd) => Promise<void>): Promise<void> {
  const interrupted = interruption();
  const ends: (() => Promise<unknown>)[] = [];
  try {
    await Promise.race([run((end) => void ends.push(end)), interrupted]);
  } finally {
    for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
  }
}
