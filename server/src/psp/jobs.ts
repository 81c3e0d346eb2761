import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { pruneHints } from './hints.ts';
import { pruneNotices } from './inbox.ts';
import { ensureWebhook } from './register-webhook.ts';

const keptMs = 90 * 24 * 3_600_000;

/** Infrequent jobs on the bank's side. */
export const pspJobs: readonly {
  readonly name: string;
  readonly cron: string;
  readonly work: (deps: Deps) => Promise<void>;
}[] = [
  { name: 'check-psp-webhook', cron: '23 4 * * *', work: ensureWebhook },
  {
    name: 'forget-notices',
    cron: '41 4 * * *',
    work: (deps) => inTransaction(deps, (tx) => pruneNotices(tx, new Date(tx.now.getTime() - keptMs))),
  },
  { name: 'forget-hints', cron: '29 * * * *', work: (deps) => inTransaction(deps, pruneHints) },
];
