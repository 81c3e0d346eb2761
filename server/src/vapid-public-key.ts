import { createECDH } from 'node:crypto';

/** The public key of a private key of P-256, both in base64url as push services have them (RFC 8292). */
export function vapidPublicKey(privateKey: string): string {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(Buffer.from(privateKey, 'base64url'));
  return pair.getPublicKey().toString('base64url');
}
