import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** A new secret as the standard writes it: `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/**
 * The headers by which a receiver knows a webhook for ours and fresh (Standard Webhooks 1.0.0): one signature for
 * each secret in force, so that a receiver may change over while both count.
 */
export function signatureHeaders(
  { id, body }: { readonly id: string; readonly body: string },
  secrets: readonly string[],
  at: Date,
): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}
