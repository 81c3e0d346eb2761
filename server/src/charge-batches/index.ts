/* Batches: many charges that are asked for in one call, and created one after the other. */
import type { ModuleLoop } from '../deps.ts';
import { workOffBatches } from './work-off-batches.ts';

export { chargeBatchRoutes } from './routes.ts';
export { workOffBatches } from './work-off-batches.ts';

export const chargeBatchLoops: readonly ModuleLoop[] = [
  { name: 'batches', everyMs: 1000, work: workOffBatches },
];
