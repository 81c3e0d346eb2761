import type { X509Certificate } from 'node:crypto';
import { Duplex } from 'node:stream';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { Config, PspConfig } from './config.ts';

const DAY_MS = 24 * 3_600_000;
/** The operator is warned this long before the certificate expires, because the bank takes days to renew it. */
const warningPeriodMs = 30 * DAY_MS;

/** Returns the expiry date of our client certificate for the bank (PEM or PKCS#12); undefined without a certificate. */
export function readClientCertificateExpiry({ psp }: Pick<Config, 'psp'>): Date | undefined {
  return readClientCertificate(psp.tls)?.validToDate;
}

/**
 * Returns a client certificate (PEM or PKCS#12); undefined without one. Throws an error of OpenSSL if it cannot be read,
 * or if its key does not belong to it.
 */
export function readClientCertificate(tls: PspConfig['tls']): X509Certificate | undefined {
  const { cert, key, pfx, passphrase } = tls ?? {};
  if (cert === undefined && pfx === undefined) return undefined;
  // Node parses PKCS#12 only for a connection, so this prepares a connection that leads nowhere.
  const dummyStream = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  const secureContext = createSecureContext({
    ...(cert && { cert }),
    ...(key && { key }),
    ...(pfx && { pfx }),
    ...(passphrase && { passphrase }),
  });
  const socket = new TLSSocket(dummyStream, { secureContext });
  try {
    return socket.getX509Certificate();
  } finally {
    socket.destroy();
  }
}

export function expiresSoon(expiresAt: Date | undefined, now: Date): boolean {
  return expiresAt !== undefined && expiresAt.getTime() - now.getTime() < warningPeriodMs;
}
