import { Duplex } from 'node:stream';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { Config } from '../config.ts';

const DAY_MS = 24 * 3_600_000;
/** Renewing one takes the bank days. */
const warnedMs = 30 * DAY_MS;

/** When the certificate ends by which the bank knows us, from PEM or PKCS#12; undefined where there is none. */
export function clientCertificateEnd({ psp }: Pick<Config, 'psp'>): Date | undefined {
  const { cert, pfx, passphrase } = psp.tls ?? {};
  if (cert === undefined && pfx === undefined) return undefined;
  // Node reads no PKCS#12 but into a connection, which here leads nowhere.
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
