import pTimeout from 'p-timeout';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { GuardedFetch } from '../guarded-fetch/index.ts';
import { type Loop, repeat } from '../jobs/index.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import { claimDeliveries } from './claim-deliveries.ts';
import type { Delivery } from './delivery.ts';
import { deleteLeases } from './delivery-store.ts';
import { createEndpointQueues } from './endpoint-queues.ts';
import { holdDeliveries } from './hold-deliveries.ts';
import { noteLaneChanges } from './lane-store.ts';
import { type FinishedAttempt, recordAttempts } from './record-attempts.ts';
import { endpointSecrets, signingSecrets } from './secrets.ts';

export type WebhookSenderOptions = Pick<Deps, 'db' | 'clock' | 'log' | 'secrets'> & {
  /** Owned by the sender, which closes it on stop. */
  readonly fetch: GuardedFetch;
};

/** Sends due webhooks, many at a time. Any number of processes may send from one database. */
export type WebhookSender = Pick<Loop, 'healthy' | 'wake' | 'stop'> & {
  start(): void;
  /**
   * Sends everything due now once, and resolves when every attempt is recorded. For callers that do not call `start`.
   */
  sendDue(): Promise<void>;
};

const everyMs = 500;
const restMs = 50;
const underWayLimit = 1024;
const claimLimits = { deliveries: 256, perEndpoint: 4, perMerchant: 32 };
// Longer than any attempt may take, so that only a dead process loses a lease.
const leaseMs = 30_000;
const longestAttemptMs = 15_000;
// Deliveries queued behind others at an endpoint were leased on the assumption that it responds within `quickMs`.
const aheadLimit = 60;
const quickMs = 100;
const longestWaitMs = 2000;
// Time on shutdown for attempts in progress; then they are aborted and sent again later. In milliseconds.
const partingMs = 5000;

type Leased = Delivery & { readonly secrets: readonly string[] };

export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { db, clock, log, fetch } = options;
  const underWay = new Set<string>();
  const running = new Set<Promise<unknown>>();
  const queues = createEndpointQueues<Leased>({
    atOnce: claimLimits.perEndpoint,
    ahead: aheadLimit,
    send: (delivery) => tracked(send(delivery)),
    drop: (deliveries) => void tracked(release(deliveries)),
  });
  let finished: FinishedAttempt[] = [];
  let claiming: Loop | undefined;
  let recording: Loop | undefined;

  /** Returns a number above 0 if more deliveries may be due. */
  async function claimAndSend(): Promise<number> {
    queues.dropOlderThan(longestWaitMs);
    const deliveries = Math.min(claimLimits.deliveries, underWayLimit - underWay.size);
    if (deliveries <= 0) return 0;
    const limits = {
      ...claimLimits,
      deliveries,
      ...(underWay.size < underWayLimit / 2 && { ahead: queues.ahead }),
    };
    const { deliveries: claimed, more } = await inTransaction({ db, clock }, (tx) =>
      claimDeliveries(tx, limits, new Date(tx.now.getTime() + leaseMs)),
    );
    if (claimed.length === 0) return more ? 1 : 0;
    const secretsOf = await readSecrets(claimed);
    const off: Delivery[] = [];
    for (const delivery of claimed) {
      // A clock that jumps forward can expire the lease of a delivery still being sent here.
      if (underWay.has(delivery.id)) continue;
      const secrets = secretsOf(delivery);
      if (secrets.length === 0) off.push(delivery);
      else {
        underWay.add(delivery.id);
        queues.add({ ...delivery, secrets });
      }
    }
    if (off.length > 0) await holdDeliveries(options, off);
    // Deliveries set aside freed their slots for others.
    return more || off.length > 0 ? claimed.length : 0;
  }

  /**
   * The account's secrets for callback URLs, the endpoint's own for endpoints; none for an endpoint that is off or
   * removed.
   */
  async function readSecrets(
    claimed: readonly Delivery[],
  ): Promise<(delivery: Delivery) => readonly string[]> {
    const callbacks = claimed.filter(({ endpointId }) => endpointId === null);
    const ofAccounts = await signingSecrets(options, [...new Set(callbacks.map((one) => one.merchantId))]);
    const ofEndpoints = await endpointSecrets(options, claimed);
    return ({ merchantId, endpointId }) =>
      (endpointId === null ? ofAccounts.get(merchantId) : ofEndpoints.get(endpointId)) ?? [];
  }

  /** Returns whether the endpoint responded quickly. */
  async function send(delivery: Leased): Promise<boolean> {
    if (clock.now().getTime() > delivery.leasedUntil.getTime() - longestAttemptMs) {
      await release([delivery]);
      return false;
    }
    try {
      const attempt = await attemptDelivery({ fetch, clock }, delivery, delivery.secrets);
      finished.push({ delivery, attempt });
      recording?.wake();
      // An endpoint that answers 410 is turned off before anything else is sent to it; if recording fails here, the
      // loop retries it.
      if (attempt.status === 410 && delivery.endpointId !== null) {
        await record().catch(() => 0);
        return false;
      }
      return attempt.error === null && attempt.durationMs <= quickMs;
    } catch (error) {
      // No attempt was made: it is due again when its lease expires.
      log.error({ err: error, delivery: delivery.id }, 'a webhook could not be sent');
      underWay.delete(delivery.id);
      return false;
    }
  }

  /** Returns deliveries to the queue, for the next claim by any process. */
  async function release(deliveries: readonly Leased[]): Promise<void> {
    // Removed before their leases are deleted: the next claim may take them again at once.
    for (const { id } of deliveries) underWay.delete(id);
    try {
      await releaseDeliveries(options, deliveries);
    } catch (error) {
      log.error(
        { err: error },
        'leases of webhooks could not be released: they are due again when the leases end',
      );
    }
    claiming?.wake();
  }

  function tracked<T>(work: Promise<T>): Promise<T> {
    const ended = work.finally(() => running.delete(ended));
    running.add(ended);
    return ended;
  }

  /** Attempts that end during one run are recorded together in the next. */
  async function record(): Promise<number> {
    const batch = finished;
    finished = [];
    if (batch.length === 0) return 0;
    try {
      await recordAttempts(options, batch);
    } catch (error) {
      finished = [...batch, ...finished];
      throw error;
    }
    for (const { delivery } of batch) underWay.delete(delivery.id);
    claiming?.wake();
    return batch.length;
  }

  return {
    start() {
      recording ??= repeat(log, { name: 'webhook attempts', everyMs, restMs, work: record });
      claiming ??= repeat(log, { name: 'webhooks', everyMs, restMs, work: claimAndSend });
    },
    async sendDue() {
      for (let more = 1; more > 0 || underWay.size > 0; ) {
        more = await claimAndSend();
        await Promise.all(running);
        await record();
      }
    },
    wake: () => claiming?.wake(),
    healthy: () => (claiming?.healthy() ?? false) && (recording?.healthy() ?? false),
    async stop() {
      await claiming?.stop();
      queues.dropOlderThan(0);
      await pTimeout(Promise.all(running), { milliseconds: partingMs, message: false });
      await fetch.close();
      await Promise.all(running);
      await recording?.stop();
      await record();
    },
  };
}

/** Ends the leases of deliveries that were not sent after all; their due times are unchanged. */
async function releaseDeliveries(
  deps: Pick<Deps, 'db' | 'clock'>,
  deliveries: readonly Delivery[],
): Promise<void> {
  const since = new Date(Math.min(...deliveries.map(({ createdAt }) => createdAt.getTime())));
  await inTransaction(deps, async (tx) => {
    await deleteLeases(tx, deliveries);
    await noteLaneChanges(tx, deliveries, null);
    await noteLaneChanges(tx, deliveries, since);
  });
}
