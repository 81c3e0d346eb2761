import { once } from 'node:events';
import { connect } from 'node:net';
import { type ErrorCode, errorEnvelope, errors } from '@jangada/contract';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServer } from './server.ts';

const publicUrl = 'http://localhost:3000';
let server: FastifyInstance;
let port: number;
beforeAll(async () => {
  server = createServer({
    config: { publicUrl, noticesUrl: publicUrl, corsOrigins: [], trustProxy: [] },
    log: pino({ level: 'silent' }),
    contentSecurityPolicy: "default-src 'none'",
    requestTimeoutMs: 1000,
  });
  port = Number(new URL(await server.listen({ host: '127.0.0.1', port: 0 })).port);
});
afterAll(() => server.close());

/** The response to raw bytes, until the connection ends. */
async function sendRaw(request: string): Promise<{ head: string; body: string }> {
  const socket = connect(port, '127.0.0.1');
  socket.write(request);
  const answer = Buffer.concat(await socket.toArray()).toString();
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { head, body };
}

const unreadable: readonly (readonly [what: string, request: string, code: ErrorCode])[] = [
  ['an unknown method', 'FOO /api/login HTTP/1.1\r\n\r\n', 'METHOD_NOT_ALLOWED'],
  ['a request that is not HTTP', 'GET /api/login HTCPCP/1.0\r\n\r\n', 'INVALID_BODY'],
  ['endless headers', `GET /api/login HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 'BODY_TOO_LARGE'],
];

test.each(unreadable)('%s is refused in the error envelope', async (_, request, code) => {
  const { head, body } = await sendRaw(request);
  const { error, requestId } = errorEnvelope.parse(JSON.parse(body));
  expect(error.code).toBe(code);
  expect(head).toContain(`HTTP/1.1 ${errors[code].status} `);
  expect(head).toContain(`x-request-id: ${requestId}`);
});

test('incomplete headers time out', async () => {
  const { head, body } = await sendRaw('GET /api/login HTTP/1.1\r\nhost: localhost\r\n');
  expect([head.split('\r\n')[0], body]).toEqual(['HTTP/1.1 408 Request Timeout', '']);
});

test('a disconnected caller gets no response, and does no harm', async () => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write('FOO /');
  socket.resetAndDestroy();
  expect((await fetch(`http://localhost:${port}/api/none`)).status).toBe(404);
});
