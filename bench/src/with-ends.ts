import { interruption } from './interruption.ts';

/** Keeps how something that was begun is ended. */
export type OnEnd = (end: () => Promise<unknown>) => void;

/** Runs what begins things, and ends them, the newest first: when it is done, failed or was interrupted. */
export async function withEnds(run: (onEnd: OnEnd) => Promise<void>): Promise<void> {
  const interrupted = interruption();
  const ends: (() => Promise<unknown>)[] = [];
  try {
    await Promise.race([run((end) => void ends.push(end)), interrupted]);
  } finally {
    for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
  }
}
