import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import { type PushDevice, type PushService, startPushService } from '../server/test/push-service.ts';
import type { Visitor } from './visitor.ts';

/** A push service of our own instead of the browser's, which a test machine cannot reach. */
export type Push = {
  /** The subscribed devices, in order. */
  readonly devices: readonly PushDevice[];
  /** Hands received messages to the service worker until they are shown, as the browser does after decryption. */
  deliver(message: Record<string, unknown>): Promise<void>;
  /** The system notifications of the browser. */
  shown(): Promise<{ title: string; body: string }[]>;
  close(): Promise<void>;
};

/** Gives a visitor's browser a push service and the notification permission. Call it before the first page. */
export async function givePush({ context, page }: Visitor, url: string): Promise<Push> {
  const service: PushService = await startPushService();
  const devices: PushDevice[] = [];
  await context.grantPermissions(['notifications', 'clipboard-read', 'clipboard-write']);
  await context.exposeFunction('subscribeAtTest', (publicKey: string) => {
    const device = service.subscribe(publicKey);
    devices.push(device);
    return device.token;
  });
  await context.addInitScript(subscribeThere);
  const worker = await followWorker(page);
  const shown = () =>
    page.evaluate(async () => {
      const worker = await navigator.serviceWorker.getRegistration();
      const notifications = (await worker?.getNotifications()) ?? [];
      return notifications.map(({ title, body }) => ({ title, body }));
    });
  return {
    devices,
    async deliver(message) {
      const delivered = {
        origin: new URL(url).origin,
        registrationId: await worker.registrationId(),
        data: JSON.stringify(message),
      };
      // A busy browser drops messages while it starts the worker. A resent one replaces the first by its tag.
      for (let tries = 0; tries < 20 && (await shown()).length === 0; tries += 1) {
        await worker.session.send('ServiceWorker.deliverPushMessage', delivered);
        for (let looks = 0; looks < 12 && (await shown()).length === 0; looks += 1) await sleep(250);
      }
    },
    shown,
    async close() {
      await worker.session.detach();
      await service.close();
    },
  };
}

async function followWorker(
  page: Page,
): Promise<{ readonly session: CDPSession; registrationId(): Promise<string> }> {
  const session = await page.context().newCDPSession(page);
  const found = Promise.withResolvers<string>();
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const [registration] = registrations;
    if (registration !== undefined) found.resolve(registration.registrationId);
  });
  await session.send('ServiceWorker.enable');
  return { session, registrationId: () => found.promise };
}

/** Runs in the page: replaces the browser's subscriptions, whose services are unreachable. */
function subscribeThere(): void {
  type Window = { subscribeAtTest(publicKey: string): Promise<string> };
  const key = 'subscription-of-test';
  const kept = () => {
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
    getSubscription: async () => kept(),
    subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
      const { subscribeAtTest } = globalThis as unknown as Window;
      const token = await subscribeAtTest(applicationServerKey);
      localStorage.setItem(key, JSON.stringify({ token, publicKey: applicationServerKey }));
      return kept();
    },
  });
}
