import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import websocket from '@fastify/websocket';
import { endpoint } from '@jangada/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { request as send } from 'undici';
import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ownCaller } from '../../test/caller.ts';
import { createSelfSignedCertificate } from '../../test/self-signed.ts';
import { machineClock } from '../clock.ts';
import { createDb, createPool } from '../db/pool.ts';
import { serveApiDocuments } from '../openapi/index.ts';
import { createSecrets } from '../secrets.ts';
import { FileResponse } from './file-response.ts';
import { mountRoutes } from './mount.ts';
import { route } from './route.ts';
import { createServer } from './server.ts';
import { endStalledWrites, writeInPieces } from './stalled-writes.ts';

// A client that requests much and reads nothing must occupy no slot, and its connection must be ended.

const log = pino({ level: 'silent' });
// These routes have no idempotency, and need no database.
const db = createDb(createPool({ url: 'postgres://nobody@127.0.0.1:1/none' }));
/** More than fits into the socket buffers of both ends. */
const largeText = 'x'.repeat(24 * 1024 * 1024);
const largeBuffer = Buffer.from(largeText);

const cleanUps: (() => Promise<unknown> | undefined)[] = [];
afterEach(async () => {
  for (const close of cleanUps.splice(0).reverse()) await close();
});

const commonFields = { method: 'GET', access: 'public', tag: 'Test', refusals: [] } as const;
const textResponse = { response: z.object({ text: z.string() }) };
const longEndpoint = endpoint({
  ...commonFields,
  ...textResponse,
  name: 'long',
  path: '/long',
  summary: 'Answers much.',
});
const shortEndpoint = endpoint({
  ...commonFields,
  ...textResponse,
  name: 'short',
  path: '/short',
  summary: 'Answers little.',
});
const waitingEndpoint = endpoint({
  ...commonFields,
  ...textResponse,
  name: 'held',
  path: '/held',
  summary: 'Answers when told.',
});
const uploadEndpoint = endpoint({
  ...commonFields,
  name: 'taken',
  path: '/taken',
  method: 'POST',
  access: 'session',
  permission: 'own',
  summary: 'Takes much.',
  body: z.object({ text: z.string() }),
  maxBodyBytes: 1_000_000,
  response: z.object({ length: z.int() }),
});
const fileEndpoint = endpoint({
  ...commonFields,
  name: 'file',
  path: '/file',
  summary: 'Answers a file.',
  file: ['text/csv; charset=utf-8'],
  response: z.unknown(),
});

const caller = ownCaller(7);

/** Starts a server with one slot of each kind. `sendRequests` opens a connection that does not read the responses. */
async function start({ stalledMs }: { stalledMs?: number } = {}) {
  const server = createServer({
    config: {
      publicUrl: 'http://pay.example.com',
      noticesUrl: 'https://pix.example.com',
      corsOrigins: [],
      trustProxy: [],
    },
    log,
    contentSecurityPolicy: "default-src 'self'",
    inFlight: { calls: 1, notices: 1, pages: 1 },
    ...(stalledMs !== undefined && { stalledMs }),
  });
  const sockets = trackSockets(server.server);
  const waitUntilUnread = () => expect.poll(() => countUnread(sockets)).toBe(1);
  const openFiles = { count: 0 };
  const printedResponses = { count: 0 };
  const gate = Promise.withResolvers<void>();
  await server.register(websocket);
  server.get('/pagar/:id', (_, reply) => reply.type('text/html').send(largeText));
  server.get('/pagar/:id/status', async () => ({}));
  server.get('/printed', (_, reply) => {
    printedResponses.count += 1;
    return reply.send(largeBuffer);
  });
  server.post('/psp/sandbox/secret/pix', (_, reply) => reply.send(Buffer.from(largeText)));
  server.post('/psp/sandbox/secret/rec', async () => ({}));
  server.register(async (scope) => {
    scope.get('/live', { websocket: true }, (socket) => socket.send(largeText));
  });
  serveApiDocuments(server, { version: '1.0.0', publicUrl: 'http://pay.example.com' });
  const routes = [
    route(longEndpoint, async () => ({ text: largeText })),
    route(shortEndpoint, async () => ({ text: 'x' })),
    route(waitingEndpoint, async () => {
      await gate.promise;
      return { text: 'x' };
    }),
    route(uploadEndpoint, async ({ body }) => ({ length: body.text.length })),
    route(fileEndpoint, async () => {
      openFiles.count += 1;
      const content = (async function* () {
        yield largeText;
      })();
      const onEnd = () => {
        openFiles.count -= 1;
      };
      return new FileResponse({ contentType: 'text/csv; charset=utf-8', fileName: 'a.csv', content, onEnd });
    }),
  ];
  const authentication = { identifyBySession: async () => caller, identifyByApiKey: async () => caller };
  const secrets = createSecrets(Buffer.alloc(32, 3));
  mountRoutes(server, routes, { db, clock: machineClock, log, secrets, authentication, rateLimit: 0 });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  cleanUps.push(() => server.close());
  const sendRequests = (...heads: string[]) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    cleanUps.push(async () => socket.destroy());
    socket.on('error', () => {}).pause();
    socket.write(heads.map((head) => `${head} HTTP/1.1\r\nhost: localhost\r\n\r\n`).join(''));
    return socket;
  };
  const status = async (path: string, method: 'GET' | 'POST' = 'GET') => {
    const { statusCode, body } = await send(`${url}${path}`, { method });
    await body.dump();
    return statusCode;
  };
  return { server, url, sendRequests, status, openFiles, printedResponses, gate, waitUntilUnread };
}

/** Counts the connections that are open at the server. */
function countOpenSockets(server: FastifyInstance | { server: Server }): Promise<number> {
  return new Promise((resolve, reject) =>
    server.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}

/** Returns a set that contains the open sockets of the server, from now on. */
function trackSockets(server: Server): Set<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

/** Counts the sockets whose client has not read everything that was written to it. */
function countUnread(sockets: ReadonlySet<Socket>): number {
  return [...sockets].filter(({ writableLength }) => writableLength > 0).length;
}

describe('an unread response', () => {
  test.each([
    ['a call', 'GET /api/long', '/api/short', 'GET'],
    ['a file', 'GET /api/file', '/api/short', 'GET'],
    ['a page of payers', 'GET /pagar/1', '/pagar/1/status', 'GET'],
    ['a notice', 'POST /psp/sandbox/secret/pix', '/psp/sandbox/secret/rec', 'POST'],
  ] as const)('to %s uses no slot that others need', async (_, head, path, method) => {
    const { sendRequests, status, waitUntilUnread } = await start();
    sendRequests(head);
    await waitUntilUnread();
    expect(await status(path, method)).toBe(200);
  });

  test('uses no slot of large bodies either', async () => {
    const { sendRequests, url, waitUntilUnread } = await start();
    const socket = sendRequests('GET /api/long');
    const body = JSON.stringify({ text: 'x' });
    const head = `authorization: Bearer user\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
    socket.write(`POST /api/taken HTTP/1.1\r\nhost: localhost\r\n${head}\r\n\r\n${body}`);
    await waitUntilUnread();
    const headers = { authorization: 'Bearer user', 'content-type': 'application/json' };
    const { statusCode } = await send(`${url}/api/taken`, { method: 'POST', headers, body });
    expect(statusCode).toBe(200);
  });

  test.each(['GET /api/long', 'GET /api/file', 'GET /pagar/1', 'POST /psp/sandbox/secret/pix'])(
    'to %s is ended',
    async (head) => {
      const { server, sendRequests, openFiles, waitUntilUnread } = await start({ stalledMs: 500 });
      sendRequests(head);
      await waitUntilUnread();
      await expect.poll(() => countOpenSockets(server)).toBe(0);
      await expect.poll(() => openFiles.count).toBe(0);
    },
  );

  test('is ended even if more requests follow, and so is a queued file', async () => {
    const { server, sendRequests, openFiles, waitUntilUnread } = await start({ stalledMs: 500 });
    const socket = sendRequests('GET /pagar/1', 'GET /api/file');
    const requestTimer = setInterval(
      () => socket.writable && socket.write('GET /api/short HTTP/1.1\r\nhost: localhost\r\n\r\n'),
      50,
    );
    cleanUps.push(async () => clearInterval(requestTimer));
    await waitUntilUnread();
    await expect.poll(() => countOpenSockets(server)).toBe(0);
    await expect.poll(() => openFiles.count).toBe(0);
  });

  test('on an open WebSocket ends the channel', async () => {
    const { server, sendRequests, waitUntilUnread } = await start({ stalledMs: 500 });
    const upgrade = 'upgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-version: 13';
    const socket = sendRequests();
    const key = Buffer.alloc(16, 1).toString('base64');
    socket.write(`GET /live HTTP/1.1\r\nhost: localhost\r\n${upgrade}\r\nsec-websocket-key: ${key}\r\n\r\n`);
    await waitUntilUnread();
    await expect.poll(() => countOpenSockets(server)).toBe(0);
  });

  test('is ended under TLS too', async () => {
    const pem = createSelfSignedCertificate('localhost');
    const server = createTlsServer(pem, (_, response) => {
      for (let start = 0; start < largeText.length; start += 65_536)
        response.write(largeText.slice(start, start + 65_536));
      response.end();
    });
    endStalledWrites(server, 500);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanUps.push(async () => server.close());
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const socket = connectTls({ port, host: '127.0.0.1', ca: pem.cert, servername: 'localhost' });
    cleanUps.push(async () => socket.destroy());
    socket.on('error', () => {}).pause();
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await expect.poll(() => countOpenSockets({ server })).toBe(1);
    await expect.poll(() => countOpenSockets({ server })).toBe(0);
  });

  test('is not a response that is read slowly, which is sent to its end', async () => {
    const { sendRequests } = await start({ stalledMs: 500 });
    const socket = sendRequests('GET /api/long');
    let readBytes = 0;
    while (readBytes < largeText.length) {
      const piece: Buffer | null = socket.read();
      readBytes += piece?.length ?? 0;
      if (piece === null) await once(socket, 'readable');
      // In total slower than the stall limit.
      if (readBytes % 2_000_000 < (piece?.length ?? 0)) await pause(100);
    }
    expect(readBytes).toBeGreaterThan(largeText.length);
  });
});

test('an aborted call keeps its slot until its work is done, and no longer', async () => {
  const { sendRequests, status, gate, waitUntilUnread } = await start();
  const socket = sendRequests('GET /pagar/1', 'GET /api/held');
  await waitUntilUnread();
  await expect.poll(() => status('/api/short')).toBe(503);
  socket.destroy();
  await once(socket, 'close');
  expect(await status('/api/short')).toBe(503);
  gate.resolve();
  await expect.poll(() => status('/api/short')).toBe(200);
});

test('the OpenAPI document is served while all call slots are in use', async () => {
  const { sendRequests, status, gate } = await start();
  sendRequests('GET /api/held');
  await expect.poll(() => status('/api/short')).toBe(503);
  expect(await status('/api/openapi.json')).toBe(200);
  gate.resolve();
});

test('a long response is written in pieces that share the memory of the whole', async () => {
  const server = Fastify();
  const written: Buffer[] = [];
  writeInPieces(server);
  server.addHook<Readable>('onSend', async (_request, _reply, payload) => {
    payload.on('data', (piece: Buffer) => written.push(piece));
    return payload;
  });
  server.get('/printed', (_, reply) => reply.send(largeBuffer));
  const { rawPayload } = await server.inject('/printed');
  expect(rawPayload.equals(largeBuffer)).toBe(true);
  expect(written.every(({ buffer }) => buffer === largeBuffer.buffer)).toBe(true);
});

test('a connection that pipelines without reading is ended after a limited number of requests', async () => {
  const { server, sendRequests, status, printedResponses } = await start();
  sendRequests(...Array.from({ length: 200 }, () => 'GET /printed'));
  await expect.poll(() => printedResponses.count).toBe(32);
  await expect.poll(() => countOpenSockets(server)).toBe(0);
  expect(await status('/printed')).toBe(200);
});

test('a connection that reads its responses can make any number of calls', async () => {
  const { sendRequests } = await start();
  const socket = sendRequests();
  for (let call = 0; call < 100; call += 1) {
    socket.write('GET /api/short HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await once(socket, 'readable');
    expect(String(socket.read())).toMatch(/^HTTP\/1.1 200 /);
  }
});
