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
  /** Where the bank is reached from outside. */
  readonly site: Site;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly tokenSeconds: number;
  /** How long the other bank takes for a payout or a refund, if nothing goes wrong. */
  readonly processingMs: number;
  /** How long the bank leaves a request without a response before it cuts the connection, as a load balancer would. */
  readonly hangMs: number;
  readonly dataDir: string;
  /** The webhooks that the example shop's system received, newest first. */
  readonly receivedWebhooks: ReceivedWebhook[];
}

/** A webhook that the example shop's system received; `isAccepted` is false if the system was down. */
export interface ReceivedWebhook {
  readonly at: number;
  readonly id: string;
  readonly signature: string;
  readonly body: unknown;
  readonly isAccepted: boolean;
}

/** Where the bank is reached; kept in an object because the port is known only once the bank listens. */
export interface Site {
  /** With scheme and port, without a trailing slash. */
  publicUrl: string;
}

/** Returns `host:port` of the public address, as used in locations. */
export function publicHost(site: Site): string {
  return new URL(site.publicUrl).host;
}
