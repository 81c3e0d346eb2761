import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A client certificate in the forms in which banks issue it, made by openssl. All passwords are `password`. */
export type ClientCertificateFiles = {
  readonly password: string;
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly encryptedKey: Buffer;
  readonly der: Buffer;
  readonly pkcs12: Buffer;
  readonly pkcs12WithoutPassword: Buffer;
  readonly pkcs12WithoutKey: Buffer;
  readonly pkcs12WithoutCertificate: Buffer;
  /** With the encryption of old Windows exports. */
  readonly oldPkcs12: Buffer;
};

/** It is valid for a year from now on. */
export function makeClientCertificate({
  name = 'Mercearia Capibaribe',
  password = 'senha-do-certificado',
  authority = '',
  key = '',
}: {
  name?: string;
  password?: string;
  /** The PEM certificate of somebody else, which goes into the PKCS#12 files too. */
  authority?: string;
  /** The PEM key to certify, instead of a new one. */
  key?: string;
} = {}): ClientCertificateFiles {
  const folder = mkdtempSync(join(tmpdir(), 'jangada-client-certificate-'));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const read = (file: string) => readFileSync(join(folder, file));
  const pass = `pass:${password}`;
  const pkcs12 = (file: string, ...args: string[]) => openssl('pkcs12', '-export', ...args, '-out', file);
  const both = ['-inkey', 'key.pem', '-in', 'cert.pem'];
  try {
    if (key === '')
      openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', 'key.pem');
    else writeFileSync(join(folder, 'key.pem'), key);
    openssl('req', '-new', '-key', 'key.pem', '-subj', `/O=Banco/CN=${name}`, '-out', 'request.pem');
    openssl('x509', '-req', '-in', 'request.pem', '-key', 'key.pem', '-days', '365', '-out', 'cert.pem');
    openssl('x509', '-in', 'cert.pem', '-outform', 'DER', '-out', 'cert.der');
    openssl('pkcs8', '-topk8', '-in', 'key.pem', '-out', 'encrypted.pem', '-passout', pass);
    writeFileSync(join(folder, 'authority.pem'), authority);
    const withAuthority = authority === '' ? [] : ['-certfile', 'authority.pem'];
    pkcs12('both.p12', ...both, ...withAuthority, '-passout', pass);
    pkcs12('open.p12', ...both, '-passout', 'pass:');
    pkcs12('no-key.p12', '-nokeys', '-in', 'cert.pem', '-passout', pass);
    pkcs12('no-cert.p12', '-nocerts', '-inkey', 'key.pem', '-passout', pass);
    pkcs12('old.p12', '-legacy', ...both, '-passout', pass);
    return {
      password,
      cert: read('cert.pem'),
      key: read('key.pem'),
      encryptedKey: read('encrypted.pem'),
      der: read('cert.der'),
      pkcs12: read('both.p12'),
      pkcs12WithoutPassword: read('open.p12'),
      pkcs12WithoutKey: read('no-key.p12'),
      pkcs12WithoutCertificate: read('no-cert.p12'),
      oldPkcs12: read('old.p12'),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
