import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** The part of WebAuthn's options that an authenticator reads. */
type RequestOptions = {
  readonly challenge?: unknown;
  readonly user?: unknown;
};

/** How a response differs from an honest one. */
export type Lie = {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly challenge?: string;
  readonly crossOrigin?: boolean;
  /** The flag "user present". */
  readonly present?: boolean;
  /** The flag "user verified". */
  readonly verified?: boolean;
  readonly count?: number;
  readonly userHandle?: string | null;
  /** Signs with this key instead. */
  readonly key?: KeyObject;
  /** Includes an attestation statement with a certificate. */
  readonly certificate?: Buffer;
};

/** A software security key (WebAuthn Level 3, ES256) with one credential, which can be made to lie. */
export type Authenticator = {
  readonly id: string;
  create(options: RequestOptions, lie?: Lie): Record<string, unknown>;
  get(options: RequestOptions, lie?: Lie): Record<string, unknown>;
};

export function createAuthenticator(origin: string): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(32);
  const id = credentialId.toString('base64url');
  let count = 0;
  let handle = '';

  const clientData = (type: string, { challenge }: RequestOptions, lie: Lie) =>
    Buffer.from(
      JSON.stringify({
        type: lie.type ?? type,
        challenge: lie.challenge ?? challenge,
        origin: lie.origin ?? origin,
        crossOrigin: lie.crossOrigin ?? false,
      }),
    );
  const authDataHead = (lie: Lie, withKey: boolean) => {
    const flags = (lie.present === false ? 0 : 1) | (lie.verified === false ? 0 : 4) | (withKey ? 64 : 0);
    const rpId = createHash('sha256')
      .update(lie.rpId ?? new URL(origin).hostname)
      .digest();
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(lie.count ?? count);
    return Buffer.concat([rpId, Buffer.from([flags]), counter]);
  };

  return {
    id,
    create(options, lie = {}) {
      const { user } = options;
      handle = user !== null && typeof user === 'object' && 'id' in user ? String(user.id) : '';
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      const coseKey = map([
        [int(1), int(2)],
        [int(3), int(-7)],
        [int(-1), int(1)],
        [int(-2), bytes(Buffer.from(x, 'base64url'))],
        [int(-3), bytes(Buffer.from(y, 'base64url'))],
      ]);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const authData = Buffer.concat([
        authDataHead(lie, true),
        Buffer.alloc(16),
        length,
        credentialId,
        coseKey,
      ]);
      const statement = lie.certificate
        ? map([
            [text('alg'), int(-7)],
            [text('sig'), bytes(randomBytes(64))],
            [text('x5c'), list([bytes(lie.certificate)])],
          ])
        : map([]);
      const attestation = map([
        [text('fmt'), text(lie.certificate ? 'packed' : 'none')],
        [text('attStmt'), statement],
        [text('authData'), bytes(authData)],
      ]);
      const response = {
        clientDataJSON: clientData('webauthn.create', options, lie).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['usb'],
      };
      return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} };
    },
    get(options, lie = {}) {
      count += 1;
      const authData = authDataHead(lie, false);
      const client = clientData('webauthn.get', options, lie);
      const hash = createHash('sha256').update(client).digest();
      const response = {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', Buffer.concat([authData, hash]), lie.key ?? privateKey).toString(
          'base64url',
        ),
        ...(lie.userHandle !== null && { userHandle: lie.userHandle ?? handle }),
      };
      return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} };
    },
  };
}

// The part of CBOR (RFC 8949) needed here.

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}

const int = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value));
const bytes = (value: Buffer) => Buffer.concat([head(2, value.length), value]);
const text = (value: string) => Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
const list = (items: readonly Buffer[]) => Buffer.concat([head(4, items.length), ...items]);
const map = (entries: readonly (readonly [Buffer, Buffer])[]) =>
  Buffer.concat([head(5, entries.length), ...entries.flat()]);
