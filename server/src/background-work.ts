import { accountLoops } from './accounts/index.ts';
import { apiKeyJobs } from './api-keys/index.ts';
import { auditLoops } from './audit/index.ts';
import { bankWatchLoops } from './bank-watch/index.ts';
import type { Deps, ModuleLoop } from './deps.ts';
import { disputeJobs, disputeLoops } from './disputes/index.ts';
import { addressRules, createGuardedFetch } from './guarded-fetch/index.ts';
import { pruneIdempotencyKeys } from './http/idempotency-store.ts';
import { pruneIdentity } from './identity/index.ts';
import { type Job, type Loop, repeat, type Schedule, startSchedule } from './jobs/index.ts';
import { kycLoops } from './kyc/index.ts';
import { mailJobs, mailLoops } from './mail/index.ts';
import { createPushSender, pruneNotifications, prunePushDevices, vapidOf } from './notifications/index.ts';
import type { Outbox } from './outbox/index.ts';
import { createNoticeProcessor, type NoticeProcessor, paymentJobs, paymentLoops } from './payments/index.ts';
import { type NoticeSink, pspJobs } from './psp/index.ts';
import { refundLoops } from './refunds/index.ts';
import { createWebhookSender, pruneWebhooks, webhookLoops } from './webhooks/index.ts';
import { withdrawalJobs, withdrawalLoops } from './withdrawals/index.ts';

/** What a process does apart from answering requests. */
export type BackgroundWork = {
  start(): Promise<void>;
  /** Returns whether it was started and every loop is running on schedule. */
  healthy(): boolean;
  /**
   * Signals that webhooks and pushes are waiting to be sent, and possibly orders to the bank, if this process sends
   * any.
   */
  wake(kind?: 'orders'): void;
  /** Takes the bank's notices (callbacks about payments) as soon as they arrive, if this process works on any. */
  readonly notices: NoticeSink;
  stop(): Promise<void>;
};

/** How long a shutdown waits for notices in progress; unfinished ones remain due in the database. */
const noticeShutdownMs = 5000;

type RunningLoop = Pick<Loop, 'healthy' | 'wake' | 'stop'>;

/**
 * The background work of a process, by its configured role. `receiving`: the dependencies with the database connections
 * reserved for notices. `databaseUrl`: for connections outside the pools.
 */
export function createBackgroundWork(
  deps: Deps,
  receiving: Deps,
  outbox: Outbox,
  databaseUrl: string,
): BackgroundWork {
  const running = new Map<string, RunningLoop>();
  const noticeWork = createNoticeProcessor(receiving);
  let schedule: Schedule | undefined;
  let isStarted = false;
  return {
    async start() {
      // Every process announces its own commits, at once.
      outbox.start();
      running.set('outbox', outbox);
      if (deps.config.role !== 'web') {
        for (const [name, loop] of startLoops(deps)) running.set(name, loop);
        running.set('notices', startNoticeLoop(deps, noticeWork));
        schedule = await startSchedule(databaseUrl, deps.log, jobsOf(deps));
      }
      isStarted = true;
    },
    healthy: () => isStarted && [...running.values()].every((loop) => loop.healthy()),
    wake(kind) {
      running.get('webhooks')?.wake();
      running.get('pushes')?.wake();
      if (kind !== 'orders') return;
      for (const { name, sendsOrders } of backgroundLoops) if (sendsOrders) running.get(name)?.wake();
    },
    notices: {
      // Until the work is started, and in web-only processes, notices wait in the database.
      freeCapacity: () => (running.has('notices') ? noticeWork.freeCapacity() : 0),
      take: noticeWork.take,
      wake: () => running.get('notices')?.wake(),
    },
    async stop() {
      await running.get('notices')?.stop();
      await noticeWork.idle(noticeShutdownMs);
      // The outbox stops last: it announces what the others committed.
      const otherLoops = [...running].filter(([name]) => name !== 'outbox');
      await Promise.all(otherLoops.map(([, loop]) => loop.stop()));
      await outbox.stop();
      await schedule?.stop();
    },
  };
}

/** Periodic work on items that are due, or that a process left unfinished when it died. */
export const backgroundLoops: readonly ModuleLoop[] = [
  ...paymentLoops,
  ...webhookLoops,
  ...withdrawalLoops,
  ...refundLoops,
  ...bankWatchLoops,
  ...disputeLoops,
  ...mailLoops,
  ...accountLoops,
  ...auditLoops,
  ...kycLoops,
];

function startLoops(deps: Deps): [string, RunningLoop][] {
  const sender = createWebhookSender({
    ...deps,
    fetch: createGuardedFetch({ rules: addressRules(deps.config) }),
  });
  sender.start();
  const loops = backgroundLoops.map(({ name, everyMs, work }): [string, RunningLoop] => [
    name,
    repeat(deps.log, { name, everyMs, work: () => work(deps) }),
  ]);
  return [['webhooks', sender], ...startPushes(deps), ...loops];
}

function startPushes(deps: Deps): [string, RunningLoop][] {
  const vapid = vapidOf(deps);
  if (vapid === undefined) return [];
  const fetch = createGuardedFetch({ rules: addressRules(deps.config), timeoutMs: 10_000 });
  const sender = createPushSender({ ...deps, vapid, fetch });
  sender.start();
  return [['pushes', sender]];
}

/** Finds notices that no process is working on: stored by a web-only process, deferred, or left by a crash. */
function startNoticeLoop({ log }: Deps, { sweep }: NoticeProcessor): Loop {
  return repeat(log, { name: 'notices', everyMs: 500, work: sweep });
}

function jobsOf(deps: Deps): Job[] {
  return [
    { name: 'sweep-identity', cron: '* * * * *', work: () => pruneIdentity(deps) },
    { name: 'prune-idempotency-keys', cron: '17 * * * *', work: () => pruneIdempotencyKeys(deps) },
    { name: 'forget-webhooks', cron: '53 3 * * *', work: () => pruneWebhooks(deps) },
    { name: 'forget-notifications', cron: '11 3 * * *', work: () => pruneNotifications(deps) },
    { name: 'forget-devices', cron: '23 3 * * *', work: () => prunePushDevices(deps) },
    ...[...pspJobs, ...paymentJobs, ...withdrawalJobs, ...disputeJobs, ...mailJobs, ...apiKeyJobs].map(
      ({ name, cron, work }) => ({
        name,
        cron,
        work: async () => void (await work(deps)),
      }),
    ),
  ];
}
