import { registerPush, unregisterPush } from '@jangada/contract';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { call } from '../../api/client.ts';

import { session } from '../../session/session.ts';
import { keepStored, readStored } from '../../session/storage.ts';
import { WORKER } from './register-worker.ts';

const ACTIVATION_MS = 10_000;
const REFRESH_MS = 7 * 24 * 3_600_000;

/** The reason this device receives no notifications, in the specification's words. */
export class PushFailure extends Error {
  override readonly name = 'PushFailure';
}

export const pushTexts = {
  unsupported: 'Notifications not supported',
  refused: 'Permission denied',
  notStarted: 'Failed to initialize messaging',
  noToken: 'No registration token available',
} as const;

/** The browser's permission: the specification's three states, or `unsupported`. */
export type PushPermission = NotificationPermission | 'unsupported';

/** This device's registration with the gateway. */
type Registration = { userId: string; endpoint: string; at: number; session: string };

type PushState = { permission: PushPermission; registered: boolean };

const KEY = 'push';
const push = createStore<PushState>(() => ({
  permission: permissionNow(),
  registered: readRegistration() !== undefined,
}));

export function usePush(): PushState {
  return useStore(push);
}

/** Re-reads the browser's permission, because its settings change without an event. */
export function lookAtPermission(): void {
  push.setState({ permission: permissionNow(), registered: readRegistration() !== undefined });
}

function permissionNow(): PushPermission {
  const isKnown = 'Notification' in window && 'PushManager' in window && 'serviceWorker' in navigator;
  return isKnown ? Notification.permission : 'unsupported';
}

/** Asks for permission and registers this device. `publicKey` is the sender's key from the gateway's settings. */
export async function enablePush(publicKey: string): Promise<void> {
  if (permissionNow() === 'unsupported') throw new PushFailure(pushTexts.unsupported);
  const permission = await Notification.requestPermission();
  lookAtPermission();
  if (permission !== 'granted') throw new PushFailure(pushTexts.refused);
  await register(await subscribe(publicKey));
}

/** Unsubscribes this device. */
export async function disablePush(): Promise<void> {
  const subscription = await currentSubscription();
  if (subscription !== null) await call(unregisterPush, { body: { token: JSON.stringify(subscription) } });
  await subscription?.unsubscribe();
  forget();
}

/**
 * Keeps a registered device registered: renews it after 7 days, in a new session, or when the browser or the gateway
 * changed its keys. A registration made by another user is dropped.
 */
export async function keepPush(publicKey: string | null): Promise<void> {
  const known = readRegistration();
  if (known === undefined) return;
  const { user, token } = session.getState();
  if (known.userId !== user?.id || publicKey === null || permissionNow() !== 'granted') return leavePush();
  const subscription = await currentSubscription();
  const isDue = Date.now() - known.at >= REFRESH_MS || known.session !== markOf(token);
  const isSame = subscription?.endpoint === known.endpoint && hears(subscription, publicKey);
  if (isSame && !isDue) return;
  await register(isSame ? subscription : await subscribe(publicKey));
}

/** Unsubscribes the browser after a sign-out, which already ended the registration at the gateway. */
export async function leavePush(): Promise<void> {
  if (readRegistration() === undefined) return;
  forget();
  await (await currentSubscription())?.unsubscribe();
}

async function register(subscription: PushSubscription): Promise<void> {
  await call(registerPush, { body: { token: JSON.stringify(subscription) } });
  const { user, token } = session.getState();
  if (user === null) return;
  const { endpoint } = subscription;
  const kept: Registration = { userId: user.id, endpoint, at: Date.now(), session: markOf(token) };
  keepStored(KEY, JSON.stringify(kept));
  lookAtPermission();
}

function forget(): void {
  keepStored(KEY, null);
  lookAtPermission();
}

/** A fingerprint that only distinguishes one session from another. */
function markOf(token: string | null): string {
  return token?.slice(-6) ?? '';
}

async function subscribe(publicKey: string): Promise<PushSubscription> {
  const worker = await activeWorker();
  try {
    const before = await worker.pushManager.getSubscription();
    // A browser keeps one subscription, and refuses another key while that exists.
    if (before !== null && !hears(before, publicKey)) await before.unsubscribe();
    return await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  } catch (cause) {
    throw new PushFailure(pushTexts.noToken, { cause });
  }
}

async function activeWorker(): Promise<ServiceWorkerRegistration> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('too late')), ACTIVATION_MS);
  try {
    const registered = navigator.serviceWorker.register(WORKER).then(() => navigator.serviceWorker.ready);
    return await Promise.race([registered, late.promise]);
  } catch (cause) {
    throw new PushFailure(pushTexts.notStarted, { cause });
  } finally {
    clearTimeout(timer);
  }
}

async function currentSubscription(): Promise<PushSubscription | null> {
  if (permissionNow() === 'unsupported') return null;
  const worker = await navigator.serviceWorker.getRegistration();
  return (await worker?.pushManager.getSubscription()) ?? null;
}

function hears({ options }: PushSubscription, publicKey: string): boolean {
  const key = options.applicationServerKey;
  if (key === null) return false;
  const text = btoa(String.fromCharCode(...new Uint8Array(key)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') === publicKey;
}

function readRegistration(): Registration | undefined {
  try {
    const kept: unknown = JSON.parse(readStored(KEY) ?? 'null');
    return isRegistration(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

function isRegistration(kept: unknown): kept is Registration {
  return (
    typeof kept === 'object' &&
    kept !== null &&
    'userId' in kept &&
    'endpoint' in kept &&
    'session' in kept &&
    'at' in kept &&
    typeof kept.at === 'number'
  );
}
