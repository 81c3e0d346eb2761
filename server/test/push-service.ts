import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ignoreAbortedRequests } from './ignore-aborted-requests.ts';

export type ReceivedPush = {
  readonly headers: IncomingHttpHeaders;
  /** The decrypted message on the device. */
  readonly message: Record<string, unknown>;
  /** The gateway's claims, verified with the subscription's key. */
  readonly vapid: { readonly aud: string; readonly exp: number; readonly sub: string };
};

/** A browser's subscription at the push service. */
export type PushDevice = {
  /** The subscription, in the form in which a browser sends it to the gateway. */
  readonly token: string;
  readonly received: ReceivedPush[];
  /** The status with which the service responds to messages for this device from now on. */
  answer: number;
  /** Returns the number of calls for this device, whatever their response. */
  readonly calls: () => number;
};

export type PushService = {
  readonly url: string;
  /** Subscribes a device, which accepts only messages from the sender with the key `applicationServerKey`. */
  subscribe(applicationServerKey: string): PushDevice;
  close(): Promise<void>;
};

type Subscribed = { readonly device: PushDevice; readonly call: () => void; readonly open: Opener };
type Opener = (headers: IncomingHttpHeaders, body: Buffer) => ReceivedPush;

/**
 * A push service (RFC 8030) and the browsers behind it: decrypts messages, and refuses a message that it cannot
 * decrypt.
 */
export async function startPushService(): Promise<PushService> {
  const subscribed = new Map<string, Subscribed>();
  const server = createServer(
    ignoreAbortedRequests(async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      const found = subscribed.get(request.url ?? '');
      if (found === undefined) return response.writeHead(404).end();
      found.call();
      const { device, open } = found;
      if (device.answer >= 300) return response.writeHead(device.answer).end();
      try {
        device.received.push(open(request.headers, body));
        return response.writeHead(device.answer).end();
      } catch (error) {
        return response.writeHead(400).end(String(error));
      }
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    subscribe(applicationServerKey) {
      const path = `/push/${randomBytes(16).toString('base64url')}`;
      const pair = createECDH('prime256v1');
      const keys = { p256dh: pair.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') };
      let calls = 0;
      const device: PushDevice = {
        token: JSON.stringify({ endpoint: url + path, expirationTime: null, keys }),
        received: [],
        answer: 201,
        calls: () => calls,
      };
      subscribed.set(path, {
        device,
        call: () => {
          calls += 1;
        },
        open: (headers, body) => ({
          headers,
          message: JSON.parse(decipher(pair, keys.auth, body)),
          vapid: verified(String(headers.authorization), applicationServerKey),
        }),
      });
      return device;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Decrypts a message for Web Push (RFC 8291), which is a single record of aes128gcm (RFC 8188). */
function decipher(pair: ECDH, auth: string, body: Buffer): string {
  const salt = body.subarray(0, 16);
  const senderKey = body.subarray(21, 21 + body.readUInt8(20));
  const secret = pair.computeSecret(senderKey);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), senderKey]);
  const ikm = Buffer.from(hkdfSync('sha256', secret, Buffer.from(auth, 'base64url'), info, 32));
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', ikm, salt, `Content-Encoding: ${name}\0`, length));
  const record = body.subarray(21 + senderKey.length);
  const opened = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  opened.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([opened.update(record.subarray(0, -16)), opened.final()]);
  // In the last record, a byte 2 and then zeros as padding follow the text.
  return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8');
}

/**
 * Verifies VAPID (RFC 8292): a JWT signed with ES256 by the key that the device subscribed with. Returns its claims.
 */
function verified(authorization: string, applicationServerKey: string): ReceivedPush['vapid'] {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  if (key !== applicationServerKey) throw new Error('another application server');
  const [header = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const publicKey = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  const signed = Buffer.from(`${header}.${claims}`);
  const isGenuine = verify(
    'sha256',
    signed,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isGenuine) throw new Error('the signature is wrong');
  return JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
}
