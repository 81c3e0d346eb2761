import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSelfSignedCertificate } from '../../test/self-signed.ts';
import { openDatabase } from './open-database.ts';
import { createPool } from './pool.ts';

const SSL_REQUEST = 80_877_103;
const certificate = createSelfSignedCertificate('localhost');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jangada-tls-'));
  writeFileSync(join(folder, 'ca.pem'), certificate.cert);
});
afterAll(() => rm(folder, { recursive: true }));

/**
 * Connects to a fake PostgreSQL and returns whether the client's first message came with or without TLS, or else the
 * error. The server refuses every connection, because the database is unknown.
 */
async function readFirstMessage(host: string, query: string, speaksTls = true): Promise<string> {
  let encryption = 'no message';
  const errorFields = Buffer.from('SFATAL\0C3D000\0Mno such database\0\0');
  const refusal = Buffer.concat([Buffer.of(0x45, 0, 0, 0, errorFields.length + 4), errorFields]);
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (first) => {
      if (first.readInt32BE(4) !== SSL_REQUEST) {
        encryption = 'in the open';
        return socket.end(refusal);
      }
      if (!speaksTls) return socket.write('N');
      socket.write('S');
      const secureContext = createSecureContext({ cert: certificate.cert, key: certificate.key });
      const tlsSocket = new TLSSocket(socket, { isServer: true, secureContext });
      tlsSocket.on('error', () => {});
      return tlsSocket.once('data', () => {
        encryption = 'under TLS';
        tlsSocket.end(refusal);
      });
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const pool = createPool({ url: `postgres://a:b@${host}:${port}/c${query}` });
  const reason = await pool.query('select 1').then(String, (error: Error) => error.message);
  await pool.end();
  server.close();
  return /no such database/.test(reason) ? encryption : reason;
}

test.each(['verify-full', 'require', 'verify-ca', 'prefer'])(
  'sslmode=%s in a database’s URL requires TLS and a verified certificate for its host name',
  async (mode) => {
    const options = `?sslmode=${mode}&sslrootcert=${encodeURIComponent(join(folder, 'ca.pem'))}`;
    expect(await readFirstMessage('localhost', options)).toBe('under TLS');
    expect(await readFirstMessage('127.0.0.1', options)).toMatch(/IP: 127\.0\.0\.1 is not in the cert/);
    expect(await readFirstMessage('localhost', `?sslmode=${mode}`)).toMatch(/self-signed certificate/);
    expect(await readFirstMessage('localhost', options, false)).toMatch(/does not support SSL/);
  },
);

test('without sslmode, or with sslmode=disable, the connection is unencrypted; no-verify accepts any certificate', async () => {
  expect(await readFirstMessage('localhost', '')).toBe('in the open');
  expect(await readFirstMessage('localhost', '?sslmode=disable')).toBe('in the open');
  expect(await readFirstMessage('localhost', '?sslmode=no-verify')).toBe('under TLS');
});

test('missing certificate authorities stop the start with a line that names the setting', async () => {
  const databaseUrl = `postgres://a:b@localhost/c?sslmode=verify-full&sslrootcert=${encodeURIComponent(join(folder, 'none.pem'))}`;
  await expect(
    openDatabase({ databaseUrl, migrationDatabaseUrl: undefined, dataDir: folder }),
  ).rejects.toThrow(/^DATABASE_URL aponta para um PostgreSQL que não atende: ENOENT/);
});
