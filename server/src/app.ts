import { endpoints, livePermissionOf, mayDo } from '@jangada/contract';
import type { FastifyInstance } from 'fastify';
import { accountRoutes } from './accounts/index.ts';
import { adminRoutes } from './admin/index.ts';
import { apiKeyRoutes, authenticateApiKey } from './api-keys/index.ts';
import { approvalRoutes } from './approvals/index.ts';
import { avatarRoutes } from './avatars/index.ts';
import { createBackgroundWork } from './background-work.ts';
import { bankWatchRoutes } from './bank-watch/index.ts';
import { chargeBatchRoutes } from './charge-batches/index.ts';
import { checkoutRoutes, createAnswerPage, mountPayerPages, paymentPages } from './checkout/index.ts';
import { counterCodePages, counterCodeRoutes } from './counter-codes/index.ts';
import { customerChargeRoutes, customerPages } from './customer-charges/index.ts';
import { customerRoutes } from './customers/index.ts';
import type { Db } from './db/pool.ts';
import { setWakeCallback } from './db/transaction.ts';
import type { Deps } from './deps.ts';
import { disputeRoutes } from './disputes/index.ts';
import { feeStatementRoutes } from './fee-statements/index.ts';
import { createFiles } from './files/index.ts';
import {
  type BackgroundHealth,
  createWriteCheck,
  gatewayRoutes,
  systemHealthRoutes,
  type WriteCheck,
} from './gateway/index.ts';
import { handoverRoutes } from './handover/index.ts';
import { batchRoute } from './http/batch.ts';
import { serveDocs } from './http/cached-document.ts';
import { GuessLimit } from './http/guess-limit.ts';
import { mountRoutes } from './http/mount.ts';
import type { Caller, Route } from './http/route.ts';
import { defaultContentSecurityPolicy } from './http/secure-headers.ts';
import { readContentSecurityPolicy, serveDashboard } from './http/serve-dashboard.ts';
import { createServer, refuseUnknownCalls } from './http/server.ts';
import {
  authenticateSession,
  CLOSED_SESSIONS_CHANNEL,
  createDeviceCookie,
  findLiveSessions,
  identityRoutes,
  isTicketOrSessionToken,
  parseDeviceCookie,
  redeemTicketOrSessionToken,
} from './identity/index.ts';
import { kycRoutes } from './kyc/index.ts';
import { mailRoutes } from './mail/index.ts';
import { connectionRoutes } from './manage-connections/index.ts';
import { memberRoutes, withdrawMoneyInvitations } from './members/index.ts';
import {
  type LiveChannel,
  type LiveOwner,
  mountLiveChannel,
  notificationRoutes,
} from './notifications/index.ts';
import { serveApiDocuments } from './openapi/index.ts';
import { orderHooks } from './order-hooks.ts';
import { createListener, createOutbox } from './outbox/index.ts';
import { linkPages, paymentLinkRoutes } from './payment-links/index.ts';
import { paymentRoutes } from './payments/index.ts';
import { type ConnectedBank, mountNotices } from './psp/index.ts';
import { refundRoutes } from './refunds/index.ts';
import { Refusal } from './refusal.ts';
import { reminderRoutes } from './reminders/index.ts';
import { reportRoutes } from './reports/index.ts';
import { statementRoutes } from './statement/index.ts';
import { subscriptionPages, subscriptionRoutes } from './subscriptions/index.ts';
import { supportAccessRoutes } from './support-access/index.ts';
import type { Warning } from './warning.ts';
import { webhookRoutes } from './webhooks/index.ts';
import { withdrawalRoutes } from './withdrawals/index.ts';

/** The dependencies passed to `createApp`, which creates `files` itself. */
export type AppDeps = Omit<Deps, 'files'>;

export type AppOptions = {
  /** Connects as the application's role, for connections outside the pool. */
  readonly databaseUrl: string;
  /**
   * The same database through connections reserved for the bank's notices (callbacks about payments), so that money is
   * received even while API calls use all other connections.
   */
  readonly receivingDb: Db;
  /** Problems that an operator should fix; /api/health reports their names. */
  readonly warnings: readonly Warning[];
  /** The folder of the built dashboard. */
  readonly pages?: string;
  /** Is told of every response that differs from its contract, for tests. */
  readonly reportMismatch?: (mismatch: string) => void;
};

/** The whole gateway: its servers and its background work. */
export type App = {
  readonly deps: Deps;
  readonly server: FastifyInstance;
  /** Receives the bank's notices (callbacks about payments) over mutual TLS, if configured. */
  readonly noticeServer: FastifyInstance | undefined;
  readonly backgroundWork: BackgroundHealth;
  readonly checkWrites: WriteCheck;
  /** Starts the background work of this process's role. */
  startWork(): Promise<void>;
  /** Completes requests in progress, then stops the background work. Nothing runs afterwards. */
  stop(): Promise<void>;
};

/** Wires the modules together; the only place that knows all of them. */
export async function createApp(parts: AppDeps, options: AppOptions): Promise<App> {
  // After each commit, the outbox wakes the background work that the transaction left. `backgroundWork` is created below, before
  // the first commit.
  const outbox = createOutbox({ ...parts, onWake: (written) => backgroundWork.wake(written) });
  const files = createFiles(parts);
  const deps: Deps = { ...parts, files };
  const noticeDeps: Deps = { ...deps, db: options.receivingDb };
  for (const { db } of [deps, noticeDeps]) setWakeCallback(db, outbox.wake);
  const backgroundWork = createBackgroundWork(deps, noticeDeps, outbox, options.databaseUrl);
  const server = createServer({ ...deps, contentSecurityPolicy: contentSecurityPolicyOf(options) });
  // Uses the connections reserved for notices, so that the health check does not fail when API calls occupy all the
  // others.
  const checkWrites = createWriteCheck({ db: options.receivingDb });
  const healthSources = { backgroundWork, checkWrites, warnings: options.warnings };
  const gatewayOwnRoutes = gatewayRoutes(noticeDeps, healthSources);
  const servesRequests = deps.config.role !== 'worker';
  // Shared by the API and the live channel, so that a caller's failed guesses of secrets count together.
  const guesses = new GuessLimit();
  const liveChannel = servesRequests
    ? await openLiveChannel(server, deps, options.databaseUrl, guesses)
    : undefined;
  const noticeServer = servesRequests ? createNoticeServer(deps) : undefined;
  const operatorHealthRoutes = systemHealthRoutes(deps, healthSources);
  mountApiRoutes(
    server,
    servesRequests
      ? [...gatewayOwnRoutes, ...operatorHealthRoutes, ...moduleRoutes(deps), batchRoute]
      : gatewayOwnRoutes,
    deps,
    {
      ...options,
      guesses,
    },
  );
  if (servesRequests) {
    if (noticeServer === undefined) {
      mountNotices(server, noticeDeps, backgroundWork.notices);
    } else {
      const isOwnBank = (callbacks: ConnectedBank['callbacks']) => callbacks.arrivesAtPublicUrl !== true;
      mountNotices(noticeServer, noticeDeps, backgroundWork.notices, isOwnBank);
      mountNotices(server, noticeDeps, backgroundWork.notices, (callbacks) => !isOwnBank(callbacks));
    }
    serveApiDocuments(server, deps.config);
    const answerPage = createAnswerPage(deps, options.pages);
    mountPayerPages(server, deps.config, answerPage, [
      paymentPages(deps, answerPage),
      linkPages(deps, answerPage),
      counterCodePages(deps, answerPage),
      customerPages(deps, answerPage),
      subscriptionPages(deps, answerPage),
    ]);
    if (options.pages !== undefined) {
      serveDocs(server, options.pages, deps.config);
      await serveDashboard(server, options.pages);
    }
  }
  refuseUnknownCalls(server, endpoints);
  return {
    deps,
    server,
    noticeServer,
    backgroundWork,
    checkWrites,
    async startWork() {
      await liveChannel?.start();
      await backgroundWork.start();
    },
    async stop() {
      await Promise.all([server.close(), noticeServer?.close()]);
      await backgroundWork.stop();
      await liveChannel?.stop();
      files.close();
    },
  };
}

function mountApiRoutes(
  server: FastifyInstance,
  routes: Route[],
  deps: Deps,
  options: AppOptions & { readonly guesses: GuessLimit },
): void {
  mountRoutes(server, routes, {
    ...deps,
    rateLimit: deps.config.rateLimit,
    authentication: {
      identifyBySession: (token) => authenticateSession(deps, token),
      identifyByApiKey: (key, address) => authenticateApiKey(deps, key, address),
      requiresStaffSecondFactor: deps.config.staffSecondFactor,
    },
    guesses: options.guesses,
    devices: { findDevice: parseDeviceCookie, createDevice: () => createDeviceCookie(deps.config.publicUrl) },
    ...(options.reportMismatch && { reportMismatch: options.reportMismatch }),
  });
}

/**
 * Opens the channel through which open screens receive changes, whichever process made them. A screen opens it with its
 * session token, or with a ticket: a short-lived token for one use.
 */
function openLiveChannel(
  server: FastifyInstance,
  deps: Deps,
  databaseUrl: string,
  guesses: GuessLimit,
): Promise<LiveChannel> {
  return mountLiveChannel(server, {
    log: deps.log,
    listener: createListener({ url: databaseUrl, log: deps.log }),
    isValidToken: (token) => isTicketOrSessionToken(deps, token),
    redeemToken: async (token) => toLiveOwner(deps, await redeemTicketOrSessionToken(deps, token)),
    findLiveSessions: (hashes) => findLiveSessions(deps, hashes),
    closedSessionsChannel: CLOSED_SESSIONS_CHANNEL,
    guesses,
  });
}

/** The owner of the live channel of a session, who receives what their role in the account may know. */
function toLiveOwner({ clock }: Deps, caller: Caller): LiveOwner {
  const { accountId, userId, memberRole, isHolder, isAccountFrozen, supportUntil, sessionHash } = caller;
  if (sessionHash === undefined) throw new Refusal('UNAUTHENTICATED');
  if (isAccountFrozen) throw new Refusal('ACCOUNT_FROZEN');
  const mayReceive = (type: string) => {
    const permission = livePermissionOf(type);
    // What is told of an account that was handed over is stored for its new holder, and shown live to nobody.
    if (permission === 'own') return accountId === userId && isHolder;
    if (supportUntil !== undefined && supportUntil <= clock.now()) return false;
    return mayDo(memberRole, permission);
  };
  return { merchantId: accountId, sessionHash, mayReceive };
}

function contentSecurityPolicyOf({ pages }: AppOptions): string {
  return pages === undefined ? defaultContentSecurityPolicy : readContentSecurityPolicy(pages);
}

/** Creates the server for notices, if mutual TLS is configured; then only this server accepts them. */
function createNoticeServer({ config, log }: Deps): FastifyInstance | undefined {
  const mutualTls = config.psp.webhookMtls;
  if (mutualTls === undefined) return undefined;
  const { noticesUrl, trustProxy } = config;
  const noticeConfig = { publicUrl: noticesUrl, noticesUrl, trustProxy, corsOrigins: [] };
  return createServer({
    config: noticeConfig,
    log,
    mutualTls,
    contentSecurityPolicy: defaultContentSecurityPolicy,
  });
}

function moduleRoutes(deps: Deps): Route[] {
  return [
    ...identityRoutes(deps),
    ...mailRoutes(deps),
    ...accountRoutes(deps),
    ...memberRoutes(deps, orderHooks),
    ...approvalRoutes(deps, orderHooks, withdrawMoneyInvitations),
    ...handoverRoutes(deps),
    ...supportAccessRoutes(deps),
    ...avatarRoutes(deps),
    ...checkoutRoutes(deps),
    ...kycRoutes(deps),
    ...notificationRoutes(deps),
    ...apiKeyRoutes(deps),
    ...paymentRoutes(deps),
    ...chargeBatchRoutes(deps),
    ...paymentLinkRoutes(deps),
    ...counterCodeRoutes(deps),
    ...customerRoutes(deps),
    ...customerChargeRoutes(deps),
    ...subscriptionRoutes(deps),
    ...reminderRoutes(deps),
    ...connectionRoutes(deps),
    ...reportRoutes(deps),
    ...webhookRoutes(deps),
    ...disputeRoutes(deps),
    ...adminRoutes(deps),
    ...withdrawalRoutes(deps),
    ...refundRoutes(deps),
    ...bankWatchRoutes(deps),
    ...statementRoutes(deps),
    ...feeStatementRoutes(deps),
  ];
}
