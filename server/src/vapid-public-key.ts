import { createECDH } from 'node:crypto';

/**
 * Derives the public key of a VAPID private key, with which the gateway identifies itself to push services (RFC 8292).
 * Both are P-256 keys in base64url. Returns undefined if the private key is not valid.
 */
export function deriveVapidPublicKey(privateKey: string): string | undefined {
  const keyPair = createECDH('prime256v1');
  try {
    keyPair.setPrivateKey(Buffer.from(privateKey, 'base64url'));
  } catch {
    return undefined;
  }
  return keyPair.getPublicKey().toString('base64url');
}
