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
  selectTold,
} from './delivery-store.ts';
import { type PushSubscription, pushSubscription } from './push-subscription.ts';
import { createVapidTokens, type Vapid } from './vapid.ts';

export type PushSenderOptions = Pick<Deps, 'db' | 'clock' | 'log' | 'secrets'> & {
  readonly vapid: Vapid;
  /** Owned by the sender, which closes it at the end. */
  readonly fetch: GuardedFetch;
};

/** Sends devices the pushes that are due. Any number of processes may send from one database. */
export type PushSender = Pick<Loop, 'healthy' | 'wake' | 'stop'> & { start(): void };

const everyMs = 1000;
const restMs = 250;
const devicesAtOnce = 64;
// Longer than any device may take: whatever is left then is due again.
const leaseMs = 120_000;
const longestTurnMs = 90_000;
/** After this time a notification is old news and is not pushed: it stays in the list. */
const newsMs = 24 * 3_600_000;
const second = 1000;
const minute = 60 * second;
const rests = [10 * second, minute, 5 * minute, 30 * minute, 2 * 60 * minute, 4 * 60 * minute];

export function createPushSender(options: PushSenderOptions): PushSender {
  const { db, clock, log, vapid, fetch } = options;
  const tokens = createVapidTokens(vapid);
  const busy = new Map<string, Promise<void>>();
  let claiming: Loop | undefined;

  /** Above 0: there may be more that is due. */
  async function claimAndSend(): Promise<number> {
    const devices = devicesAtOnce - busy.size;
    if (devices <= 0) return 0;
    const claimed = await inTransaction({ db, clock }, (tx) =>
      claimPushDeliveries(tx, {
        devices,
        busy: [...busy.keys()],
        until: new Date(tx.now.getTime() + leaseMs),
      }),
    );
    for (const [deviceId, waiting] of Map.groupBy(claimed, (delivery) => delivery.deviceId)) {
      const turn = serve(waiting)
        // It is due again when its lease ends.
        .catch((error: unknown) => log.error({ err: error }, 'a push could not be sent'))
        .finally(() => {
          busy.delete(deviceId);
          claiming?.wake();
        });
      busy.set(deviceId, turn);
    }
    return claimed.length;
  }

  /** Sends one device what waits for it, until all is sent or its push service accepts no more. */
  async function serve(waiting: readonly ClaimedPushDelivery[]): Promise<void> {
    const [device] = waiting;
    if (device === undefined) return;
    const found = await findDevice(db, device);
    if (found === undefined) return inTransaction(options, (tx) => removeDevice(tx, device));
    const sealed: unknown = JSON.parse(options.secrets.open('push', found.sealed_subscription));
    const subscription = pushSubscription.parse(sealed);
    const parcels = batchPushes(waiting);
    const newest = await selectTold(
      db,
      device.merchantId,
      parcels.map(({ newestId }) => newestId),
    );
    const told = new Map(newest.map((one) => [one.id, one]));
    const began = performance.now();
    for (const parcel of parcels) {
      if (performance.now() - began > longestTurnMs) return;
      const { outcome, why } = await send(subscription, parcel, told.get(parcel.newestId));
      await record(device, parcel, outcome, found.failures);
      if (outcome === 'sent') continue;
      const { host } = new URL(subscription.endpoint);
      log.info({ device: device.deviceId, host, why }, `a push ${outcome === 'gone' ? 'ended' : 'failed'}`);
      return;
    }
  }

  async function send(subscription: PushSubscription, parcel: PushBatch, newest: Newest | undefined) {
    const left = newest === undefined ? 0 : newest.created_at.getTime() + newsMs - clock.now().getTime();
    if (newest === undefined || left <= 0) return { outcome: 'sent', why: 'old' } as const;
    const ttl = Math.min(newsMs, left) / 1000;
    return attemptPush({ fetch, tokens }, subscription, toPushMessage(parcel, newest), Math.ceil(ttl));
  }

  function record(device: DeviceKey, parcel: PushBatch, outcome: string, failures: number): Promise<void> {
    return inTransaction(options, async (tx) => {
      if (outcome === 'gone') return removeDevice(tx, device);
      if (outcome === 'failed') {
        const rest = rests[Math.min(failures, rests.length - 1)] ?? minute;
        return recordPushFailure(tx, device, new Date(tx.now.getTime() + rest));
      }
      await deleteDeliveries(tx, device, parcel.notificationIds);
      await recordPushSuccess(tx, device);
    });
  }

  return {
    start() {
      claiming ??= repeat(log, { name: 'pushes', everyMs, restMs, work: claimAndSend });
    },
    wake: () => claiming?.wake(),
    healthy: () => claiming?.healthy() ?? false,
    async stop() {
      await claiming?.stop();
      // Aborts the pushes being sent: they become due again.
      await fetch.close();
      await Promise.all(busy.values());
    },
  };
}

type Newest = Parameters<typeof toPushMessage>[1];
