import type { Deps } from '../deps.ts';
import { processReturnHints } from './process-return-hints.ts';
import { sendRefunds } from './send-refunds.ts';

/** `work` returns how much it did; above 0 there may be more, so it runs again at once. */
export const refundLoops: readonly {
  readonly name: string;
  readonly everyMs: number;
  readonly sendsOrders?: true;
  readonly work: (deps: Deps) => Promise<number>;
}[] = [
  { name: 'refunds', everyMs: 1000, sendsOrders: true, work: sendRefunds },
  { name: 'returns', everyMs: 500, work: processReturnHints },
];
