import { inTransaction } from '../db/transaction.ts';
import type { ModuleJob } from '../deps.ts';
import { noticePath } from './bacen/notice-routes.ts';
import { type AtBank, atHouse } from './bank.ts';
import { pruneHints } from './hints.ts';
import { pruneNotices } from './inbox.ts';

const noticeRetentionMs = 90 * 24 * 3_600_000;

/** Scheduled jobs about the bank's callbacks. */
export const pspJobs: readonly ModuleJob[] = [
  {
    name: 'check-psp-webhook',
    cron: '23 4 * * *',
    work: (deps) => ensureNoticeUrl(atHouse(deps)),
  },
  {
    name: 'forget-notices',
    cron: '41 4 * * *',
    work: (deps) =>
      inTransaction(deps, (tx) => pruneNotices(tx, new Date(tx.now.getTime() - noticeRetentionMs))),
  },
  { name: 'forget-hints', cron: '29 * * * *', work: (deps) => inTransaction(deps, pruneHints) },
];

/** The URL to which the bank of a connection sends its notices. */
export function noticeUrl(deps: Pick<AtBank, 'config' | 'secrets' | 'connection' | 'callbacks'>): string {
  const { noticesUrl, publicUrl } = deps.config;
  return (deps.callbacks.arrivesAtPublicUrl ? publicUrl : noticesUrl) + noticePath(deps);
}

/**
 * Thrown if another gateway receives the notices for our Pix key. Two gateways must never keep books for one account,
 * so this one refuses to start.
 */
export class ForeignWebhook extends Error {
  override name = 'ForeignWebhook';
}

/**
 * Makes sure that the bank sends its notices (callbacks about payments) for our Pix key to us. A registered URL that
 * ends in our secret path is ours; if our host name has changed, the new URL replaces it. Throws ForeignWebhook for any
 * other registered URL, which belongs to another gateway.
 */
export async function ensureNoticeUrl(deps: AtBank): Promise<void> {
  const path = noticePath(deps);
  const ownUrl = noticeUrl(deps);
  const registeredUrl = await deps.psp.findNoticeUrl();
  if (registeredUrl === ownUrl) return;
  if (registeredUrl !== undefined && !registeredUrl.endsWith(path)) {
    throw new ForeignWebhook(
      `PIX_KEY: o banco já envia os avisos desta chave para ${new URL(registeredUrl).origin}. Uma chave Pix serve a um só gateway.`,
    );
  }
  await deps.psp.registerNoticeUrl(ownUrl);
}
