import { batch } from '@jangada/contract';
import pLimit from 'p-limit';
import { route } from './route.ts';

/**
 * How many calls of all batches this process answers at once. A batch holds a single slot among the calls in progress
 * (limit-in-flight.ts), so its calls need a limit of their own.
 */
const limitCalls = pLimit(64);

/** Answers several calls at once: on a slow line, a screen then waits for one round trip instead of several. */
export const batchRoute = route(batch, async ({ query, answerCall }) => ({
  answers: await Promise.all(
    query.paths.split(',').map((path) => limitCalls(async () => ({ path, ...(await answerCall(path)) }))),
  ),
}));
