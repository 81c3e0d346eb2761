import { Duplex } from 'node:stream';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { Config } from '../config.ts';

const DAY_MS = 24 * 3_600_000;
/** Warning period before expiry: the bank takes days to renew a certificate. */
const warnedMs = 30 * DAY_MS;

/** The expiry date of our client certificate for the bank, from PEM or PKCS#12; undefined without one. */
export function clientCertificateEnd({ psp }: Pick<Config, 'psp'>): Date | undefined {
  const { cert, pfx, passphrase } = psp.tls ?? {};
  if (cert === undefined && pfx === undefined) return undefined;
  // Node parses PKCS#12 only for a connection, so this one is a dummy.
  const nowhere = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  const secureContext = createSecureContext({
    ...(cert && { cert }),
    ...(pfx && { pfx }),
    ...(passphrase && { passphrase }),
  });
  const socket = new TLSSocket(nowhere, { secureContext });
  try {
    return socket.getX509Certificate()?.validToDate;
  } finally {
    socket.destroy();
  }
}

export function endsSoon(end: Date | undefined, now: Date): boolean {
  return end !== undefined && end.getTime() - now.getTime() < warnedMs;
}
