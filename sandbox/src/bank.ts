import type { SandboxAccount } from './account.ts';
import type { AutomaticWorker } from './automatic/automatic-worker.ts';
import type { Books } from './books.ts';
import type { CertificateAuthority, ClientCertificate } from './certificate-authority.ts';
import type { Notifier } from './notifier.ts';
import type { Settler } from './settler.ts';

/**
 * What the running bank does for one account: the account's books, credentials and workers, and the settings that all
 * accounts share.
 */
export interface Bank extends BankSettings {
  /** `1` for the first account, which the settings describe. */
  readonly id: string;
  readonly books: Books;
  readonly account: SandboxAccount;
  readonly notifier: Notifier;
  readonly settler: Settler;
  readonly automaticWorker: AutomaticWorker;
  readonly clientId: string;
  readonly clientSecret: string;
  /** If set, the account answers only clients with this certificate. */
  readonly certificate?: ClientCertificate | undefined;
  /** Finds the account of this bank that has a key. */
  readonly accountOfKey: (key: string) => Bank | undefined;
}

/** The settings and state that the accounts of the running bank share. */
export interface BankSettings {
  /** Where the bank is reached from outside. */
  readonly site: Site;
  readonly tokenSeconds: number;
  /** How long the other bank takes for a payout or a refund, if nothing goes wrong. */
  readonly processingMs: number;
  /** How long the bank leaves a request without a response before it cuts the connection, as a load balancer would. */
  readonly hangMs: number;
  readonly dataDir: string;
  /** Issues client certificates; undefined if the bank has no listener that demands them. */
  readonly authority: CertificateAuthority | undefined;
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
  /** The base URL of `/oauth/token`, `/v2/*` and `/v3/*`, without a trailing slash. */
  apiUrl: string;
  /** The same for accounts that demand a client certificate; undefined if the bank has no listener for them. */
  mtlsUrl: string | undefined;
}

/** Returns `host:port` of the public address, as used in locations. */
export function publicHost(site: Site): string {
  return new URL(site.publicUrl).host;
}
