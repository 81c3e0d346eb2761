import { inTransaction } from '../db/transaction.ts';
import type { ModuleJob } from '../deps.ts';
import { invariant } from '../invariant.ts';
import { noticePath, ownAccountOf } from './bacen/notice-routes.ts';
import { type AtBank, atHouse, HOUSE_CONNECTION } from './bank.ts';
import { pruneHints } from './hints.ts';
import { pruneNotices } from './inbox.ts';
import type { NoticeUrls } from './recurring.ts';

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
  /** The scheme and host of the other gateway. */
  readonly origin: string;

  constructor(registeredUrl: string) {
    const origin = URL.canParse(registeredUrl) ? new URL(registeredUrl).origin : 'outro endereço';
    super(
      `PIX_KEY: o banco já envia os avisos desta chave para ${origin}. Uma chave Pix serve a um só gateway.`,
    );
    this.origin = origin;
  }
}

/**
 * Makes sure that the bank sends its notices (callbacks about payments) for our Pix key to us, and those about mandates
 * and debits if it has any. Throws ForeignWebhook if it sends those of the key to another gateway.
 */
export async function ensureNoticeUrl(deps: AtBank): Promise<void> {
  const isHouse = deps.connection.id === HOUSE_CONNECTION;
  await claimNotices(deps.psp, noticeUrl(deps), {
    // A key belongs to one account in use. So another account of ours that has the notices of this key is not in use.
    isAbandoned: async (url) => !isHouse && ownAccountOf(deps, url) !== undefined,
  });
  await claimRecurringNotices(deps);
}

/**
 * The same for notices about mandates and debits. Without them both are found by looking, so a bank that refuses to
 * register a URL, or has that of another gateway, stops nothing.
 */
async function claimRecurringNotices(deps: AtBank): Promise<void> {
  const { recurring } = deps.psp;
  if (recurring === undefined) return;
  const { mandateNotices, debitNotices } = recurring;
  for (const [subject, notices] of Object.entries({ mandates: mandateNotices, debits: debitNotices }))
    try {
      await claimNotices(notices, noticeUrl(deps), {
        isAbandoned: async (url) => isOfUnusedAccount(deps, url),
      });
    } catch (err) {
      const { id } = deps.connection;
      deps.log.warn({ err, connectionId: id, subject }, 'the bank does not send its notices here');
    }
}

/**
 * Whether a URL is of an account of ours that is not in use. A receiver has one URL for all accounts at a bank: two
 * accounts in use must not take it from each other day by day.
 */
function isOfUnusedAccount(deps: AtBank, url: string): boolean {
  const id = ownAccountOf(deps, url);
  return deps.connection.id !== HOUSE_CONNECTION && id !== undefined && deps.banks.find(id) === undefined;
}

/**
 * Registers a URL of `noticeUrl` at a bank, unless it is registered already. A registered URL that ends in the same
 * secret path is ours; if our host name has changed, the new URL replaces it. It also replaces a URL of which
 * `isAbandoned` says so. Throws ForeignWebhook for any other registered URL, which belongs to another gateway.
 */
export async function claimNotices(
  psp: NoticeUrls,
  ownUrl: string,
  { isAbandoned = async () => false }: { isAbandoned?: (registeredUrl: string) => Promise<boolean> } = {},
): Promise<void> {
  const pathStart = ownUrl.lastIndexOf('/psp/');
  invariant(pathStart > 0, 'a URL for notices has a secret path');
  const secretPath = ownUrl.slice(pathStart);
  const registeredUrl = await psp.findNoticeUrl();
  if (registeredUrl === ownUrl) return;
  const isForeign = registeredUrl !== undefined && !registeredUrl.endsWith(secretPath);
  if (isForeign && !(await isAbandoned(registeredUrl))) throw new ForeignWebhook(registeredUrl);
  await psp.registerNoticeUrl(ownUrl);
}
