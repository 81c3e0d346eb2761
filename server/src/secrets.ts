import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/** The purpose of a sealed text or keyed hash. Each purpose has its own keys. */
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
  | 'bank-connection'
  | 'approval'
  | 'check';

/** Encryption and keyed hashes under the master key, which is never stored in the database. */
export type Secrets = {
  /** Encrypts by AES-256-GCM; the result includes nonce and tag. With `owner`, only who names the same owner opens it. */
  seal(purpose: Purpose, content: string | Buffer, owner?: string): Buffer;
  /** Decrypts a text; throws if it was not sealed for this purpose and owner under this master key. */
  open(purpose: Purpose, sealed: Buffer, owner?: string): string;
  /** Decrypts binary content; throws like `open`. */
  openBytes(purpose: Purpose, sealed: Buffer, owner?: string): Buffer;
  /** HMAC-SHA256: lets a secret be looked up without storing it in readable form. */
  hash(purpose: Purpose, text: string): Buffer;
  /** Derives 32 bytes unique to this master key and purpose. */
  derive(purpose: Purpose): Buffer;
};

const nonceLength = 12;
const tagLength = 16;

/** Creates the secrets under a master key of 32 bytes, from which the key of each purpose and use is derived. */
export function createSecrets(masterKey: Buffer): Secrets {
  const derivedKeys = new Map<string, KeyObject>();
  const keyFor = (purpose: Purpose, use: 'seal' | 'hash' | 'derive') => {
    const info = `jangada/${use}/${purpose}`;
    const key =
      derivedKeys.get(info) ?? createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, '', info, 32)));
    derivedKeys.set(info, key);
    return key;
  };
  const openBytes = (purpose: Purpose, sealed: Buffer, owner = '') => {
    const decipher = createDecipheriv(
      'aes-256-gcm',
      keyFor(purpose, 'seal'),
      sealed.subarray(0, nonceLength),
      { authTagLength: tagLength },
    );
    decipher.setAAD(Buffer.from(owner));
    decipher.setAuthTag(sealed.subarray(nonceLength, nonceLength + tagLength));
    const ciphertext = sealed.subarray(nonceLength + tagLength);
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
  };
  return {
    seal(purpose, content, owner = '') {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose, 'seal'), nonce);
      cipher.setAAD(Buffer.from(owner));
      const ciphertext = Buffer.concat([
        typeof content === 'string' ? cipher.update(content, 'utf8') : cipher.update(content),
        cipher.final(),
      ]);
      return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
    },
    open: (purpose, sealed, owner) => openBytes(purpose, sealed, owner).toString('utf8'),
    openBytes,
    hash: (purpose, text) => createHmac('sha256', keyFor(purpose, 'hash')).update(text).digest(),
    derive: (purpose) => keyFor(purpose, 'derive').export(),
  };
}
