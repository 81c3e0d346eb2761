import { endpoints } from '@jangada/contract';
import type { FastifyInstance } from 'fastify';
import { adminRoutes } from './admin/index.ts';
import { apiKeyRoutes, authenticateApiKey } from './api-keys/index.ts';
import type { Deps } from './deps.ts';
import { gatewayRoutes } from './gateway/index.ts';
import { addressRules, createGuardedFetch } from './guarded-fetch/index.ts';
import { mountRoutes } from './http/mount.ts';
import { pagesPolicy, servePages } from './http/pages.ts';
import { pruneIdempotencyKeys } from './http/prune-idempotency-keys.ts';
import type { Route } from './http/route.ts';
import { ownPolicy } from './http/secure-headers.ts';
import { answerUnknownCalls, createServer } from './http/server.ts';
import { authenticateSession, deviceOf, identityRoutes, newDevice, sweepIdentity } from './identity/index.ts';
import { type Job, type Loop, repeat, type Schedule, startSchedule } from './jobs/index.ts';
import { printOpenApi } from './openapi/index.ts';
import { createOutbox } from './outbox/index.ts';
import { paymentLoops, paymentRoutes } from './payments/index.ts';
import { mountNotices, pspJobs } from './psp/index.ts';
import { reportRoutes } from './reports/index.ts';
import { createWebhookSender, webhookLoops, webhookRoutes } from './webhooks/index.ts';

/** What the modules work with; what announces their changes is made here. */
export type AppDeps = Omit<Deps, 'outbox'>;

export type AppOptions = {
  /** Connects as the application's role: for connections outside the pool. */
  readonly databaseUrl: string;
  /** What an operator should put right, told by /api/health. */
  readonly warnings: readonly string[];
  /** The folder of the built dashboard. */
  readonly pages?: string;
  /** Holds every answer against the contract; for tests. */
  readonly checkAnswers?: boolean;
};

/** The gateway as one thing: what it serves, and what it does by itself. */
export type App = {
  readonly deps: Deps;
  readonly server: FastifyInstance;
  /** Takes the bank's notices behind mutual TLS, where the settings want it. */
  readonly noticeServer: FastifyInstance | undefined;
  /** Starts what a process of this role does in the background. */
  startWork(): Promise<void>;
  /** Answers what is under way, then ends the work. Nothing runs afterwards. */
  stop(): Promise<void>;
};

/** Puts the modules together. The one place where all of them meet. */
export async function createApp(parts: AppDeps, options: AppOptions): Promise<App> {
  const { config, log } = parts;
  const loops = new Map<string, Pick<Loop, 'healthy' | 'wake' | 'stop'>>();
  const outbox = createOutbox({ ...parts, onWake: () => loops.get('webhooks')?.wake() });
  const deps: Deps = { ...parts, outbox };
  let schedule: Schedule | undefined;
  const healthy = () => [...loops.values()].every((loop) => loop.healthy());

  const server = createServer({ config, log, contentSecurityPolicy: policyOf(options) });
  const ownRoutes = gatewayRoutes(deps, { healthy }, options.warnings);
  const routes = config.role === 'worker' ? ownRoutes : [...ownRoutes, ...merchantRoutes(deps)];
  mountRoutes(server, routes, {
    ...deps,
    rateLimit: config.rateLimit,
    authentication: {
      session: (token) => authenticateSession(deps, token),
      apiKey: (key) => authenticateApiKey(deps, key),
    },
    devices: { of: deviceOf, issue: () => newDevice(config.publicUrl) },
    checkAnswers: options.checkAnswers ?? false,
  });
  const noticeServer = config.role === 'worker' ? undefined : createNoticeServer(deps);
  if (config.role !== 'worker') {
    mountNotices(noticeServer ?? server, deps, () => loops.get('notices')?.wake());
    const openApi = printOpenApi(config);
    server.get('/api/openapi.json', () => openApi);
    if (options.pages !== undefined) await servePages(server, options.pages);
  }
  answerUnknownCalls(server, endpoints);

  return {
    deps,
    server,
    noticeServer,
    async startWork() {
      // Every process announces what it commits, the moment it does.
      outbox.start();
      loops.set('outbox', outbox);
      if (config.role === 'web') return;
      const rules = addressRules(config);
      const sender = createWebhookSender({ ...deps, fetch: createGuardedFetch({ rules }) });
      sender.start();
      loops.set('webhooks', sender);
      for (const { name, everyMs, work } of [...paymentLoops, ...webhookLoops])
        loops.set(name, repeat(log, { name, everyMs, work: () => work(deps) }));
      schedule = await startSchedule(options.databaseUrl, log, jobsOf(deps));
    },
    async stop() {
      await Promise.all([server.close(), noticeServer?.close()]);
      await Promise.all([...loops.values()].map((loop) => loop.stop()));
      await schedule?.stop();
    },
  };
}

function policyOf({ pages }: AppOptions): string {
  return pages === undefined ? ownPolicy : pagesPolicy(pages);
}

/** Then notices come this way only. */
function createNoticeServer({ config, log }: Deps): FastifyInstance | undefined {
  const mutualTls = config.psp.webhookMtls;
  if (mutualTls === undefined) return undefined;
  const { noticesUrl: publicUrl, trustProxy } = config;
  const reached = { publicUrl, trustProxy, corsOrigins: [] };
  return createServer({ config: reached, log, mutualTls, contentSecurityPolicy: ownPolicy });
}

function merchantRoutes(deps: Deps): Route[] {
  return [
    ...identityRoutes(deps),
    ...apiKeyRoutes(deps),
    ...paymentRoutes(deps),
    ...reportRoutes(deps),
    ...webhookRoutes(deps),
    ...adminRoutes(deps),
  ];
}

function jobsOf(deps: Deps): Job[] {
  return [
    { name: 'sweep-identity', cron: '* * * * *', work: () => sweepIdentity(deps) },
    { name: 'prune-idempotency-keys', cron: '17 * * * *', work: () => pruneIdempotencyKeys(deps) },
    ...pspJobs.map(({ name, cron, work }) => ({ name, cron, work: () => work(deps) })),
  ];
}
