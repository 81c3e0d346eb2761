import webPush from 'web-push';
import { type Clock, machineClock } from '../clock.ts';
import { type Config, SANDBOX_EMAIL } from '../config.ts';
import type { Deps } from '../deps.ts';
import { vapidPublicKey } from '../vapid-public-key.ts';

export type Vapid = NonNullable<Config['vapid']>;

/** Undefined: this gateway sends no pushes. A sandbox draws its keys from its master key. */
export function vapidOf({ config, secrets }: Pick<Deps, 'config' | 'secrets'>): Vapid | undefined {
  if (config.vapid !== undefined || config.mode === 'live') return config.vapid;
  const privateKey = secrets.derive('push').toString('base64url');
  const subject = `mailto:${config.adminEmail ?? SANDBOX_EMAIL}`;
  const publicKey = vapidPublicKey(privateKey);
  // One master key in four thousand million derives no key of the curve.
  return publicKey === undefined ? undefined : { privateKey, publicKey, subject };
}

const lifetimeMs = 12 * 3_600_000;
const renewBeforeMs = 3_600_000;
// Push services are few; addresses that users give could be many.
const keptTokens = 500;

/** Returns the Authorization header for a push service. */
export type VapidTokens = (endpoint: string) => string;

/**
 * Signs a token for each push service, keeps it, and renews it an hour before it ends. By the machine's time: push
 * services hold it against their own clocks, which know nothing of a sandbox that was advanced.
 */
export function createVapidTokens(
  { publicKey, privateKey, subject }: Vapid,
  clock: Clock = machineClock,
): VapidTokens {
  const kept = new Map<string, { authorization: string; renewAt: number }>();
  return (endpoint) => {
    const { origin } = new URL(endpoint);
    const now = clock.now().getTime();
    const known = kept.get(origin);
    if (known !== undefined && now < known.renewAt) return known.authorization;
    const ends = Math.floor((now + lifetimeMs) / 1000);
    const { Authorization: authorization } = webPush.getVapidHeaders(
      origin,
      subject,
      publicKey,
      privateKey,
      'aes128gcm',
      ends,
    );
    if (kept.size >= keptTokens) kept.clear();
    kept.set(origin, { authorization, renewAt: now + lifetimeMs - renewBeforeMs });
    return authorization;
  };
}
