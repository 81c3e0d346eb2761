import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { GuardedFetch } from '../guarded-fetch/index.ts';
import { type Loop, repeat } from '../jobs/index.ts';
import { attemptPush, batchPushes, type PushBatch, toPushMessage } from './attempt-push.ts';
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

const everyMs = 1000;
// Deliveries that become due within this time are claimed together.
const restMs = 250;
const devicesAtOnce = 64;
/** A turn sends one device the deliveries that were claimed for it, but begins no message after this time. */
const maxTurnMs = 90_000;
/** Claimed deliveries that were not sent within this time are due again. A turn takes less time than this. */
const leaseMs = 120_000;
/** An older notification is not pushed any more; it remains in the list of the panel. */
const maxAgeMs = 24 * 3_600_000;
const secondMs = 1000;
const minuteMs = 60 * secondMs;
/** The delay after each consecutive failure of a device's push service. The last one repeats. */
const retryDelaysMs = [
  10 * secondMs,
  minuteMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * 60 * minuteMs,
  4 * 60 * minuteMs,
];

export function createPushSender(options: PushSenderOptions): PushSender {
  const { db, clock, log, vapid, fetch } = options;
  const tokens = createVapidTokens(vapid);
  const turnsByDevice = new Map<string, Promise<void>>();
  let loop: Loop | undefined;

  /** Claims due deliveries and starts a turn for each device. Returns how many it claimed; if any, more may be due. */
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
    const [device] = deliveries;
    if (device === undefined) return;
    const storedDevice = await findDevice(db, device);
    if (storedDevice === undefined) return inTransaction(options, (tx) => removeDevice(tx, device));
    const subscriptionJson: unknown = JSON.parse(
      options.secrets.open('push', storedDevice.sealed_subscription),
    );
    const subscription = pushSubscription.parse(subscriptionJson);
    const batches = batchPushes(deliveries);
    const newestOfBatches = await selectNotificationsById(
      db,
      device.merchantId,
      batches.map(({ newestId }) => newestId),
    );
    const notificationById = new Map(newestOfBatches.map((notification) => [notification.id, notification]));
    const startedAt = performance.now();
    for (const batch of batches) {
      if (performance.now() - startedAt > maxTurnMs) return;
      const { outcome, reason } = await send(subscription, batch, notificationById.get(batch.newestId));
      await recordOutcome(device, batch, outcome, storedDevice.failures);
      if (outcome === 'sent') continue;
      const { host } = new URL(subscription.endpoint);
      log.info(
        { device: device.deviceId, host, why: reason },
        `a push ${outcome === 'gone' ? 'ended' : 'failed'}`,
      );
      return;
    }
  }

  async function send(
    subscription: PushSubscription,
    batch: PushBatch,
    newest: NewestNotification | undefined,
  ) {
    const remainingMs =
      newest === undefined ? 0 : newest.created_at.getTime() + maxAgeMs - clock.now().getTime();
    if (newest === undefined || remainingMs <= 0) return { outcome: 'sent', reason: 'old' } as const;
    const ttl = Math.min(maxAgeMs, remainingMs) / 1000;
    return attemptPush({ fetch, tokens }, subscription, toPushMessage(batch, newest), Math.ceil(ttl));
  }

  function recordOutcome(
    device: DeviceKey,
    batch: PushBatch,
    outcome: string,
    failures: number,
  ): Promise<void> {
    return inTransaction(options, async (tx) => {
      if (outcome === 'gone') return removeDevice(tx, device);
      if (outcome === 'failed') {
        const delayMs = retryDelaysMs[Math.min(failures, retryDelaysMs.length - 1)] ?? minuteMs;
        return recordPushFailure(tx, device, new Date(tx.now.getTime() + delayMs));
      }
      await deleteDeliveries(tx, device, batch.notificationIds);
      await recordPushSuccess(tx, device);
    });
  }

  return {
    start() {
      loop ??= repeat(log, { name: 'pushes', everyMs, restMs, work: claimAndSend });
    },
    wake: () => loop?.wake(),
    healthy: () => loop?.healthy() ?? false,
    async stop() {
      await loop?.stop();
      // This aborts the pushes that are being sent; they become due again.
      await fetch.close();
      await Promise.all(turnsByDevice.values());
    },
  };
}

type NewestNotification = Parameters<typeof toPushMessage>[1];
