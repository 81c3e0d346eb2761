/*
 * The service worker. It shows push messages on this device, and opens the panel at their target. When a screen is
 * requested without a network it serves an offline page, which is embedded in this file. It caches nothing: every
 * screen and every response comes from the server, or not at all.
 */

import * as offline from 'virtual:offline-page';
import type { PushMessage } from '@jangada/contract';
import { targetOf } from '../panel/notifications/target.ts';

declare const self: ServiceWorkerGlobalScope;

self.addEventListener('install', (event) => {
  event.waitUntil(leaveCallsAlone(event));
  void self.skipWaiting();
});
self.addEventListener('activate', (event) => event.waitUntil(takeOver()));
self.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate' && event.request.method === 'GET') event.respondWith(screen(event));
});
self.addEventListener('push', (event) => event.waitUntil(show(event.data)));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});

/** Where the browser supports static routes, requests that are not navigations do not even start this worker. */
async function leaveCallsAlone(event: ExtendableEvent): Promise<void> {
  if (!('addRoutes' in event) || typeof event.addRoutes !== 'function') return;
  await event.addRoutes({ condition: { not: { requestMode: 'navigate' } }, source: 'network' });
}

/** Navigation preload: the browser requests the screen while this worker starts, so that the worker adds no delay. */
async function takeOver(): Promise<void> {
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

async function screen(event: FetchEvent): Promise<Response> {
  try {
    const preloaded: unknown = await event.preloadResponse;
    return preloaded instanceof Response ? preloaded : await fetch(event.request);
  } catch {
    return new Response(offline.html, {
      status: 503,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': offline.policy,
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      },
    });
  }
}

/** Shown for an unreadable message, because browsers revoke the permission if a push shows no notification. */
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

/** Opens the target in an existing tab if there is one. */
async function open(target: unknown): Promise<void> {
  const address = new URL(typeof target === 'string' ? target : '/notifications', self.location.origin);
  const windows = await self.clients.matchAll({ type: 'window' });
  const [tab] = windows.toSorted((one, other) => Number(other.focused) - Number(one.focused));
  if (tab === undefined) return void (await self.clients.openWindow(address));
  await tab.focus();
  await tab.navigate(address);
}
