import { randomBytes, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createSecureContext, createServer, type SecureContextOptions } from 'node:tls';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ClientCertificateFiles, makeClientCertificate } from '../../test/client-certificate.ts';
import { makeCostlyKey } from '../../test/costly-key.ts';
import { createSelfSignedCertificate } from '../../test/self-signed.ts';
import { readCertificate, type SentCertificate } from './certificate.ts';

let files: ClientCertificateFiles;
let others: ClientCertificateFiles;
/** A day after openssl made the certificates, whose clock the tests do not move. */
let now: Date;
beforeAll(() => {
  files = makeClientCertificate();
  now = new Date(new X509Certificate(files.cert).validFromDate.getTime() + 86_400_000);
  others = makeClientCertificate({ name: 'Outra Loja' });
});

async function refusalOf(file: SentCertificate, at = now): Promise<string> {
  return readCertificate(file, at).then(
    () => 'read',
    (error: { code?: string; message: string }) => `${error.code} ${error.message}`,
  );
}

describe('a client certificate', () => {
  test('is read from PKCS#12, with and without a password', async () => {
    const { fingerprint256, validToDate } = new X509Certificate(files.cert);
    const shown = { holder: 'Mercearia Capibaribe', fingerprint: fingerprint256, expiresAt: validToDate };
    const { pkcs12: certificate, password } = files;
    const read = await readCertificate({ certificate, password }, now);
    expect(read).toEqual({ ...shown, tls: { cert: expect.any(Buffer), key: expect.any(Buffer) } });
    expect(new X509Certificate(read.tls.cert).fingerprint256).toBe(fingerprint256);
    expect(() => createSecureContext(read.tls)).not.toThrow();
    expect(await readCertificate({ certificate: files.pkcs12WithoutPassword }, now)).toMatchObject(shown);
  });

  test('is read from PKCS#12 with lengths that are not stated beforehand, as programs in Java write it', async () => {
    const { pkcs12, password } = files;
    const read = await readCertificate({ certificate: inPieces(pkcs12), password }, now);
    expect(read.holder).toBe('Mercearia Capibaribe');
  });

  test('makes no server trusted by the certificates of others that are in its file', async () => {
    const impostor = createSelfSignedCertificate('localhost');
    const { pkcs12, cert, key, password } = makeClientCertificate({ authority: impostor.cert });
    const server = createServer(impostor).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const isTrusted = async (tls: SecureContextOptions) => {
      const secureContext = createSecureContext(tls);
      const socket = connect({ host: '127.0.0.1', servername: 'localhost', port, secureContext });
      return once(socket, 'secureConnect')
        .then(
          () => true,
          (error) => error.code,
        )
        .finally(() => socket.destroy());
    };
    expect(await isTrusted({ pfx: pkcs12, passphrase: password })).toBe(true);
    for (const file of [
      { certificate: pkcs12, password },
      { certificate: Buffer.concat([cert, Buffer.from(impostor.cert), key]) },
    ]) {
      const { tls } = await readCertificate(file, now);
      // The chain is sent along, for banks that do not know who issued the certificate.
      expect(String(tls.cert).match(/BEGIN/g)).toHaveLength(2);
      expect(await isTrusted(tls)).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
    }
    server.close();
  });

  test('is read from PEM in one file or two, with an encrypted key, and in DER', async () => {
    const { cert, key, encryptedKey, der, password } = files;
    const sent: SentCertificate[] = [
      { certificate: Buffer.concat([cert, key]) },
      { certificate: Buffer.concat([key, others.cert, cert]) },
      { certificate: cert, key },
      { certificate: key, key: cert },
      { certificate: der, key },
      { certificate: cert, key: encryptedKey, password },
    ];
    for (const file of sent) {
      const { tls, holder } = await readCertificate(file, now);
      expect(holder).toBe('Mercearia Capibaribe');
      // The key is decrypted, and the holder's own certificate is first: TLS takes both as they are.
      expect(() => createSecureContext(tls)).not.toThrow();
      expect(new X509Certificate(tls.cert).subject).toContain('Mercearia Capibaribe');
    }
  });
});

describe('refused, with the reason, is', () => {
  test('a wrong or missing password', async () => {
    const { pkcs12, cert, encryptedKey } = files;
    for (const file of [{ certificate: pkcs12 }, { certificate: cert, key: encryptedKey }]) {
      expect(await refusalOf({ ...file, password: 'outra' })).toContain('A senha do certificado está errada');
      expect(await refusalOf(file)).toContain('está protegido por senha');
    }
  });

  test('a file that lacks the key or the certificate', async () => {
    const { password, cert, key, der, pkcs12WithoutKey, pkcs12WithoutCertificate } = files;
    const withoutKey = [
      { certificate: cert },
      { certificate: der },
      { certificate: pkcs12WithoutKey, password },
    ];
    for (const file of withoutKey) expect(await refusalOf(file)).toContain('Falta a chave privada');
    const withoutCertificate = [{ certificate: key }, { certificate: pkcs12WithoutCertificate, password }];
    for (const file of withoutCertificate) expect(await refusalOf(file)).toContain('mas não o certificado');
  });

  test('a key of another certificate', async () => {
    expect(await refusalOf({ certificate: files.cert, key: others.key })).toContain(
      'não é deste certificado',
    );
  });

  test('one that has expired, or is not valid yet', async () => {
    const file = { certificate: files.cert, key: files.key };
    const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000);
    expect(await refusalOf(file, inDays(366))).toMatch(
      /^CERTIFICATE_INVALID O certificado venceu em \d\d\/\d\d\/\d{4}/,
    );
    expect(await refusalOf(file, inDays(-2))).toContain('ainda não vale');
  });

  test('old encryption, which Node does not read', async () => {
    const { oldPkcs12: certificate, password } = files;
    expect(await refusalOf({ certificate, password })).toContain('criptografia antiga');
  });

  test('what is no certificate', async () => {
    const hostile = [
      Buffer.alloc(0),
      Buffer.from('olá'),
      Buffer.from('\0'.repeat(32_768)),
      randomBytes(32_768),
      files.pkcs12.subarray(0, 300),
      Buffer.from('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'),
      // Nested sequences, deeper than any reader goes.
      Buffer.from('30820400'.repeat(8000), 'hex'),
    ];
    for (const certificate of hostile)
      expect(await refusalOf({ certificate, password: 'x' })).toContain('O arquivo não é um certificado');
    const begins = Buffer.from('-----BEGIN PRIVATE KEY-----\n'.repeat(1200));
    expect(await refusalOf({ certificate: begins })).toContain('não o certificado');
  });

  test('one whose key takes long to sign each connection with', async () => {
    const { cert, key, pkcs12, password } = makeClientCertificate({ key: makeCostlyKey(16_384) });
    for (const file of [
      { certificate: cert, key },
      { certificate: pkcs12, password },
    ])
      expect(await refusalOf(file)).toContain('A chave do certificado é grande demais');
    const usual = makeClientCertificate({ key: makeCostlyKey(4096) });
    expect(await refusalOf({ certificate: usual.pkcs12, password })).toBe('read');
  });

  test('one that takes hours to open, without holding up the gateway', async () => {
    const certificate = withEndlessIterations(files.pkcs12);
    let ticks = 0;
    const ticker = setInterval(() => (ticks += 1), 20);
    const reading = readCertificate({ certificate, password: files.password }, now, { timeoutMs: 2000 });
    await expect(reading).rejects.toMatchObject({
      code: 'CERTIFICATE_INVALID',
      message: expect.stringContaining('leva tempo demais para abrir'),
    });
    clearInterval(ticker);
    expect(ticks).toBeGreaterThan(10);
    // The next one is read as ever.
    expect(await refusalOf({ certificate: files.pkcs12, password: files.password })).toBe('read');
  });
});

/** The same file in the form BER, where nothing tells its length before it ends, and octets come in pieces. */
function inPieces(pkcs12: Buffer): Buffer {
  const [open, end] = [(tag: number) => Buffer.of(tag, 0x80), Buffer.of(0, 0)];
  const [version, dataType] = [pkcs12.subarray(4, 7), pkcs12.subarray(11, 22)];
  // The lengths of what is around the contents are of two bytes each.
  expect([0, 7, 22, 26].map((at) => pkcs12.readUInt16BE(at).toString(16))).toEqual([
    '3082',
    '3082',
    'a082',
    '482',
  ]);
  const contents = pkcs12.subarray(30, 30 + pkcs12.readUInt16BE(28));
  const pieces = [contents.subarray(0, 100), contents.subarray(100)].flatMap((piece) => [
    Buffer.of(0x04, 0x82, piece.length >> 8, piece.length & 0xff),
    piece,
  ]);
  const data = [open(0x30), dataType, open(0xa0), open(0x24), ...pieces, end, end, end];
  return Buffer.concat([open(0x30), version, ...data, pkcs12.subarray(30 + contents.length), end]);
}

/** Raises the number of iterations behind the password of a PKCS#12 file (RFC 7292, MacData) to the largest possible. */
function withEndlessIterations(pkcs12: Buffer): Buffer {
  // The file ends with the number: an INTEGER of two bytes, 2048. It is in two sequences, whose lengths grow with it.
  expect(pkcs12.subarray(-4).toString('hex')).toBe('02020800');
  const macData = pkcs12.length - 67;
  expect(pkcs12.subarray(macData, macData + 2).toString('hex')).toBe('3041');
  const endless = Buffer.concat([pkcs12.subarray(0, -4), Buffer.from('02047fffffff', 'hex')]);
  endless[macData + 1] = 0x43;
  endless.writeUInt16BE(pkcs12.readUInt16BE(2) + 2, 2);
  return endless;
}
