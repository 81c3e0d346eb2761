import type { Deps } from '../deps.ts';
import { pruneMails } from './prune-mails.ts';
import { sendMails } from './send-mails.ts';

/** Recurring work of mail. `work` returns how many items it processed; above 0, more may be waiting. */
export const mailLoops: readonly {
  readonly name: string;
  readonly everyMs: number;
  readonly work: (deps: Deps) => Promise<number>;
}[] = [{ name: 'mails', everyMs: 1000, work: sendMails }];

/** Infrequent work of mail. */
export const mailJobs: readonly {
  readonly name: string;
  readonly cron: string;
  readonly work: (deps: Deps) => Promise<unknown>;
}[] = [{ name: 'forget-mails', cron: '23 * * * *', work: pruneMails }];
