import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createSecrets } from '../src/secrets.ts';

/*
 * An account's approvals as an export has them, made up without a gateway: everything is signed as real people's
 * passkeys and the gateway's own key would.
 */

export const paperMasterKey: Buffer = Buffer.alloc(32, 9);
export const paperOrigin = 'https://pix.example.com';
const secrets = createSecrets(paperMasterKey);
const hour = 3_600_000;

type Algorithm = 'ES256' | 'RS256' | 'EdDSA';
/** A factor of a person: with its private key, if it is a passkey. */
export type PaperKey = {
  readonly id: string;
  readonly public_key: string | null;
  readonly privateKey?: KeyObject;
};
export type PaperPerson = {
  readonly user: number;
  readonly name: string;
  readonly email: string;
  readonly keys: readonly PaperKey[];
  readonly staff?: { readonly since: string; readonly by: number };
};

export function paperPasskey(algorithm: Algorithm = 'ES256'): PaperKey {
  const { publicKey, privateKey } = makeKeyPair(algorithm);
  const { x = '', y = '', n = '' } = publicKey.export({ format: 'jwk' });
  const bytes = (part: string) => Buffer.from(part, 'base64url').toString('hex');
  // Maps in CBOR, with the COSE labels of kty, alg and the parts of the key.
  const cose = {
    ES256: `a5010203262001215820${bytes(x)}225820${bytes(y)}`,
    RS256: `a401030339010020590100${bytes(n)}2143010001`,
    EdDSA: `a4010103272006215820${bytes(x)}`,
  }[algorithm];
  const public_key = Buffer.from(cose, 'hex').toString('base64url');
  return { id: sha256(Buffer.from(cose, 'hex')).toString('base64url'), public_key, privateKey };
}

function makeKeyPair(algorithm: Algorithm) {
  if (algorithm === 'RS256') return generateKeyPairSync('rsa', { modulusLength: 2048 });
  if (algorithm === 'EdDSA') return generateKeyPairSync('ed25519');
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

export function paperApp(name: string): PaperKey {
  return { id: `totp:${sha256(Buffer.from(name)).toString('hex')}`, public_key: null };
}

export function paperPerson(
  user: number,
  keys: readonly PaperKey[] = [paperPasskey()],
  staff?: PaperPerson['staff'],
): PaperPerson {
  return {
    user,
    name: `Pessoa ${user}`,
    email: `p${user}@example.com`,
    keys,
    ...(staff && { staff }),
  };
}

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest();

type PaperRequest = {
  id: string;
  kind: string;
  status: string;
  document: string;
  created_at: string;
  ended_at: string | null;
  history_seq: number | null;
  approvals: { user: number; key: string; proof: unknown; approved_at: string }[];
};
type PaperEntry = {
  seq: number;
  kind: string;
  request: string | null;
  user: number | null;
  key: string | null;
  pix_key: string | null;
  mark: string | null;
  at: string;
};

export const paperTerms = {
  enabled: true,
  from_cents: 0,
  approvals: 1,
  expires_hours: 72,
  passkeys_only: false,
};

/** An account whose history and requests a test writes down one after the other. */
export class PaperAccount {
  readonly account: number;
  readonly history: PaperEntry[] = [];
  readonly requests: PaperRequest[] = [];
  now = new Date('2026-12-01T12:00:00.000Z');

  constructor(account = 7) {
    this.account = account;
  }

  advanceHours(hours: number): void {
    this.now = new Date(this.now.getTime() + hours * hour);
  }

  /** Switches the policy on under the gateway's own mark. */
  begin(approvers: readonly PaperPerson[], terms: Partial<typeof paperTerms> = {}): PaperRequest {
    const order = { ...paperTerms, ...terms, approvers: approvers.map(publicPartOf) };
    const request = this.ask('policy', order, approvers[0]?.user ?? 0);
    this.finish(request);
    const digest = sha256(Buffer.from(request.document)).toString('hex');
    const mark = secrets.hash('approval', `first policy ${digest}`).toString('base64url');
    this.#add({ kind: 'policy', request: request.id, mark });
    return request;
  }

  ask(kind: string, order: Readonly<Record<string, unknown>>, maker: number | null): PaperRequest {
    const id = `00000000-0000-4000-8000-${String(this.requests.length + 1).padStart(12, '0')}`;
    const document = JSON.stringify({
      format: 'jangada-approval/1',
      origin: paperOrigin,
      account: this.account,
      request: id,
      kind,
      order,
      maker,
      made_at: this.now.toISOString(),
      expires_at: new Date(this.now.getTime() + 72 * hour).toISOString(),
    });
    const request = {
      id,
      kind,
      status: 'open',
      document,
      created_at: this.now.toISOString(),
      ended_at: null,
      history_seq: null,
      approvals: [],
    };
    this.requests.push(request);
    return request;
  }

  askWithdrawal(maker: number | null, amountCents = 5000): PaperRequest {
    return this.ask('withdrawal', { id: 'w1', amount_cents: amountCents, pix_key: 'a@example.com' }, maker);
  }

  approve(request: PaperRequest, person: PaperPerson, key = person.keys[0]): void {
    if (key === undefined) throw new Error('a person without a factor');
    const proof = proofOf(request.document, person.user, key);
    request.approvals.push({ user: person.user, key: key.id, proof, approved_at: this.now.toISOString() });
  }

  /** Carries a request out. */
  finish(request: PaperRequest): void {
    request.status = 'done';
    request.ended_at = this.now.toISOString();
    request.history_seq = this.history.length;
  }

  /** Carries a request out that changes the policy, its approvers or the destinations. */
  grant(request: PaperRequest): void {
    this.finish(request);
    this.#add({ kind: request.kind, request: request.id });
  }

  end(what: { readonly user?: number; readonly key?: string; readonly pix_key?: string }): void {
    this.#add({ kind: 'end', ...what });
  }

  /** Has the operator take the policy off without approvals. */
  reset(): void {
    this.#add({ kind: 'reset' });
  }

  export() {
    const { account, history, requests } = this;
    return structuredClone({ format: 'jangada-approvals/1', account, history, requests });
  }

  #add(entry: Partial<PaperEntry> & Pick<PaperEntry, 'kind'>): void {
    const none = { request: null, user: null, key: null, pix_key: null, mark: null };
    this.history.push({ seq: this.history.length + 1, ...none, at: this.now.toISOString(), ...entry });
  }
}

/** What an order about an approver says of a person. */
export function publicPartOf({ keys, ...person }: PaperPerson) {
  return { ...person, keys: keys.map(({ id, public_key }) => ({ id, public_key })) };
}

function proofOf(document: string, user: number, { id, privateKey }: PaperKey) {
  const digest = sha256(Buffer.from(document));
  if (privateKey === undefined) {
    const text = `totp ${user} ${id} ${digest.toString('hex')}`;
    return { mark: secrets.hash('approval', text).toString('base64url') };
  }
  const clientData = Buffer.from(
    JSON.stringify({
      type: 'webauthn.get',
      challenge: digest.toString('base64url'),
      origin: paperOrigin,
      crossOrigin: false,
    }),
  );
  const rpId = sha256(Buffer.from(new URL(paperOrigin).hostname));
  // The flags "user present" and "user verified", and a counter of zero.
  const authenticatorData = Buffer.concat([rpId, Buffer.from('0500000000', 'hex')]);
  const hash = privateKey.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  const signature = sign(hash, Buffer.concat([authenticatorData, sha256(clientData)]), privateKey);
  return {
    client_data: clientData.toString('base64url'),
    authenticator_data: authenticatorData.toString('base64url'),
    signature: signature.toString('base64url'),
  };
}
