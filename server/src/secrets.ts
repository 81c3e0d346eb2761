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
  | 'totp'
  | 'recovery-code'
  | 'passkey'
  | 'mail'
  | 'kyc-picture'
  | 'push'
  | 'audit'
  | 'psp-path'
  | 'check';

/** Encryption and keyed hashes under the master key, which never stands in the database. */
export type Secrets = {
  /** AES-256-GCM; the answer carries nonce and tag. */
  seal(purpose: Purpose, content: string | Buffer): Buffer;
  /** Throws when the text was not sealed for this purpose under this master key. */
  open(purpose: Purpose, sealed: Buffer): string;
  /** The same for what is no text. */
  openBytes(purpose: Purpose, sealed: Buffer): Buffer;
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
  const openBytes = (purpose: Purpose, sealed: Buffer) => {
    const decipher = createDecipheriv(
      'aes-256-gcm',
      keyFor(purpose, 'seal'),
      sealed.subarray(0, nonceLength),
      { authTagLength: tagLength },
    );
    decipher.setAuthTag(sealed.subarray(nonceLength, nonceLength + tagLength));
    const rest = sealed.subarray(nonceLength + tagLength);
    return Buffer.concat([decipher.update(rest), decipher.final()]);
  };
  return {
    seal(purpose, content) {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose, 'seal'), nonce);
      const sealed = Buffer.concat([
        typeof content === 'string' ? cipher.update(content, 'utf8') : cipher.update(content),
        cipher.final(),
      ]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    open: (purpose, sealed) => openBytes(purpose, sealed).toString('utf8'),
    openBytes,
    hash: (purpose, text) => createHmac('sha256', keyFor(purpose, 'hash')).update(text).digest(),
    derive: (purpose) => keyFor(purpose, 'derive').export(),
  };
}
