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

/** WebAuthn (Level 3): builds the options for browsers and verifies their responses. */

type PasskeyDeps = Pick<Deps, 'config' | 'secrets' | 'log'>;

/** Options in the form of the browser's WebAuthn calls. */
export type PasskeyOptions = Readonly<Record<string, unknown>> & { readonly challenge: string };
/** A response in the form of the browser's WebAuthn calls. */
export type SubmittedCredential = Readonly<Record<string, unknown>>;

export const MOST_PASSKEYS = 10;

const relyingParty = ({ config }: Pick<PasskeyDeps, 'config'>) => new URL(config.publicUrl);
const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

/** EdDSA, ES256, RS256 (RFC 9053, RFC 8812): every authenticator in use supports at least one. */
const algorithms = [-8, -7, -257];

/** An id of the account for authenticators that reveals nothing about it. */
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

/**
 * Asks for one of these passkeys. For `anybody`, any passkey of this site will do, and the authenticator must verify
 * its user.
 */
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

/** Verifies a registration response and returns the new passkey; undefined if it is invalid. */
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

/** We request no attestation. Verifying some formats would fetch URLs that the sender chose. */
function refuseCertificates(attestationObject: string): void {
  const attestation = decodeAttestationObject(Uint8Array.from(Buffer.from(attestationObject, 'base64url')));
  const format = attestation.get('fmt');
  const isBare = format === 'none' || (format === 'packed' && !attestation.get('attStmt').get('x5c'));
  if (!isBare) throw new Error(`an attestation of format ${format} was not asked for`);
}

/** The credential id in a response; undefined if it is malformed. */
export function credentialIdOf(given: SubmittedCredential): Buffer | undefined {
  const { data } = signed.safeParse(given);
  return data && Buffer.from(data.id, 'base64url');
}

/**
 * Verifies an assertion and returns its signature counter; undefined if it is invalid. `alone`: the passkey is the only
 * proof of identity, so the authenticator must verify the user and return the user handle.
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

/** The library throws on an invalid response; the caller only learns that it was invalid. */
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
