import { createPrivateKey, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { readClientCertificate } from '../client-certificate.ts';
import { readPkcs12 } from './read-pkcs12.ts';

/*
 * The program of the child process that certificate.ts starts. It receives a certificate from its parent in one message
 * and answers in another. Opening an encrypted file takes as long as its sender wants, so it is done where it can be
 * ended.
 */

const maxCpuMs = 1000;
/** The gateway signs for each connection to the bank, in the process that serves all merchants: RSA-8192 takes half. */
const maxSigningCpuMs = 100;

process.once('disconnect', () => process.exit());
process.once('message', async (message) => {
  // The message comes only from certificate.ts, so it is not validated.
  process.send?.(await read(message as CertificateFile));
});

type CertificateFile = {
  readonly certificate: Uint8Array;
  readonly key: Uint8Array | undefined;
  readonly password: string;
};
/** `certificates`: the holder's own, which TLS sends first, and those of its issuers. */
type Parts = { readonly key: KeyObject; readonly certificates: readonly X509Certificate[] };

/** The problem that keeps a certificate from being used. */
type Problem =
  | 'not-a-certificate'
  | 'wrong-password'
  | 'needs-password'
  | 'no-key'
  | 'no-certificate'
  | 'foreign-key'
  | 'old-encryption'
  | 'unusual-file'
  | 'too-costly'
  | 'costly-key';

class Unreadable extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem);
    this.problem = problem;
  }
}

async function read(file: CertificateFile) {
  try {
    const certificate = Buffer.from(file.certificate);
    const key = file.key && Buffer.from(file.key);
    const { result: parts, cpuMs } = await measureCpu(async () =>
      isPem(certificate) || isDerCertificate(certificate)
        ? readPem(certificate, key, file.password)
        : await openPkcs12(certificate, file.password),
    );
    if (cpuMs > maxCpuMs) throw new Unreadable('too-costly');
    const signing = await measureCpu(async () => signWith(parts.key));
    if (signing.cpuMs > maxSigningCpuMs) throw new Unreadable('costly-key');
    const tls = {
      cert: Buffer.from(parts.certificates.map(String).join('')),
      key: Buffer.from(parts.key.export({ type: 'pkcs8', format: 'pem' })),
    };
    const leaf = openTls(tls);
    return {
      tls,
      holder: holderOf(leaf),
      fingerprint: leaf.fingerprint256,
      validFrom: leaf.validFromDate.getTime(),
      expiresAt: leaf.validToDate.getTime(),
    };
  } catch (error) {
    return { problem: error instanceof Unreadable ? error.problem : 'not-a-certificate' };
  }
}

async function measureCpu<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly cpuMs: number }> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, cpuMs: (user + system) / 1000 };
}

/** Signs as TLS does when the bank asks for the certificate. */
function signWith(key: KeyObject): void {
  const hasOwnDigest = /^ed/.test(key.asymmetricKeyType ?? '');
  sign(hasOwnDigest ? null : 'sha256', Buffer.from('a handshake'), key);
}

function isPem(content: Buffer): boolean {
  return content.includes('-----BEGIN ');
}

function isDerCertificate(content: Buffer): boolean {
  // X509Certificate would read PEM too, and only its first certificate.
  if (isPem(content)) return false;
  try {
    return new X509Certificate(content).raw.length > 0;
  } catch {
    return false;
  }
}

/** Reads a certificate and its key from one file or from two. The key is kept decrypted. */
function readPem(certificateFile: Buffer, keyFile: Buffer | undefined, password: string): Parts {
  const files = [certificateFile, keyFile ?? Buffer.alloc(0)];
  const text = files.map((file) => file.toString('latin1')).join('\n');
  const certificates = isDerCertificate(certificateFile)
    ? [new X509Certificate(certificateFile)]
    : readCertificates(text);
  if (certificates.length === 0) throw new Unreadable('no-certificate');
  const [block] =
    /-----BEGIN ((?:RSA |EC |ENCRYPTED )?PRIVATE KEY)-----[\s\S]*?-----END \1-----/.exec(text) ?? [];
  if (block === undefined) throw new Unreadable('no-key');
  const key = openKey(block, password);
  const leaf = certificates.find((certificate) => certificate.checkPrivateKey(key));
  if (leaf === undefined) throw new Unreadable('foreign-key');
  return { key, certificates: [leaf, ...certificates.filter((certificate) => certificate !== leaf)] };
}

function readCertificates(text: string): X509Certificate[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => new X509Certificate(block));
}

function openKey(key: string, passphrase: string): KeyObject {
  try {
    return createPrivateKey({ key, ...(passphrase !== '' && { passphrase }) });
  } catch (error) {
    const code = codeOf(error);
    if (/INTERRUPTED|MISSING_PASSPHRASE/.test(code)) throw new Unreadable('needs-password');
    if (/BAD_DECRYPT|BAD_PASSWORD/.test(code)) throw new Unreadable('wrong-password');
    throw new Unreadable('no-key');
  }
}

/** Opens a PKCS#12 file and takes its parts out, so that nothing else in it has any effect. */
async function openPkcs12(pfx: Buffer, passphrase: string): Promise<Parts> {
  openTls({ pfx, passphrase });
  const parts = await readPkcs12(pfx, passphrase);
  if (parts === undefined) throw new Unreadable('unusual-file');
  return parts;
}

function openTls(tls: { cert: Buffer; key: Buffer } | { pfx: Buffer; passphrase: string }): X509Certificate {
  try {
    const certificate = readClientCertificate(tls);
    if (certificate !== undefined) return certificate;
  } catch (error) {
    throw new Unreadable(problemOf(error, 'passphrase' in tls ? tls.passphrase : ''));
  }
  throw new Unreadable('no-certificate');
}

/** Maps what Node says of a PKCS#12 file. */
function problemOf(error: unknown, passphrase: string): Problem {
  const message = error instanceof Error ? error.message : '';
  if (message.includes('mac verify failure')) return passphrase === '' ? 'needs-password' : 'wrong-password';
  if (message.includes('load private key')) return 'no-key';
  if (message.includes('load certificate')) return 'no-certificate';
  if (codeOf(error) === 'ERR_CRYPTO_UNSUPPORTED_OPERATION') return 'old-encryption';
  return 'not-a-certificate';
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** The common name of the certificate's subject; its whole subject if it has none. */
function holderOf({ subject }: X509Certificate): string {
  const lines = subject.split('\n');
  const commonName = lines.find((line) => line.startsWith('CN='))?.slice('CN='.length);
  return commonName ?? lines.join(', ');
}
