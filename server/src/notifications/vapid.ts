import webPush from 'web-push';
import { type Clock, machineClock } from '../clock.ts';
import { type Config, SANDBOX_EMAIL } from '../config.ts';
import type { Deps } from '../deps.ts';
import { deriveVapidPublicKey } from '../vapid-public-key.ts';

export type Vapid = NonNullable<Config['vapid']>;

/**
 * Returns the keys by which this gateway identifies itself to push services (VAPID, RFC 8292), or undefined if it sends
 * no pushes. A sandbox derives its keys from its master key.
 */
export function vapidOf({ config, secrets }: Pick<Deps, 'config' | 'secrets'>): Vapid | undefined {
  if (config.vapid !== undefined || config.mode === 'live') return config.vapid;
  const privateKey = secrets.derive('push').toString('base64url');
  const subject = `mailto:${config.adminEmail ?? SANDBOX_EMAIL}`;
  const publicKey = deriveVapidPublicKey(privateKey);
  // About one master key in four billion derives no valid key of the curve; that sandbox sends no pushes.
  return publicKey === undefined ? undefined : { privateKey, publicKey, subject };
}

/** The lifetime of a token. Push services accept at most 24 hours (RFC 8292, 2). */
const lifetimeMs = 12 * 3_600_000;
/** A token is renewed this long before it expires. */
const renewBeforeMs = 3_600_000;
// There are few push services, but users could register arbitrary addresses, so the number of cached tokens is limited.
const maxTokens = 500;

/** Returns the Authorization header for a push service. */
export type VapidTokens = (endpoint: string) => string;

/**
 * Signs a token for each push service, caches it, and renews it an hour before it expires. Uses the machine's clock,
 * because push services compare the token with their own clocks, while the clock of a sandbox may have been advanced.
 */
export function createVapidTokens(
  { publicKey, privateKey, subject }: Vapid,
  clock: Clock = machineClock,
): VapidTokens {
  const tokenByOrigin = new Map<string, { authorization: string; renewAt: number }>();
  return (endpoint) => {
    const { origin } = new URL(endpoint);
    const now = clock.now().getTime();
    const current = tokenByOrigin.get(origin);
    if (current !== undefined && now < current.renewAt) return current.authorization;
    const expiresAt = Math.floor((now + lifetimeMs) / 1000);
    const { Authorization: authorization } = webPush.getVapidHeaders(
      origin,
      subject,
      publicKey,
      privateKey,
      'aes128gcm',
      expiresAt,
    );
    if (tokenByOrigin.size >= maxTokens) tokenByOrigin.clear();
    tokenByOrigin.set(origin, { authorization, renewAt: now + lifetimeMs - renewBeforeMs });
    return authorization;
  };
}
