import { createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CertificateUsage, signCertificate } from './x509.ts';

/** The bank's own certificate authority: it issues the certificates of accounts, and the one of the bank's listener. */
export interface CertificateAuthority {
  /** The authority's own certificate, as PEM. Whoever connects to the bank must trust it. */
  readonly cert: string;
  /** Issues a certificate to an account's holder, valid for so many days from now, and returns it with its key as PEM. */
  issueToClient(holder: string, days: number): string;
  issueToServer(hosts: readonly string[]): { readonly cert: string; readonly key: string };
}

/** The certificate that an account demands from its clients. */
export interface ClientCertificate {
  /** The certificate and its key. */
  readonly pem: string;
  readonly fingerprint: string;
  readonly expiresAt: number;
}

const BANK_NAME = 'Banco Sandbox';
const AUTHORITY = { commonName: 'Autoridade do Banco Sandbox' };
const DAY_MS = 86_400_000;

/** The authority outlives every certificate that it issues. */
const AUTHORITY_FROM = new Date('2020-01-01T00:00:00Z');
const AUTHORITY_UNTIL = new Date('2049-12-31T23:59:59Z');

/** Reads the authority in this directory, or creates one there, so that certificates stay valid after a restart. */
export async function openCertificateAuthority(dataDir: string): Promise<CertificateAuthority> {
  const path = join(dataDir, 'authority.pem');
  const pem = await readFile(path, 'utf8').catch(() => createAuthority(dataDir, path));
  const authorityKey = createPrivateKey(pem);
  const issue = (commonName: string, validFrom: Date, validUntil: Date, usage: CertificateUsage) => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    // With the organization no holder can have the authority's own name, which would make a certificate self-signed.
    const subject = { commonName, organization: BANK_NAME };
    const content = { subject, issuer: AUTHORITY, publicKey, validFrom, validUntil, usage };
    return { cert: signCertificate(content, authorityKey), key: formatKey(privateKey) };
  };
  return {
    cert: new X509Certificate(pem).toString(),
    issueToClient(holder, days) {
      // TLS compares with the machine's time, whatever the bank's clock says.
      const now = Date.now();
      const [validFrom, validUntil] = [new Date(now - DAY_MS), new Date(now + days * DAY_MS)];
      const { cert, key } = issue(holder, validFrom, validUntil, { kind: 'client' });
      return cert + key;
    },
    issueToServer: (hosts) => issue(BANK_NAME, AUTHORITY_FROM, AUTHORITY_UNTIL, { kind: 'server', hosts }),
  };
}

/** Reads a certificate that `issueToClient` returned. */
export function readClientCertificate(pem: string): ClientCertificate {
  const { fingerprint256: fingerprint, validTo } = new X509Certificate(pem);
  return { pem, fingerprint, expiresAt: Date.parse(validTo) };
}

async function createAuthority(dataDir: string, path: string): Promise<string> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const content = {
    subject: AUTHORITY,
    issuer: AUTHORITY,
    publicKey,
    validFrom: AUTHORITY_FROM,
    validUntil: AUTHORITY_UNTIL,
    usage: { kind: 'authority' },
  } as const;
  const pem = signCertificate(content, privateKey) + formatKey(privateKey);
  await mkdir(dataDir, { recursive: true });
  await writeFile(`${path}.tmp`, pem, { mode: 0o600, flush: true });
  await rename(`${path}.tmp`, path);
  return pem;
}

function formatKey(key: KeyObject): string {
  return String(key.export({ type: 'pkcs8', format: 'pem' }));
}
