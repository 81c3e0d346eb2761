import type { SandboxAccount } from './account.ts';
import type { Books } from './books.ts';
import type { Notifier } from './notifier.ts';
import type { Settler } from './settler.ts';

/** The running bank: its books, settings and workers, passed to every route. */
export interface Bank {
  readonly books: Books;
  readonly account: SandboxAccount;
  readonly notifier: Notifier;
  readonly settler: Settler;
  /** The public address, known once the bank listens. */
  readonly site: Site;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly tokenSeconds: number;
  /** How long the other bank takes for a payout or a refund, if nothing goes wrong. */
  readonly processingMs: number;
  /** A request that is never answered is cut off after this long, as a load balancer would. */
  readonly hangMs: number;
  readonly dataDir: string;
  /** The webhooks received by the shop's system, newest first. */
  readonly received: ReceivedWebhook[];
}

/** A webhook that the shop's system received; `isAccepted` is false if it was down. */
export interface ReceivedWebhook {
  readonly at: number;
  readonly id: string;
  readonly signature: string;
  readonly body: unknown;
  readonly isAccepted: boolean;
}

export interface Site {
  /** With scheme and port, without a trailing slash. */
  publicUrl: string;
}

/** `host:port` of the public address, as used in locations. */
export function publicHost(site: Site): string {
  return new URL(site.publicUrl).host;
}
