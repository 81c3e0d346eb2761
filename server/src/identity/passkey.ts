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

/*
 * Passkeys by WebAuthn Level 3: builds the options for the browser's calls and verifies the browser's responses, for
 * the registration of a passkey and for its signatures.
 */

type PasskeyDeps = Pick<Deps, 'config' | 'secrets' | 'log'>;

/** Options in the form of the browser's WebAuthn calls. */
export type PasskeyOptions = Readonly<Record<string, unknown>> & { readonly challenge: string };
/** A response in the form of the browser's WebAuthn calls. */
export type SubmittedCredential = Readonly<Record<string, unknown>>;

export const MAX_PASSKEYS = 10;

const relyingParty = ({ config }: Pick<PasskeyDeps, 'config'>) => new URL(config.publicUrl);
const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

/** EdDSA, ES256, RS256 (RFC 9053, RFC 8812): every authenticator in use supports at least one. */
const algorithms = [-8, -7, -257];

/** The id by which authenticators know an account; it reveals nothing about the account. */
export function userHandle({ secrets }: Pick<PasskeyDeps, 'secrets'>, userId: number): Buffer {
  return secrets.hash('passkey', String(userId));
}

type PasskeyOwner = { readonly userId: number; readonly username: string };

export async function passkeyRegistrationOptions(
  deps: Pick<PasskeyDeps, 'config' | 'secrets'>,
  { userId, username }: PasskeyOwner,
  existing: readonly PasskeyRow[],
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
    excludeCredentials: existing.map(credentialDescriptor),
  });
  return { ...options };
}

/**
 * Builds the options to request a signature by one of these passkeys. With `anybody`, the signature may be by any
 * passkey of this site, and the authenticator must verify its user.
 */
export async function passkeyRequestOptions(
  deps: Pick<PasskeyDeps, 'config'>,
  allowed: readonly PasskeyRow[] | 'anybody',
): Promise<PasskeyOptions> {
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(deps).hostname,
    timeout: CHALLENGE_MS,
    ...(allowed === 'anybody'
      ? { userVerification: 'required' as const }
      : { userVerification: 'preferred' as const, allowCredentials: allowed.map(credentialDescriptor) }),
  });
  return { ...options };
}

function credentialDescriptor(row: PasskeyRow) {
  return {
    id: row.credential_id.toString('base64url'),
    transports: transports.filter((transport) => row.transports.includes(transport)),
  };
}

const base64url = z
  .string()
  .regex(/^[A-Za-z0-9_-]+$/)
  .max(20_000);
const registrationResponse = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string()).default([]),
  }),
});
const assertionResponse = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.nullish(),
  }),
});

export type NewPasskey = Pick<PasskeyRow, 'credential_id' | 'public_key' | 'sign_count' | 'transports'>;

/** Verifies a registration response and returns the new passkey, or undefined if the response is invalid. */
export function readNewPasskey(
  deps: PasskeyDeps,
  expectedChallenge: string,
  submitted: SubmittedCredential,
): Promise<NewPasskey | undefined> {
  return undefinedIfInvalid(deps, async () => {
    const { response, ...rest } = registrationResponse.parse(submitted);
    refuseCertificates(response.attestationObject);
    const knownTransports = transports.filter((transport) => response.transports.includes(transport));
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...rest,
        response: { ...response, transports: knownTransports },
        clientExtensionResults: {},
      },
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
      transports: knownTransports,
    };
  });
}

/**
 * Refuses attestations (certificates of the authenticator's maker): none is requested, and verifying some formats would
 * fetch URLs that the sender chose.
 */
function refuseCertificates(attestationObject: string): void {
  const attestation = decodeAttestationObject(Uint8Array.from(Buffer.from(attestationObject, 'base64url')));
  const format = attestation.get('fmt');
  const isBare = format === 'none' || (format === 'packed' && !attestation.get('attStmt').get('x5c'));
  if (!isBare) throw new Error(`an attestation of format ${format} was not asked for`);
}

/** Returns the credential id in a response, or undefined if the response is malformed. */
export function credentialIdOf(submitted: SubmittedCredential): Buffer | undefined {
  const { data } = assertionResponse.safeParse(submitted);
  return data && Buffer.from(data.id, 'base64url');
}

/**
 * Verifies an assertion (a signature by a passkey) and returns its signature counter, or undefined if it is invalid. If
 * the passkey is the sole proof of identity, the authenticator must verify the user and return the user handle.
 */
export function readSignature(
  deps: PasskeyDeps,
  passkey: PasskeyRow,
  { expectedChallenge, isSoleProof }: { readonly expectedChallenge: string; readonly isSoleProof: boolean },
  submitted: SubmittedCredential,
): Promise<number | undefined> {
  return undefinedIfInvalid(deps, async () => {
    const { response, ...rest } = assertionResponse.parse(submitted);
    const { userHandle: receivedHandle, ...assertion } = response;
    const ownersHandle = userHandle(deps, passkey.user_id).toString('base64url');
    // A passkey used after a password may come without a handle: the user is known already.
    const isOwnersHandle = receivedHandle ? receivedHandle === ownersHandle : !isSoleProof;
    if (!isOwnersHandle) throw new Error('the answer names another user');
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
      requireUserVerification: isSoleProof,
    });
    return verified ? authenticationInfo.newCounter : undefined;
  });
}

/** The library throws on an invalid response; the caller only learns that it was invalid. */
async function undefinedIfInvalid<T>({ log }: PasskeyDeps, read: () => Promise<T>): Promise<T | undefined> {
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
