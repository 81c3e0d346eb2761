import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { invariant } from '../invariant.ts';
import { createSecrets, type Secrets } from '../secrets.ts';
import type { OwnTls } from './certificate.ts';
import type { ConnectionRow } from './store.ts';

/** The credentials with which the gateway speaks for an account of a merchant's own. */
export type Credentials = {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly tls?: OwnTls;
  /** The facts in the certificate of `tls`. */
  readonly certificate?: CertificateFacts;
};

export type CertificateFacts = {
  readonly holder: string;
  readonly fingerprint: string;
  readonly expiresAt: Date;
};

const keyLength = 32;

/**
 * The account for which credentials are sealed. They open for no other: whoever can write into the table and copies them
 * to another merchant, or sends them to another address, has nothing.
 */
export type AccountOfCredentials = Pick<
  ConnectionRow,
  'id' | 'merchant_id' | 'bank' | 'pix_key' | 'api_url' | 'token_url'
>;

type SealedAccount = AccountOfCredentials & Pick<ConnectionRow, 'sealed_key'>;

/** Creates the key of an account, sealed under the gateway's key, and seals the credentials under it. */
export function sealUnderNewKey(
  secrets: Secrets,
  account: AccountOfCredentials,
  credentials: Credentials,
): { readonly sealed_key: Buffer; readonly sealed_credentials: Buffer } {
  const sealed_key = secrets.seal('bank-connection', randomBytes(keyLength));
  return {
    sealed_key,
    sealed_credentials: sealCredentials(secrets, { ...account, sealed_key }, credentials),
  };
}

export function sealCredentials(secrets: Secrets, account: SealedAccount, credentials: Credentials): Buffer {
  const { clientId, clientSecret, tls, certificate } = credentials;
  const text = JSON.stringify({
    clientId,
    clientSecret,
    ...(certificate && { certificate: factsOf(certificate) }),
    ...(tls && { tls: { cert: tls.cert.toString('base64'), key: tls.key.toString('base64') } }),
  });
  return accountSecrets(secrets, account).seal('bank-connection', text, identityOf(account));
}

/** Throws if the credentials were not sealed for this account as it is. */
export function openCredentials(secrets: Secrets, account: SealedAccount, sealed: Buffer): Credentials {
  const text = accountSecrets(secrets, account).open('bank-connection', sealed, identityOf(account));
  const { clientId, clientSecret, tls, certificate } = storedCredentials.parse(JSON.parse(text));
  if (tls === undefined) return { clientId, clientSecret };
  return {
    clientId,
    clientSecret,
    tls: { cert: Buffer.from(tls.cert, 'base64'), key: Buffer.from(tls.key, 'base64') },
    ...(certificate && { certificate: { ...certificate, expiresAt: new Date(certificate.expiresAt) } }),
  };
}

/** Only these: what a reader of certificates returns besides them is kept in `tls`. */
function factsOf({ holder, fingerprint, expiresAt }: CertificateFacts): CertificateFacts {
  return { holder, fingerprint, expiresAt };
}

const storedCredentials = z.object({
  clientId: z.string(),
  clientSecret: z.string(),
  certificate: z.optional(z.object({ holder: z.string(), fingerprint: z.string(), expiresAt: z.string() })),
  tls: z.optional(z.object({ cert: z.string(), key: z.string() })),
});

function accountSecrets(secrets: Secrets, { sealed_key }: SealedAccount): Secrets {
  invariant(sealed_key !== null, 'an account whose credentials are erased');
  return createSecrets(secrets.openBytes('bank-connection', sealed_key));
}

function identityOf({ id, merchant_id, bank, pix_key, api_url, token_url }: AccountOfCredentials): string {
  return JSON.stringify([id, merchant_id, bank, pix_key, api_url, token_url]);
}
