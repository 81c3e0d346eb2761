/*
 * The service worker. It shows push messages on this device, and opens the screen of a message that the user presses.
 * When a screen is requested without a network, the worker serves an offline page, which is embedded in this file. The
 * worker caches nothing: every screen and every response comes from the server, or not at all.
 */

import * as offline from 'virtual:offline-page';
import type { PushMessage } from '@jangada/contract';
import { notificationUrl } from '../panel/notifications/notification-url.ts';

declare const self: ServiceWorkerGlobalScope;

self.addEventListener('install', (event) => {
  event.waitUntil(bypassOtherRequests(event));
  void self.skipWaiting();
});
self.addEventListener('activate', (event) => event.waitUntil(enablePreloadAndClaimTabs()));
self.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate' && event.request.method === 'GET')
    event.respondWith(loadScreen(event));
});
self.addEventListener('push', (event) => event.waitUntil(showMessage(event.data)));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openTarget(event.notification.data));
});

/**
 * Lets the browser send all requests except those for a screen past this worker, so that such requests do not start the
 * worker. Only some browsers support such static routes.
 */
async function bypassOtherRequests(event: ExtendableEvent): Promise<void> {
  if (!('addRoutes' in event) || typeof event.addRoutes !== 'function') return;
  await event.addRoutes({ condition: { not: { requestMode: 'navigate' } }, source: 'network' });
}

/**
 * Enables navigation preload: the browser then requests a screen while this worker starts, so that the worker adds no
 * delay. By claiming the tabs, the worker also serves those that are already open.
 */
async function enablePreloadAndClaimTabs(): Promise<void> {
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

/** The response for a screen: from the server, or the offline page when the server cannot be reached. */
async function loadScreen(event: FetchEvent): Promise<Response> {
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

/**
 * The text for a push message that cannot be read. Some notification must be shown even then, because browsers revoke
 * the permission when a push message shows none.
 */
const fallbackMessage: Pick<PushMessage, 'title' | 'body'> = {
  title: 'Jangada',
  body: 'Há uma novidade na sua conta.',
};

async function showMessage(pushData: PushMessageData | null): Promise<void> {
  const { title, body, tag, data }: Partial<PushMessage> = { ...fallbackMessage, ...messageOf(pushData) };
  await self.registration.showNotification(title, {
    body,
    lang: 'pt-BR',
    icon: '/apple-touch-icon.png',
    ...(tag !== undefined && { tag }),
    data: notificationUrl(data ?? {}),
  });
}

/** The fields of a push message; none for a message that cannot be read. */
function messageOf(pushData: PushMessageData | null): Partial<PushMessage> {
  try {
    return pushData?.json() ?? {};
  } catch {
    return {};
  }
}

/** Opens the target, a path of the panel, in an open tab, preferably the focused one, or else in a new tab. */
async function openTarget(target: unknown): Promise<void> {
  const url = new URL(typeof target === 'string' ? target : '/notifications', self.location.origin);
  const windows = await self.clients.matchAll({ type: 'window' });
  const [tab] = windows.toSorted((first, second) => Number(second.focused) - Number(first.focused));
  if (tab === undefined) return void (await self.clients.openWindow(url));
  await tab.focus();
  await tab.navigate(url);
}
