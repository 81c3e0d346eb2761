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
 * Passkeys (WebAuthn Level 3): builds the options with which a browser creates a passkey or signs with one, and
 * verifies the browser's responses.
 */

type PasskeyDeps = Pick<Deps, 'config' | 'secrets' | 'log'>;

/** Options for a WebAuthn call of the browser, in its JSON form. */
export type PasskeyOptions = Readonly<Record<string, unknown>> & { readonly challenge: string };
/** The browser's response to a WebAuthn call, in its JSON form. Not verified yet. */
export type SubmittedCredential = Readonly<Record<string, unknown>>;

export const MAX_PASSKEYS = 10;

/** The address of this site. Passkeys are bound to its host, and signatures state its origin. */
const relyingParty = ({ config }: Pick<PasskeyDeps, 'config'>) => new URL(config.publicUrl);
/** How authenticators are connected, as WebAuthn names it. */
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
 * Builds the options to request a signature by one of the `allowed` passkeys. With `anybody`, any passkey of this site
 * may sign, and the authenticator must verify its user, because there is no other proof of identity. Without a
 * `challenge` to be signed, a random one is made.
 */
export async function passkeyRequestOptions(
  deps: Pick<PasskeyDeps, 'config'>,
  allowed: readonly PasskeyRow[] | 'anybody',
  challenge?: Buffer,
): Promise<PasskeyOptions> {
  const options = await generateAuthenticationOptions({
    ...(challenge && { challenge: Uint8Array.from(challenge) }),
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
export function verifyRegistration(
  deps: PasskeyDeps,
  expectedChallenge: string,
  submitted: SubmittedCredential,
): Promise<NewPasskey | undefined> {
  return tryVerify(deps, async () => {
    const { response, ...rest } = registrationResponse.parse(submitted);
    refuseAttestation(response.attestationObject);
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
 * Refuses attestations, which are certificates of the authenticator's maker. We request none, and to verify some
 * formats we would have to fetch URLs that the sender chose.
 */
function refuseAttestation(attestationObject: string): void {
  const attestation = decodeAttestationObject(Uint8Array.from(Buffer.from(attestationObject, 'base64url')));
  const format = attestation.get('fmt');
  // A packed attestation without x5c is signed by the new passkey itself, so it contains no certificate.
  const isBare = format === 'none' || (format === 'packed' && !attestation.get('attStmt').get('x5c'));
  if (!isBare) throw new Error(`an attestation of format ${format} was not asked for`);
}

/** Returns the signed parts of a response, by which anybody can verify its signature; undefined if it is malformed. */
export function signedPartsOf(
  submitted: SubmittedCredential,
): { client_data: string; authenticator_data: string; signature: string } | undefined {
  const { data } = assertionResponse.safeParse(submitted);
  if (data === undefined) return undefined;
  const { clientDataJSON, authenticatorData, signature } = data.response;
  return { client_data: clientDataJSON, authenticator_data: authenticatorData, signature };
}

/** Returns the credential id in a response, or undefined if the response is malformed. */
export function credentialIdOf(submitted: SubmittedCredential): Buffer | undefined {
  const { data } = assertionResponse.safeParse(submitted);
  return data && Buffer.from(data.id, 'base64url');
}

/**
 * Verifies an assertion (a signature by a passkey). Returns its signature counter, or undefined if the assertion is
 * invalid. If the passkey is the sole proof of identity, the authenticator must verify its user and return the user
 * handle.
 */
export function verifyAssertion(
  deps: PasskeyDeps,
  passkey: PasskeyRow,
  { expectedChallenge, isSoleProof }: { readonly expectedChallenge: string; readonly isSoleProof: boolean },
  submitted: SubmittedCredential,
): Promise<number | undefined> {
  return tryVerify(deps, async () => {
    const { response, ...rest } = assertionResponse.parse(submitted);
    const { userHandle: receivedHandle, ...assertion } = response;
    const ownerHandle = userHandle(deps, passkey.user_id).toString('base64url');
    // After a password the user is already known, so the response may omit the user handle.
    const isHandleAccepted = receivedHandle ? receivedHandle === ownerHandle : !isSoleProof;
    if (!isHandleAccepted) throw new Error('the answer names another user');
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

/**
 * Returns undefined where the library throws: the reason why a response is invalid is logged, but the caller does not
 * learn it.
 */
async function tryVerify<T>({ log }: PasskeyDeps, verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify();
  } catch (error) {
    log.info(
      { reason: error instanceof Error ? error.message : String(error) },
      'a passkey was not accepted',
    );
    return undefined;
  }
}
