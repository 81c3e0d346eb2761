import { createECDH } from 'node:crypto';

/**
 * The public key of a private key of P-256, both in base64url as push services have them (RFC 8292); undefined for a
 * number that is no key.
 */
export function vapidPublicKey(privateKey: string): string | undefined {
  const pair = createECDH('prime256v1');
  try {
    pair.setPrivateKey(Buffer.from(privateKey, 'base64url'));
  } catch {
    return undefined;
  }
  return pair.getPublicKey().toString('base64url');
}
