import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { createSecrets, type Secrets } from '../secrets.ts';
import type { OwnTls } from './certificate.ts';

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

/** Creates the key of a row and seals it under the gateway's key. The credentials of the row are sealed under it. */
export function createRowKey(secrets: Secrets): Buffer {
  return secrets.seal('bank-connection', randomBytes(keyLength));
}

export function sealCredentials(secrets: Secrets, sealedRowKey: Buffer, credentials: Credentials): Buffer {
  const { clientId, clientSecret, tls, certificate } = credentials;
  const text = JSON.stringify({
    clientId,
    clientSecret,
    ...(certificate && { certificate: factsOf(certificate) }),
    ...(tls && { tls: { cert: tls.cert.toString('base64'), key: tls.key.toString('base64') } }),
  });
  return rowSecretsOf(secrets, sealedRowKey).seal('bank-connection', text);
}

export function openCredentials(secrets: Secrets, sealedRowKey: Buffer, sealed: Buffer): Credentials {
  const text = rowSecretsOf(secrets, sealedRowKey).open('bank-connection', sealed);
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

function rowSecretsOf(secrets: Secrets, sealedRowKey: Buffer): Secrets {
  return createSecrets(secrets.openBytes('bank-connection', sealedRowKey));
}
