import type { Deps } from '../deps.ts';
import { sendRecoveryLinks } from './recover-password.ts';

/** Recurring work of accounts. `work` returns how many items it processed; above 0, more may be waiting. */
export const accountLoops: readonly {
  readonly name: string;
  readonly everyMs: number;
  readonly work: (deps: Deps) => Promise<number>;
}[] = [{ name: 'password recoveries', everyMs: 1000, work: sendRecoveryLinks }];
