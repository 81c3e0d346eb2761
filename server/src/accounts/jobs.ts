import type { Deps } from '../deps.ts';
import { answerRecoveries } from './answer-recoveries.ts';

/** Work that accounts need done again and again. `work` answers how much it did; above 0 there may be more at once. */
export const accountLoops: readonly {
  readonly name: string;
  readonly everyMs: number;
  readonly work: (deps: Deps) => Promise<number>;
}[] = [{ name: 'password recoveries', everyMs: 1000, work: answerRecoveries }];
