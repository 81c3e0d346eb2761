import { createECDH } from 'node:crypto';

/**
 * Derives the public key of a P-256 private key, both in base64url as push services expect them (RFC 8292). Returns
 * undefined if the private key is not valid.
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
