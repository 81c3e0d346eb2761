import type { SandboxAccount } from './account.ts';
import type { Books } from './books.ts';
import type { Notifier } from './notifier.ts';
import type { Settler } from './settler.ts';
import type { ReceivedWebhook } from './shop-system.ts';

/** What every route of the bank is given. */
export interface Bank {
  readonly books: Books;
  readonly account: SandboxAccount;
  readonly notifier: Notifier;
  readonly settler: Settler;
  /** Where people and payers' banks find it; known once it listens. */
  readonly site: Site;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly tokenSeconds: number;
  /** How long the other bank takes for a payout or a refund, when nothing is wrong. */
  readonly processingMs: number;
  readonly dataDir: string;
  /** What the system of the shop was told, newest first. */
  readonly received: ReceivedWebhook[];
}

export interface Site {
  /** With scheme and port, no slash at the end. */
  publicUrl: string;
}

/** `host:port` of the public address, as locations carry it. */
export function publicHost(site: Site): string {
  return new URL(site.publicUrl).host;
}
