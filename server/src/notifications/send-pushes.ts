import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { GuardedFetch } from '../guarded-fetch/index.ts';
import { type Loop, startLoop } from '../jobs/index.ts';
import { attemptPush, batchPushes, type PushBatch, type PushOutcome, toPushMessage } from './attempt-push.ts';
import {
  type ClaimedPushDelivery,
  claimPushDeliveries,
  type DeviceKey,
  deleteDeliveries,
  findDevice,
  recordPushFailure,
  recordPushSuccess,
  removeDevice,
  selectNotificationsById,
} from './delivery-store.ts';
import { type PushSubscription, pushSubscription } from './push-subscription.ts';
import { createVapidTokens, type Vapid } from './vapid.ts';

export type PushSenderOptions = Pick<Deps, 'db' | 'clock' | 'log' | 'secrets'> & {
  readonly vapid: Vapid;
  /** Sends the requests to push services. The sender closes it when it stops. */
  readonly fetch: GuardedFetch;
};

/** Sends due push messages to devices. Any number of processes may send from one database. */
export type PushSender = Pick<Loop, 'healthy' | 'wake' | 'stop'> & { start(): void };

/** The pause after a search that found no due delivery. A new notification or the end of a turn ends it early. */
const everyMs = 1000;
/** The shortest pause after any search, so that deliveries that become due within it are claimed together. */
const restMs = 250;
/** Messages are sent to at most this many devices at the same time. */
const devicesAtOnce = 64;
/**
 * A turn sends one device the deliveries that were claimed for it. A turn that has taken longer than this begins no
 * further message.
 */
const maxTurnMs = 90_000;
/**
 * Claimed deliveries that were not sent within this time are due again. It must exceed `maxTurnMs` plus the longest
 * request to a push service, so that no other process claims a delivery that is still being sent.
 */
const leaseMs = 120_000;
/** An older notification is not pushed any more; it remains in the list of the panel. */
const maxAgeMs = 24 * 3_600_000;
const secondMs = 1000;
const minuteMs = 60 * secondMs;
/** The delays after the first consecutive failures of a device's push service. */
const firstRetryDelaysMs = [10 * secondMs, minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * 60 * minuteMs];
/** The delay after each further consecutive failure. */
const lastRetryDelayMs = 4 * 60 * minuteMs;

/** `expired`: the notification is too old, so no message was sent. */
type BatchOutcome = PushOutcome | 'expired';

export function createPushSender(options: PushSenderOptions): PushSender {
  const { db, clock, log, vapid, fetch } = options;
  const authorizationFor = createVapidTokens(vapid);
  const turnsByDevice = new Map<string, Promise<void>>();
  let loop: Loop | undefined;

  /**
   * Claims due deliveries and starts a turn for each of their devices. Returns how many deliveries it claimed. If any,
   * more may be due, so the loop runs again after `restMs`.
   */
  async function claimAndSend(): Promise<number> {
    const deviceLimit = devicesAtOnce - turnsByDevice.size;
    if (deviceLimit <= 0) return 0;
    const claimed = await inTransaction({ db, clock }, (tx) =>
      claimPushDeliveries(tx, {
        deviceLimit,
        busyDevices: [...turnsByDevice.keys()],
        leasedUntil: new Date(tx.now.getTime() + leaseMs),
      }),
    );
    for (const [deviceId, deliveries] of Map.groupBy(claimed, (delivery) => delivery.deviceId)) {
      const turn = sendToDevice(deliveries)
        // Deliveries that were not sent are due again when their lease ends.
        .catch((error: unknown) => log.error({ err: error }, 'a push could not be sent'))
        .finally(() => {
          turnsByDevice.delete(deviceId);
          loop?.wake();
        });
      turnsByDevice.set(deviceId, turn);
    }
    return claimed.length;
  }

  /** Sends one device its deliveries, until all are sent, its push service refuses one, or its turn is over. */
  async function sendToDevice(deliveries: readonly ClaimedPushDelivery[]): Promise<void> {
    const [firstDelivery] = deliveries;
    if (firstDelivery === undefined) return;
    const { merchantId, deviceId } = firstDelivery;
    const device: DeviceKey = { merchantId, deviceId };
    const storedDevice = await findDevice(db, device);
    // A device that is removed otherwise, by signing out for example, leaves its deliveries behind. This drops them.
    if (storedDevice === undefined) return inTransaction(options, (tx) => removeDevice(tx, device));
    const subscriptionJson: unknown = JSON.parse(
      options.secrets.open('push', storedDevice.sealed_subscription),
    );
    const subscription = pushSubscription.parse(subscriptionJson);
    const batches = batchPushes(deliveries);
    const newestNotifications = await selectNotificationsById(
      db,
      merchantId,
      batches.map(({ newestId }) => newestId),
    );
    const notificationById = new Map(
      newestNotifications.map((notification) => [notification.id, notification]),
    );
    const startedAt = performance.now();
    for (const batch of batches) {
      if (performance.now() - startedAt > maxTurnMs) return;
      const { outcome, reason } = await sendBatch(subscription, batch, notificationById.get(batch.newestId));
      await recordOutcome(device, batch, outcome, storedDevice.failures);
      if (outcome === 'sent' || outcome === 'expired') continue;
      const { host } = new URL(subscription.endpoint);
      log.info(
        { device: deviceId, host, why: reason },
        outcome === 'gone' ? 'a push subscription ended; its device was removed' : 'a push failed',
      );
      return;
    }
  }

  /** `newest` is undefined if the notification has been deleted, which happens long after it became too old. */
  async function sendBatch(
    subscription: PushSubscription,
    batch: PushBatch,
    newest: NewestNotification | undefined,
  ): Promise<{ readonly outcome: BatchOutcome; readonly reason: string }> {
    const expired = { outcome: 'expired', reason: 'old' } as const;
    if (newest === undefined) return expired;
    const remainingMs = newest.created_at.getTime() + maxAgeMs - clock.now().getTime();
    if (remainingMs <= 0) return expired;
    // The limit matters only if the clock of the process that wrote the notification is ahead of ours.
    const ttlSeconds = Math.ceil(Math.min(maxAgeMs, remainingMs) / secondMs);
    return attemptPush({ fetch, authorizationFor }, subscription, toPushMessage(batch, newest), ttlSeconds);
  }

  function recordOutcome(
    device: DeviceKey,
    batch: PushBatch,
    outcome: BatchOutcome,
    previousFailures: number,
  ): Promise<void> {
    return inTransaction(options, async (tx) => {
      switch (outcome) {
        case 'gone':
          return removeDevice(tx, device);
        case 'failed': {
          const delayMs = firstRetryDelaysMs[previousFailures] ?? lastRetryDelayMs;
          return recordPushFailure(tx, device, new Date(tx.now.getTime() + delayMs));
        }
        // Nothing was sent, so the failures of the device go on counting.
        case 'expired':
          return deleteDeliveries(tx, device, batch.notificationIds);
        case 'sent':
          await deleteDeliveries(tx, device, batch.notificationIds);
          await recordPushSuccess(tx, device);
      }
    });
  }

  return {
    start() {
      loop ??= startLoop(log, { name: 'pushes', everyMs, restMs, work: claimAndSend });
    },
    wake: () => loop?.wake(),
    healthy: () => loop?.healthy() ?? false,
    async stop() {
      await loop?.stop();
      // A push that this aborts counts as failed: it is due again after the delay of its device's next retry.
      await fetch.close();
      await Promise.all(turnsByDevice.values());
    },
  };
}

type NewestNotification = Parameters<typeof toPushMessage>[1];
