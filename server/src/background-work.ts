import type { Logger } from 'pino';
import { accountLoops } from './accounts/index.ts';
import { apiKeyJobs } from './api-keys/index.ts';
import { approvalLoops } from './approvals/index.ts';
import { auditLoops } from './audit/index.ts';
import { bankWatchLoops } from './bank-watch/index.ts';
import { chargeBatchLoops } from './charge-batches/index.ts';
import { connectionJobs, connectionLoops } from './connections/index.ts';
import { dailyLookLoops } from './daily-looks.ts';
import type { Wake } from './db/transaction.ts';
import type { Deps, ModuleLoop } from './deps.ts';
import { disputeJobs, disputeLoops } from './disputes/index.ts';
import { failoverLoops } from './failover.ts';
import { feeStatementJobs } from './fee-statements/index.ts';
import { createAddressRules, createGuardedFetch } from './guarded-fetch/index.ts';
import { pruneIdempotencyKeys } from './http/idempotency-store.ts';
import { deleteExpiredIdentityData } from './identity/index.ts';
import { type Job, type Loop, type Schedule, startLoop, startSchedule } from './jobs/index.ts';
import { kycLoops } from './kyc/index.ts';
import { mailJobs, mailLoops } from './mail/index.ts';
import { connectionCheckLoops, stopChecks } from './manage-connections/index.ts';
import { memberJobs } from './members/index.ts';
import { createPushSender, pruneNotifications, prunePushDevices, vapidOf } from './notifications/index.ts';
import { orderHooks } from './order-hooks.ts';
import { createListener, type Listener, type Outbox } from './outbox/index.ts';
import { createNoticeProcessor, type NoticeProcessor, paymentJobs, paymentLoops } from './payments/index.ts';
import { type NoticeSink, pspJobs, stopTurns } from './psp/index.ts';
import { refundLoops } from './refunds/index.ts';
import { reminderLoops } from './reminders/index.ts';
import { subscriptionLoops } from './subscriptions/index.ts';
import { supportAccessJobs } from './support-access/index.ts';
import {
  createWebhookSender,
  createWorkAnnouncer,
  pruneWebhooks,
  WEBHOOK_WORK_CHANNEL,
  type WebhookSender,
  webhookLoops,
} from './webhooks/index.ts';
import { withdrawalJobs, withdrawalLoops } from './withdrawals/index.ts';

/** The work of a process besides its responses to requests: loops, which repeat continuously, and jobs at set times. */
export type BackgroundWork = {
  start(): Promise<void>;
  /** Returns whether the work was started, and all loops and the job schedule run on time. */
  healthy(): boolean;
  /**
   * Wakes the loops that send webhooks and pushes and, if an order to the bank was written, the loops that send orders.
   * A web-only process has none of these loops. It announces webhooks to the other processes; their other loops find
   * the new work at their next run.
   */
  wake: Wake;
  /** Takes the bank's notices (callbacks about payments) as soon as they arrive, if this process works on notices. */
  readonly notices: NoticeSink;
  stop(): Promise<void>;
};

/** How long a shutdown waits for notices in progress; unfinished notices remain due in the database. */
const noticeShutdownMs = 5000;
/** How long a shutdown waits for work at banks that a turn no longer waited for; what is unfinished is due again. */
const bankShutdownMs = 5000;

type RunningLoop = Pick<Loop, 'healthy' | 'wake' | 'stop'>;

/**
 * Creates the background work of a process, by its configured role. `noticeDeps`: the dependencies as in `deps`, but
 * with the database connections reserved for notices. `databaseUrl`: for connections outside the pools.
 */
export function createBackgroundWork(
  deps: Deps,
  noticeDeps: Deps,
  outbox: Outbox,
  databaseUrl: string,
): BackgroundWork {
  const runningLoops = new Map<string, RunningLoop>();
  const noticeProcessor = createNoticeProcessor(noticeDeps);
  const announceWebhooks = createWorkAnnouncer(deps);
  let sender: WebhookSender | undefined;
  let listener: Listener | undefined;
  let schedule: Schedule | undefined;
  let isStarted = false;
  return {
    async start() {
      // Whatever its role, a process announces the messages for open screens right after its own commits.
      outbox.start();
      runningLoops.set('outbox', outbox);
      // Whatever its role, a process learns which accounts at banks other processes changed.
      await deps.banks.refresh();
      const banks = { name: 'banks', everyMs: 2000, work: () => deps.banks.refresh().then(() => 0) };
      runningLoops.set('banks', startLoop(deps.log, banks));
      if (deps.config.role !== 'web') {
        for (const [name, loop] of startLoops(deps)) runningLoops.set(name, loop);
        sender = createWebhookSender({
          ...deps,
          fetch: createGuardedFetch({ rules: createAddressRules(deps.config) }),
        });
        listener = listenForWebhooks(sender, databaseUrl, deps.log);
        sender.start();
        runningLoops.set('notices', startNoticeLoop(deps, noticeProcessor));
        schedule = await startSchedule(databaseUrl, deps.log, jobsOf(deps));
      }
      isStarted = true;
    },
    healthy: () =>
      isStarted &&
      [...runningLoops.values(), sender, schedule].every((work) => work === undefined || work.healthy()),
    wake({ hasOrders, merchantIds }) {
      if (deps.config.role === 'web') announceWebhooks(merchantIds);
      else sender?.wake(merchantIds);
      runningLoops.get('pushes')?.wake();
      if (!hasOrders) return;
      for (const { name, sendsOrders } of backgroundLoops) if (sendsOrders) runningLoops.get(name)?.wake();
    },
    notices: {
      // Until the work is started, and in web-only processes, notices wait in the database.
      freeCapacity: (connectionId) =>
        runningLoops.has('notices') ? noticeProcessor.freeCapacity(connectionId) : 0,
      take: noticeProcessor.take,
    },
    async stop() {
      await runningLoops.get('notices')?.stop();
      await noticeProcessor.waitUntilIdle(noticeShutdownMs);
      // The outbox stops last, because it announces the messages that loops and jobs committed.
      const otherLoops = [...runningLoops].filter(([name]) => name !== 'outbox');
      await listener?.stop();
      await Promise.all([...otherLoops.map(([, loop]) => loop.stop()), sender?.stop(), schedule?.stop()]);
      await Promise.all([stopTurns(deps.banks, bankShutdownMs), stopChecks(deps)]);
      await outbox.stop();
    },
  };
}

/** The loops of all modules. Each works on items that are due, or that a process left unfinished when it died. */
export const backgroundLoops: readonly ModuleLoop[] = [
  ...paymentLoops,
  ...chargeBatchLoops,
  ...webhookLoops,
  ...withdrawalLoops,
  ...refundLoops,
  ...approvalLoops(orderHooks),
  ...bankWatchLoops,
  ...failoverLoops,
  ...dailyLookLoops,
  ...connectionLoops,
  ...disputeLoops,
  ...mailLoops,
  ...reminderLoops,
  ...accountLoops,
  ...auditLoops,
  ...kycLoops,
  ...connectionCheckLoops,
  ...subscriptionLoops,
];

/** Listens to other processes, which announce merchants with webhooks to send. */
function listenForWebhooks(sender: WebhookSender, databaseUrl: string, log: Logger): Listener {
  const listener = createListener({ url: databaseUrl, log });
  listener.on(WEBHOOK_WORK_CHANNEL, sender.handleAnnouncement);
  listener.onGap(sender.wakeForAll);
  void listener.start();
  return listener;
}

function startLoops(deps: Deps): [string, RunningLoop][] {
  const loops = backgroundLoops.map(({ name, everyMs, work }): [string, RunningLoop] => [
    name,
    startLoop(deps.log, { name, everyMs, work: () => work(deps) }),
  ]);
  return [...startPushes(deps), ...loops];
}

/** Starts sending push messages, if the gateway has the keys for them. */
function startPushes(deps: Deps): [string, RunningLoop][] {
  const vapid = vapidOf(deps);
  if (vapid === undefined) return [];
  const fetch = createGuardedFetch({ rules: createAddressRules(deps.config), timeoutMs: 10_000 });
  const sender = createPushSender({ ...deps, vapid, fetch });
  sender.start();
  return [['pushes', sender]];
}

/** Finds notices that no process is working on: stored by a web-only process, deferred, or left by a crash. */
function startNoticeLoop({ log }: Deps, { sweep }: NoticeProcessor): Loop {
  return startLoop(log, { name: 'notices', everyMs: 500, work: sweep });
}

/** The jobs. The job queue stores them in the database under these names, so a renamed job would be a different job. */
function jobsOf(deps: Deps): Job[] {
  return [
    { name: 'sweep-identity', cron: '* * * * *', work: () => deleteExpiredIdentityData(deps) },
    { name: 'prune-idempotency-keys', cron: '17 * * * *', work: () => pruneIdempotencyKeys(deps) },
    { name: 'forget-webhooks', cron: '53 3 * * *', work: () => pruneWebhooks(deps) },
    { name: 'forget-notifications', cron: '11 3 * * *', work: () => pruneNotifications(deps) },
    { name: 'forget-devices', cron: '23 3 * * *', work: () => prunePushDevices(deps) },
    ...[
      ...pspJobs,
      ...paymentJobs,
      ...withdrawalJobs,
      ...disputeJobs,
      ...mailJobs,
      ...memberJobs,
      ...supportAccessJobs,
      ...apiKeyJobs,
      ...connectionJobs,
      ...feeStatementJobs,
    ].map(({ name, cron, work }) => ({
      name,
      cron,
      work: async () => void (await work(deps)),
    })),
  ];
}
