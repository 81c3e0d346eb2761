import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject } from '@simplewebauthn/server/helpers';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import type { PasskeyRow } from './factor-store.ts';
import { CHALLENGE_MS } from './session.ts';

/** WebAuthn (Level 3) as it is spoken here: what browsers are asked, and whether what they answer holds. */

type PasskeyDeps = Pick<Deps, 'config' | 'secrets' | 'log'>;

/** As a browser's calls take them. */
export type PasskeyOptions = Readonly<Record<string, unknown>> & { readonly challenge: string };
/** As a browser's calls answer. */
export type SubmittedCredential = Readonly<Record<string, unknown>>;

export const MOST_PASSKEYS = 10;

const relyingParty = ({ config }: Pick<PasskeyDeps, 'config'>) => new URL(config.publicUrl);
const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

/** EdDSA, ES256, RS256 (RFC 9053, RFC 8812): between them, every authenticator in use knows one. */
const algorithms = [-8, -7, -257];

/** Names an account to authenticators, and tells them nothing of it. */
export function userHandle({ secrets }: Pick<PasskeyDeps, 'secrets'>, userId: number): Buffer {
  return secrets.hash('passkey', String(userId));
}

type Owner = { readonly userId: number; readonly username: string };

export async function passkeyRegistrationOptions(
  deps: Pick<PasskeyDeps, 'config' | 'secrets'>,
  { userId, username }: Owner,
  known: readonly PasskeyRow[],
): Promise<PasskeyOptions> {
  const options = await generateRegistrationOptions({
    rpName: 'Jangada',
    rpID: relyingParty(deps).hostname,
    userID: Uint8Array.from(userHandle(deps, userId)),
    userName: username,
    userDisplayName: username,
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    excludeCredentials: known.map(describe),
  });
  return { ...options };
}

/** Of these passkeys one; of whoever it is, when there are none: then it must also know its user. */
export async function passkeyRequestOptions(
  deps: Pick<PasskeyDeps, 'config'>,
  of: readonly PasskeyRow[] | 'anybody',
): Promise<PasskeyOptions> {
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(deps).hostname,
    timeout: CHALLENGE_MS,
    ...(of === 'anybody'
      ? { userVerification: 'required' as const }
      : { userVerification: 'preferred' as const, allowCredentials: of.map(describe) }),
  });
  return { ...options };
}

function describe(row: PasskeyRow) {
  return {
    id: row.credential_id.toString('base64url'),
    transports: transports.filter((transport) => row.transports.includes(transport)),
  };
}

const bytes = z
  .string()
  .regex(/^[A-Za-z0-9_-]+$/)
  .max(20_000);
const created = z.object({
  id: bytes,
  rawId: bytes,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z.array(z.string()).default([]),
  }),
});
const signed = z.object({
  id: bytes,
  rawId: bytes,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: bytes.nullish(),
  }),
});

export type NewPasskey = Pick<PasskeyRow, 'credential_id' | 'public_key' | 'sign_count' | 'transports'>;

/** The passkey that a browser made for our question; undefined when the answer does not hold. */
export function readNewPasskey(
  deps: PasskeyDeps,
  expectedChallenge: string,
  given: SubmittedCredential,
): Promise<NewPasskey | undefined> {
  return orNothing(deps, async () => {
    const { response, ...rest } = created.parse(given);
    refuseCertificates(response.attestationObject);
    const known = transports.filter((transport) => response.transports.includes(transport));
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...rest, response: { ...response, transports: known }, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin: relyingParty(deps).origin,
      expectedRPID: relyingParty(deps).hostname,
      requireUserVerification: false,
      supportedAlgorithmIDs: algorithms,
    });
    if (!verified) return undefined;
    const { id, publicKey, counter } = registrationInfo.credential;
    return {
      credential_id: Buffer.from(id, 'base64url'),
      public_key: Buffer.from(publicKey),
      sign_count: counter,
      transports: known,
    };
  });
}

/** We ask for none. To verify some of them a verifier would fetch what they point at, and who sent them chose that. */
function refuseCertificates(attestationObject: string): void {
  const attestation = decodeAttestationObject(Uint8Array.from(Buffer.from(attestationObject, 'base64url')));
  const format = attestation.get('fmt');
  const isBare = format === 'none' || (format === 'packed' && !attestation.get('attStmt').get('x5c'));
  if (!isBare) throw new Error(`an attestation of format ${format} was not asked for`);
}

/** The id of the passkey that an answer speaks of; undefined for what is no such answer. */
export function credentialIdOf(given: SubmittedCredential): Buffer | undefined {
  const { data } = signed.safeParse(given);
  return data && Buffer.from(data.id, 'base64url');
}

/**
 * The count of signatures that a passkey answered our question with; undefined when the answer does not hold. `alone`:
 * nothing else shows who it is, so the authenticator must have verified its user and name them.
 */
export function readSignature(
  deps: PasskeyDeps,
  passkey: PasskeyRow,
  { expectedChallenge, alone }: { readonly expectedChallenge: string; readonly alone: boolean },
  given: SubmittedCredential,
): Promise<number | undefined> {
  return orNothing(deps, async () => {
    const { response, ...rest } = signed.parse(given);
    const { userHandle: handle, ...assertion } = response;
    const owner = userHandle(deps, passkey.user_id).toString('base64url');
    if (handle ? handle !== owner : alone) throw new Error('the answer names another user');
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...rest, response: assertion, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin: relyingParty(deps).origin,
      expectedRPID: relyingParty(deps).hostname,
      credential: {
        id: passkey.credential_id.toString('base64url'),
        publicKey: Uint8Array.from(passkey.public_key),
        counter: passkey.sign_count,
      },
      requireUserVerification: alone,
    });
    return verified ? authenticationInfo.newCounter : undefined;
  });
}

/** The library throws where an answer is not as it must be; the caller is told no more than that. */
async function orNothing<T>({ log }: PasskeyDeps, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    log.info(
      { reason: error instanceof Error ? error.message : String(error) },
      'a passkey was not accepted',
    );
    return undefined;
  }
}
