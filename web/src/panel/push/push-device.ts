import { registerPush, unregisterPush } from '@jangada/contract';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { call } from '../../api/client.ts';
import { session } from '../../session/session.ts';
import { readStored, writeStored } from '../../session/storage.ts';
import { WORKER_URL } from './register-worker.ts';

/** How long to wait for the service worker to become active. */
const ACTIVATION_TIMEOUT_MS = 10_000;
/** A registration older than this is renewed at the next start. */
const REGISTRATION_MAX_AGE_MS = 7 * 24 * 3_600_000;

/** Thrown when this device cannot receive notifications; the message is one of `pushTexts`. */
export class PushFailure extends Error {
  override readonly name = 'PushFailure';
}

/** The messages of a failure, in the words that the specification of the dashboard prescribes. */
export const pushTexts = {
  unsupported: 'Notifications not supported',
  refused: 'Permission denied',
  notStarted: 'Failed to initialize messaging',
  noToken: 'No registration token available',
} as const;

/** The browser's permission to show notifications, or `unsupported` in a browser that cannot receive push messages. */
export type PushPermission = NotificationPermission | 'unsupported';

/**
 * This device's registration with the gateway, as stored in the browser: the user to whom it belongs, the URL
 * to which the push service delivers (`endpoint`), the time in ms at which it was made, and a fingerprint of
 * the session in which it was made.
 */
type Registration = { userId: string; endpoint: string; at: number; session: string };

type PushState = { permission: PushPermission; registered: boolean };

const STORAGE_KEY = 'push';
const pushStore = createStore<PushState>(() => ({
  permission: currentPermission(),
  registered: readRegistration() !== undefined,
}));

/** Whether this device may and does receive push messages. */
export function usePush(): PushState {
  return useStore(pushStore);
}

/**
 * Reads the browser's permission again, because users may change it in the browser's settings, which fires no event.
 */
export function refreshPermission(): void {
  pushStore.setState({ permission: currentPermission(), registered: readRegistration() !== undefined });
}

function currentPermission(): PushPermission {
  const isSupported = 'Notification' in window && 'PushManager' in window && 'serviceWorker' in navigator;
  return isSupported ? Notification.permission : 'unsupported';
}

/**
 * Asks for permission and registers this device. `publicKey`, from the gateway's settings, identifies the gateway to
 * the push service.
 */
export async function enablePush(publicKey: string): Promise<void> {
  if (currentPermission() === 'unsupported') throw new PushFailure(pushTexts.unsupported);
  const permission = await Notification.requestPermission();
  refreshPermission();
  if (permission !== 'granted') throw new PushFailure(pushTexts.refused);
  await register(await subscribe(publicKey));
}

/** Unregisters this device at the gateway, and unsubscribes the browser. */
export async function disablePush(): Promise<void> {
  const subscription = await currentSubscription();
  if (subscription !== null) await call(unregisterPush, { body: { token: JSON.stringify(subscription) } });
  await subscription?.unsubscribe();
  forgetRegistration();
}

/**
 * Keeps a registered device registered: renews the registration after 7 days, in a new session, and when the browser or
 * the gateway has changed its keys. A registration is dropped if it belongs to another user, if the gateway has no key
 * for push messages, or if the user has withdrawn the permission.
 */
export async function renewPushRegistration(publicKey: string | null): Promise<void> {
  const registration = readRegistration();
  if (registration === undefined) return;
  const { user, token } = session.getState();
  const isOfThisUser = registration.userId === user?.id;
  if (!isOfThisUser || publicKey === null || currentPermission() !== 'granted') return dropPushRegistration();
  const subscription = await currentSubscription();
  const isOld = Date.now() - registration.at >= REGISTRATION_MAX_AGE_MS;
  const isDue = isOld || registration.session !== fingerprintOf(token);
  const isSubscriptionCurrent =
    subscription?.endpoint === registration.endpoint && usesKey(subscription, publicKey);
  if (isSubscriptionCurrent && !isDue) return;
  await register(isSubscriptionCurrent ? subscription : await subscribe(publicKey));
}

/**
 * Forgets this device's registration and unsubscribes the browser. A sign-out, the usual reason, has already
 * ended the registration at the gateway.
 */
export async function dropPushRegistration(): Promise<void> {
  if (readRegistration() === undefined) return;
  forgetRegistration();
  await (await currentSubscription())?.unsubscribe();
}

/** Registers this device at the gateway, and stores the registration in the browser. */
async function register(subscription: PushSubscription): Promise<void> {
  await call(registerPush, { body: { token: JSON.stringify(subscription) } });
  const { user, token } = session.getState();
  if (user === null) return;
  const { endpoint } = subscription;
  const registration: Registration = {
    userId: user.id,
    endpoint,
    at: Date.now(),
    session: fingerprintOf(token),
  };
  writeStored(STORAGE_KEY, JSON.stringify(registration));
  refreshPermission();
}

function forgetRegistration(): void {
  writeStored(STORAGE_KEY, null);
  refreshPermission();
}

/** The end of the token, enough to tell one session from another. */
function fingerprintOf(token: string | null): string {
  return token?.slice(-6) ?? '';
}

/** Subscribes the browser to push messages of the gateway with this public key. */
async function subscribe(publicKey: string): Promise<PushSubscription> {
  const worker = await activeWorker();
  try {
    const existing = await worker.pushManager.getSubscription();
    // A browser keeps one subscription, and refuses to subscribe with another key while it exists.
    if (existing !== null && !usesKey(existing, publicKey)) await existing.unsubscribe();
    return await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  } catch (cause) {
    throw new PushFailure(pushTexts.noToken, { cause });
  }
}

/** The service worker of the site, registered if necessary, once it is active. */
async function activeWorker(): Promise<ServiceWorkerRegistration> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => timeout.reject(new Error('The service worker did not become active in time.')),
    ACTIVATION_TIMEOUT_MS,
  );
  try {
    const registered = navigator.serviceWorker.register(WORKER_URL).then(() => navigator.serviceWorker.ready);
    return await Promise.race([registered, timeout.promise]);
  } catch (cause) {
    throw new PushFailure(pushTexts.notStarted, { cause });
  } finally {
    clearTimeout(timer);
  }
}

async function currentSubscription(): Promise<PushSubscription | null> {
  if (currentPermission() === 'unsupported') return null;
  const worker = await navigator.serviceWorker.getRegistration();
  return (await worker?.pushManager.getSubscription()) ?? null;
}

/**
 * True when a subscription was made for this public key, which is in base64url; the key of the subscription is
 * converted to that form.
 */
function usesKey({ options }: PushSubscription, publicKey: string): boolean {
  const key = options.applicationServerKey;
  if (key === null) return false;
  const text = btoa(String.fromCharCode(...new Uint8Array(key)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') === publicKey;
}

function readRegistration(): Registration | undefined {
  try {
    const stored: unknown = JSON.parse(readStored(STORAGE_KEY) ?? 'null');
    return isRegistration(stored) ? stored : undefined;
  } catch {
    return undefined;
  }
}

function isRegistration(value: unknown): value is Registration {
  return (
    typeof value === 'object' &&
    value !== null &&
    'userId' in value &&
    'endpoint' in value &&
    'session' in value &&
    'at' in value &&
    typeof value.at === 'number'
  );
}
