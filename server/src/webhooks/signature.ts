import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** A new secret in the format of the standard: `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/**
 * The headers that prove to a receiver that a webhook is authentic and fresh (Standard Webhooks 1.0.0): one signature
 * per valid secret, so that a receiver can switch secrets while both are valid.
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
