import { inTransaction } from '../db/transaction.ts';
import type { Deps, ModuleJob } from '../deps.ts';
import { noticePath } from './bacen/notice-routes.ts';
import { pruneHints } from './hints.ts';
import { pruneNotices } from './inbox.ts';

const keptMs = 90 * 24 * 3_600_000;

/** Infrequent jobs on the bank's side. */
export const pspJobs: readonly ModuleJob[] = [
  { name: 'check-psp-webhook', cron: '23 4 * * *', work: ensureWebhook },
  {
    name: 'forget-notices',
    cron: '41 4 * * *',
    work: (deps) => inTransaction(deps, (tx) => pruneNotices(tx, new Date(tx.now.getTime() - keptMs))),
  },
  { name: 'forget-hints', cron: '29 * * * *', work: (deps) => inTransaction(deps, pruneHints) },
];

/**
 * Another gateway receives the notices for our key. Two sets of books for one account must not exist, so this one
 * refuses to start.
 */
export class ForeignWebhook extends Error {
  override name = 'ForeignWebhook';
}

/**
 * Makes sure that the bank sends the notices for our key to us. An address with our secret path is ours even if its
 * host has changed since; any other belongs to another gateway, and ForeignWebhook is thrown.
 */
export async function ensureWebhook(deps: Deps): Promise<void> {
  const path = noticePath(deps);
  const ours = deps.config.noticesUrl + path;
  const registered = await deps.psp.findWebhook();
  if (registered === ours) return;
  if (registered !== undefined && !registered.endsWith(path)) {
    throw new ForeignWebhook(
      `PIX_KEY: o banco já envia os avisos desta chave para ${new URL(registered).origin}. Uma chave Pix serve a um só gateway.`,
    );
  }
  await deps.psp.registerWebhook(ours);
}
