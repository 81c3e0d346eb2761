import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import { type PushDevice, type PushService, startPushService } from '../server/test/push-service.ts';
import type { Visitor } from './visitor.ts';

/** A local push service. It replaces the browser's own push service, which a test machine cannot reach. */
export type Push = {
  /** The subscribed devices, in order. */
  readonly devices: readonly PushDevice[];
  /**
   * Passes a message to the service worker, as the browser does with a decrypted push message. Repeats this until the
   * message is shown.
   */
  deliver(message: Record<string, unknown>): Promise<void>;
  /** Returns the notifications that the browser shows. */
  shownNotifications(): Promise<{ title: string; body: string }[]>;
  close(): Promise<void>;
};

/** Gives a visitor's browser a push service and the permission to notify. Call it before the first page is opened. */
export async function installPush({ context, page }: Visitor, url: string): Promise<Push> {
  const service: PushService = await startPushService();
  const devices: PushDevice[] = [];
  await context.grantPermissions(['notifications', 'clipboard-read', 'clipboard-write']);
  await context.exposeFunction('subscribeAtTestService', (publicKey: string) => {
    const device = service.subscribe(publicKey);
    devices.push(device);
    return device.token;
  });
  await context.addInitScript(replaceSubscriptions);
  const worker = await attachToServiceWorker(page);
  const shownNotifications = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      const notifications = (await registration?.getNotifications()) ?? [];
      return notifications.map(({ title, body }) => ({ title, body }));
    });
  return {
    devices,
    async deliver(message) {
      const delivery = {
        origin: new URL(url).origin,
        registrationId: await worker.registrationId(),
        data: JSON.stringify(message),
      };
      // A busy browser drops messages while it starts the worker, so the message is sent again. All have the same tag,
      // so a later one replaces an earlier one on the screen.
      for (let attempt = 0; attempt < 20 && (await shownNotifications()).length === 0; attempt += 1) {
        await worker.session.send('ServiceWorker.deliverPushMessage', delivery);
        for (let poll = 0; poll < 12 && (await shownNotifications()).length === 0; poll += 1)
          await sleep(250);
      }
    },
    shownNotifications,
    async close() {
      await worker.session.detach();
      await service.close();
    },
  };
}

async function attachToServiceWorker(
  page: Page,
): Promise<{ readonly session: CDPSession; registrationId(): Promise<string> }> {
  const session = await page.context().newCDPSession(page);
  const registrationId = Promise.withResolvers<string>();
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const [registration] = registrations;
    if (registration !== undefined) registrationId.resolve(registration.registrationId);
  });
  await session.send('ServiceWorker.enable');
  return { session, registrationId: () => registrationId.promise };
}

/** Runs in the page: replaces the browser's push subscriptions by subscriptions at the local push service. */
function replaceSubscriptions(): void {
  type PageGlobals = { subscribeAtTestService(publicKey: string): Promise<string> };
  const key = 'subscription-of-test';
  const storedSubscription = () => {
    const text = localStorage.getItem(key);
    return text === null ? null : subscription(JSON.parse(text));
  };
  const subscription = ({ token, publicKey }: { token: string; publicKey: string }) => {
    const { endpoint } = JSON.parse(token);
    const bytes = atob(publicKey.replaceAll('-', '+').replaceAll('_', '/'));
    return {
      endpoint,
      options: { applicationServerKey: Uint8Array.from(bytes, (letter) => letter.charCodeAt(0)).buffer },
      toJSON: () => JSON.parse(token),
      unsubscribe: async () => {
        localStorage.removeItem(key);
        return true;
      },
    };
  };
  Object.assign(PushManager.prototype, {
    getSubscription: async () => storedSubscription(),
    subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
      const { subscribeAtTestService } = globalThis as unknown as PageGlobals;
      const token = await subscribeAtTestService(applicationServerKey);
      localStorage.setItem(key, JSON.stringify({ token, publicKey: applicationServerKey }));
      return storedSubscription();
    },
  });
}
