import type { PushMessage } from '@jangada/contract';
import webPush from 'web-push';
import { FetchFailed, type GuardedFetch } from '../guarded-fetch/index.ts';
import type { PushSubscription } from './push-subscription.ts';
import type { VapidTokens } from './vapid.ts';

export type PushOutcome = 'sent' | 'gone' | 'failed';

/** Sends one message to a device through its push service (RFC 8030). Never throws for what the service does. */
export async function attemptPush(
  { fetch, tokens }: { readonly fetch: GuardedFetch; readonly tokens: VapidTokens },
  { endpoint, keys }: PushSubscription,
  message: PushMessage,
  ttlSeconds: number,
): Promise<{ readonly outcome: PushOutcome; readonly why: string }> {
  const { cipherText } = webPush.encrypt(keys.p256dh, keys.auth, JSON.stringify(message), 'aes128gcm');
  const headers = {
    authorization: tokens(endpoint),
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
    ttl: String(ttlSeconds),
    urgency: 'high',
    topic: message.tag,
  };
  try {
    const { status } = await fetch.send({ method: 'POST', url: endpoint, headers, body: cipherText });
    return { outcome: outcomeOf(status), why: String(status) };
  } catch (error) {
    if (error instanceof FetchFailed) return { outcome: 'failed', why: error.reason };
    throw error;
  }
}

/** 404 and 410: the device takes no more. 413: this message never fits, and the next one may. */
function outcomeOf(status: number): PushOutcome {
  if ((status >= 200 && status < 300) || status === 413) return 'sent';
  return status === 404 || status === 410 ? 'gone' : 'failed';
}
