import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readClientCertificate } from '../client-certificate.ts';

/*
 * The program of the child process that certificate.ts starts. It receives a certificate from its parent in one message
 * and answers in another. Opening an encrypted file takes as long as its sender wants, so it is done where it can be
 * ended.
 */

/** The gateway opens a PKCS#12 file once for each account, in the process that serves all merchants. */
const maxCpuMs = 1000;

process.once('disconnect', () => process.exit());
process.once('message', (message) => {
  // The message comes only from certificate.ts, so it is not validated.
  process.send?.(read(message as CertificateFile));
});

type CertificateFile = {
  readonly certificate: Uint8Array;
  readonly key: Uint8Array | undefined;
  readonly password: string;
};
type Tls = { cert: Buffer; key: Buffer } | { pfx: Buffer; passphrase: string };

/** The problem that keeps a certificate from being used. */
type Problem =
  | 'not-a-certificate'
  | 'wrong-password'
  | 'needs-password'
  | 'no-key'
  | 'no-certificate'
  | 'foreign-key'
  | 'old-encryption'
  | 'too-costly';

class Unreadable extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem);
    this.problem = problem;
  }
}

function read(file: CertificateFile) {
  const cpuBefore = process.cpuUsage();
  try {
    const certificate = Buffer.from(file.certificate);
    const key = file.key && Buffer.from(file.key);
    const tls =
      isPem(certificate) || isDerCertificate(certificate)
        ? readPem(certificate, key, file.password)
        : { pfx: certificate, passphrase: file.password };
    const leaf = openTls(tls);
    const { user, system } = process.cpuUsage(cpuBefore);
    if ((user + system) / 1000 > maxCpuMs) throw new Unreadable('too-costly');
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
function readPem(certificateFile: Buffer, keyFile: Buffer | undefined, password: string): Tls {
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
  // TLS sends the holder's own certificate first, whatever its place in the file is.
  const chain = [leaf, ...certificates.filter((certificate) => certificate !== leaf)];
  return {
    cert: Buffer.from(chain.map(String).join('')),
    key: Buffer.from(key.export({ type: 'pkcs8', format: 'pem' })),
  };
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

function openTls(tls: Tls): X509Certificate {
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
