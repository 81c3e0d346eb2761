import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/** What a sealed text or a keyed hash is for: each purpose has a key of its own. */
export type Purpose =
  | 'api-key'
  | 'idempotency'
  | 'webhook-secret'
  | 'withdrawal-pin'
  | 'dispute-file'
  | 'psp-path'
  | 'check';

/** Encryption and keyed hashes under the master key, which never stands in the database. */
export type Secrets = {
  /** AES-256-GCM; the answer carries nonce and tag. */
  seal(purpose: Purpose, text: string): Buffer;
  /** Throws when the text was not sealed for this purpose under this master key. */
  open(purpose: Purpose, sealed: Buffer): string;
  /** HMAC-SHA256: finds a secret again without keeping it readable. */
  hash(purpose: Purpose, text: string): Buffer;
  /** 32 bytes that only this master key and purpose yield. */
  derive(purpose: Purpose): Buffer;
};

const nonceLength = 12;
const tagLength = 16;

/** `masterKey`: 32 bytes. */
export function createSecrets(masterKey: Buffer): Secrets {
  const known = new Map<string, KeyObject>();
  const keyFor = (purpose: Purpose, use: 'seal' | 'hash' | 'derive') => {
    const info = `jangada/${use}/${purpose}`;
    const key = known.get(info) ?? createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, '', info, 32)));
    known.set(info, key);
    return key;
  };
  return {
    seal(purpose, text) {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose, 'seal'), nonce);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    open(purpose, sealed) {
      const nonce = sealed.subarray(0, nonceLength);
      const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose, 'seal'), nonce, {
        authTagLength: tagLength,
      });
      decipher.setAuthTag(sealed.subarray(nonceLength, nonceLength + tagLength));
      return Buffer.concat([
        decipher.update(sealed.subarray(nonceLength + tagLength)),
        decipher.final(),
      ]).toString('utf8');
    },
    hash: (purpose, text) => createHmac('sha256', keyFor(purpose, 'hash')).update(text).digest(),
    derive: (purpose) => keyFor(purpose, 'derive').export(),
  };
}
