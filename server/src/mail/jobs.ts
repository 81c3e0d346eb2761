import type { Deps } from '../deps.ts';
import { pruneMails } from './prune-mails.ts';
import { sendMails } from './send-mails.ts';

/** Work that mail needs done again and again. `work` answers how much it did; above 0 there may be more at once. */
export const mailLoops: readonly {
  readonly name: string;
  readonly everyMs: number;
  readonly work: (deps: Deps) => Promise<number>;
}[] = [{ name: 'mails', everyMs: 1000, work: sendMails }];

/** Rare work of mail. */
export const mailJobs: readonly {
  readonly name: string;
  readonly cron: string;
  readonly work: (deps: Deps) => Promise<unknown>;
}[] = [{ name: 'forget-mails', cron: '23 * * * *', work: pruneMails }];
