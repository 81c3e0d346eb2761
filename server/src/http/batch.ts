import { batch } from '@jangada/contract';
import pMap from 'p-map';
import { route } from './route.ts';

/** How many calls of one batch are answered at once, so that a batch does not take more of the database than a browser. */
const concurrency = 6;

/** Answers several calls at once: on a slow line, a screen then waits for one round trip instead of several. */
export const batchRoute = route(batch, async ({ query, answerCall }) => ({
  answers: await pMap(query.paths.split(','), async (path) => ({ path, ...(await answerCall(path)) }), {
    concurrency,
  }),
}));
