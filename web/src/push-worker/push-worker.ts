/*
 * The service worker: shows what is pushed to this device, and opens the panel where it leads. It answers no requests and
 * keeps no pages. Built by itself into /push-worker.js: its address must stay the same.
 */
import type { PushMessage } from '@jangada/contract';
import { targetOf } from '../panel/notifications/target.ts';

declare const self: ServiceWorkerGlobalScope;

self.addEventListener('install', () => void self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('push', (event) => event.waitUntil(show(event.data)));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});

/** A browser takes the permission away from whoever is pushed to and shows nothing. */
const unread: Pick<PushMessage, 'title' | 'body'> = {
  title: 'Jangada',
  body: 'Há uma novidade na sua conta.',
};

async function show(pushed: PushMessageData | null): Promise<void> {
  const { title, body, tag, data }: Partial<PushMessage> = { ...unread, ...messageOf(pushed) };
  await self.registration.showNotification(title, {
    body,
    lang: 'pt-BR',
    icon: '/apple-touch-icon.png',
    ...(tag !== undefined && { tag }),
    data: targetOf(data ?? {}),
  });
}

function messageOf(pushed: PushMessageData | null): Partial<PushMessage> {
  try {
    return pushed?.json() ?? {};
  } catch {
    return {};
  }
}

/** In the tab that is open already, if there is one. */
async function open(target: unknown): Promise<void> {
  const address = new URL(typeof target === 'string' ? target : '/notifications', self.location.origin);
  const windows = await self.clients.matchAll({ type: 'window' });
  const [tab] = windows.toSorted((one, other) => Number(other.focused) - Number(one.focused));
  if (tab === undefined) return void (await self.clients.openWindow(address));
  await tab.focus();
  await tab.navigate(address);
}
