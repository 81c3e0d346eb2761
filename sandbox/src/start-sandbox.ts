import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { accountSchema, DEFAULT_ACCOUNT, DEFAULT_CLIENT, type SandboxAccount } from './account.ts';
import { Accounts } from './accounts.ts';
import { type ApiTls, createApiApp, createPublicApp } from './app.ts';
import type { BankSettings, Site } from './bank.ts';
import type { BooksOptions } from './books.ts';
import { type CertificateAuthority, openCertificateAuthority } from './certificate-authority.ts';
import type { NotifierOptions } from './notifier.ts';

/** How long a stop waits for running requests before it cuts them off. */
const SHUTDOWN_GRACE_MS = 500;

export interface SandboxOptions extends BooksOptions {
  /** The directory of the books of all accounts; only one bank may use it at a time. */
  readonly dataDir: string;
  readonly host?: string;
  /** The default 0 picks a free port. */
  readonly port?: number;
  /** The base address in codes and links; by default `http://localhost:{port}`. */
  readonly publicUrl?: string;
  /** The first account and its credentials. */
  readonly account?: Partial<SandboxAccount>;
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** If set, OAuth and the API Pix are served with mutual TLS on a port of their own, and not on the public port. */
  readonly apiTls?: ApiTls & { readonly port?: number };
  /**
   * If set, the bank has an authority of its own, accounts can be opened that demand a client certificate, and the API
   * for them has a listener of its own, beside the public one. Not to be used with `apiTls`.
   */
  readonly mtls?: { readonly port?: number };
  readonly tokenSeconds?: number;
  /** How long the other bank takes for a payout or a refund, by the bank's clock; 20 by default. */
  readonly processingMs?: number;
  /** How long the bank leaves a request without a response before it cuts the connection; 2 minutes by default. */
  readonly hangMs?: number;
  readonly notifications?: NotifierOptions;
}

export interface RunningSandbox {
  /** The URL of the public listener: pages, payloads, `/sandbox/*`. */
  readonly url: string;
  readonly port: number;
  /** The base URL of `/oauth/token`, `/v2/*` and `/v3/*`: with mutual TLS an `https` URL, else the same as `url`. */
  readonly apiUrl: string;
  readonly publicUrl: string;
  /** The base URL of the API for accounts that demand a client certificate; undefined without `mtls`. */
  readonly mtlsUrl: string | undefined;
  /** The first account and its credentials. */
  readonly account: SandboxAccount;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Finishes running requests, cuts off requests that hang, and closes the books. */
  stop(): Promise<void>;
}

/** Starts Banco Sandbox. Rejects if a port is taken or the books cannot be read. */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const host = options.host ?? '127.0.0.1';
  const site: Site = {
    publicUrl: options.publicUrl?.replace(/\/$/, '') ?? 'http://localhost',
    apiUrl: '',
    mtlsUrl: undefined,
  };
  const first = {
    account: accountSchema.parse({ ...DEFAULT_ACCOUNT, ...options.account }),
    clientId: options.clientId ?? DEFAULT_CLIENT.id,
    clientSecret: options.clientSecret ?? DEFAULT_CLIENT.secret,
  };
  const settings: BankSettings = {
    site,
    tokenSeconds: options.tokenSeconds ?? 3600,
    processingMs: options.processingMs ?? 20,
    hangMs: options.hangMs ?? 120_000,
    dataDir: options.dataDir,
    authority: options.mtls && (await openCertificateAuthority(options.dataDir)),
    receivedWebhooks: [],
  };
  const accounts = await Accounts.open(first, settings, options);
  const publicApp = createPublicApp(accounts, options.apiTls === undefined);
  const apiApp = options.apiTls === undefined ? undefined : createApiApp(accounts, options.apiTls);
  const mtlsApp =
    settings.authority && createApiApp(accounts, mtlsOf(settings.authority, [host, hostOf(site)]));
  // A second call of `stop` waits for the first.
  let stopPromise: Promise<void> | undefined;
  const stop = () => {
    const apps = [publicApp, apiApp, mtlsApp].filter((app) => app !== undefined);
    stopPromise ??= Promise.all([...apps.map(closeApp), accounts.stopWorkers()]).then(() =>
      accounts.closeBooks(),
    );
    return stopPromise;
  };
  try {
    await publicApp.listen({ host, port: options.port ?? 0 });
    await apiApp?.listen({ host, port: options.apiTls?.port ?? 0 });
    await mtlsApp?.listen({ host, port: options.mtls?.port ?? 0 });
  } catch (error) {
    await stop();
    throw error;
  }
  const port = portOf(publicApp.server.address());
  if (options.publicUrl === undefined) site.publicUrl = `http://localhost:${port}`;
  const tlsUrl = apiApp === undefined ? undefined : `https://${host}:${portOf(apiApp.server.address())}`;
  site.apiUrl = tlsUrl ?? site.publicUrl;
  if (mtlsApp !== undefined) site.mtlsUrl = `https://${hostOf(site)}:${portOf(mtlsApp.server.address())}`;
  accounts.start();
  const url = `http://${host}:${port}`;
  return {
    url,
    port,
    apiUrl: tlsUrl ?? url,
    publicUrl: site.publicUrl,
    mtlsUrl: site.mtlsUrl,
    ...first,
    stop,
  };
}

/** The bank's own certificate for the names under which it may be reached, and whose certificates it demands. */
function mtlsOf(authority: CertificateAuthority, names: readonly string[]): ApiTls {
  const hosts = new Set(['localhost', '127.0.0.1', ...names.filter((name) => !name.includes(':'))]);
  return { ...authority.issueToServer([...hosts]), ca: authority.cert };
}

function hostOf({ publicUrl }: Site): string {
  return new URL(publicUrl).hostname;
}

/** Finishes running requests, and cuts off requests that hang. */
async function closeApp(app: FastifyInstance): Promise<void> {
  const cutOffTimer = setTimeout(() => app.server.closeAllConnections(), SHUTDOWN_GRACE_MS);
  await app.close();
  clearTimeout(cutOffTimer);
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('Not listening on a port');
  return address.port;
}
