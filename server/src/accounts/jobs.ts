import type { Deps } from '../deps.ts';
import { sendRecoveryLinks } from './send-recovery-links.ts';

/** Work that accounts need done again and again. `work` answers how much it did; above 0 there may be more at once. */
export const accountLoops: readonly {
  readonly name: string;
  readonly everyMs: number;
  readonly work: (deps: Deps) => Promise<number>;
}[] = [{ name: 'password recoveries', everyMs: 1000, work: sendRecoveryLinks }];
