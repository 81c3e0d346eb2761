import { CONNECTION_LIMITS } from '@jangada/contract';
import { base64Of } from '../../panel/base64.ts';

/**
 * A file that the merchant chose as the client certificate, or as its key. PKCS#12 (.p12, .pfx) holds both under a
 * password; PEM is text, with the certificate, its key or both.
 */
export type CertificateFile = {
  readonly name: string;
  readonly base64: string;
  readonly isPem: boolean;
  readonly hasCertificate: boolean;
  readonly hasKey: boolean;
  /** Whether a password opens it. */
  readonly isEncrypted: boolean;
  /** Why it cannot be sent; undefined for a file that can. */
  readonly problem: string | undefined;
};

export const CERTIFICATE_TYPES = '.p12,.pfx,.pem,.crt,.cer,.key,application/x-pkcs12,application/x-pem-file';

export async function certificateFileFrom(file: File): Promise<CertificateFile> {
  const isTooLarge = file.size > CONNECTION_LIMITS.maxCertificateBytes;
  const text = isTooLarge ? '' : await file.text();
  const isPem = text.includes('-----BEGIN ');
  return {
    name: file.name,
    base64: isTooLarge ? '' : await base64Of(file),
    isPem,
    hasCertificate: !isPem || text.includes('-----BEGIN CERTIFICATE-----'),
    hasKey: !isPem || /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text),
    isEncrypted: !isPem || text.includes('ENCRYPTED'),
    problem: problemOf(file.size),
  };
}

function problemOf(bytes: number): string | undefined {
  if (bytes === 0) return 'O arquivo está vazio.';
  return bytes > CONNECTION_LIMITS.maxCertificateBytes
    ? 'O arquivo tem no máximo 32 KB. Confira se é mesmo o certificado.'
    : undefined;
}
