import { endpoint, errorEnvelope } from '@jangada/contract';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { machineClock } from '../clock.ts';
import { createDb, createPool } from '../db/pool.ts';
import { Refusal } from '../refusal.ts';
import { createSecrets } from '../secrets.ts';
import { mountRoutes } from './mount.ts';
import { route } from './route.ts';
import { createServer } from './server.ts';

const log = pino({ level: 'silent' });
const refuseCaller = async (): Promise<never> => {
  throw new Refusal('UNAUTHENTICATED');
};
const echo = endpoint({
  name: 'echo',
  method: 'POST',
  path: '/echo',
  access: 'public',
  tag: 'Test',
  summary: 'Answers what it was asked.',
  body: z.object({ amount: z.number(), callback_url: z.optional(z.string()) }),
  aliases: { callbackUrl: 'callback_url' },
  response: z.object({ asked: z.unknown() }),
  refusals: [],
});

const server = createServer({
  config: { publicUrl: 'http://localhost', noticesUrl: 'http://localhost', corsOrigins: [], trustProxy: [] },
  log,
  contentSecurityPolicy: "default-src 'self'",
});
const sendBody = (payload: string | Buffer) =>
  server.inject({
    method: 'POST',
    url: '/api/echo',
    payload,
    headers: { host: 'localhost', 'content-type': 'application/json' },
  });

beforeAll(async () => {
  mountRoutes(server, [route(echo, async ({ body }) => ({ asked: body }))], {
    // These routes need no database.
    db: createDb(createPool({ url: 'postgres://nobody@127.0.0.1:1/none' })),
    clock: machineClock,
    log,
    secrets: createSecrets(Buffer.alloc(32, 3)),
    authentication: { identifyBySession: refuseCaller, identifyByApiKey: refuseCaller },
    rateLimit: 0,
  });
  await server.ready();
});
afterAll(() => server.close());

const nestedLists = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const beyondBoundsMessage = 'Há campos demais, ou campos demais uns dentro dos outros.';
const unstorableMessage = (field: string) => `O campo ${field} tem um caractere que não pode ser guardado.`;

test.each([
  ['broken JSON', '{"amount":', 'O corpo não é um JSON válido.'],
  ['a list', '[]', 'O corpo deve ser um objeto.'],
  ['Latin-1', Buffer.from('{"amount":1,"x":"Algodão"}', 'latin1'), 'O corpo não está em UTF-8.'],
  ['endless nesting', `{"amount":1,"x":${nestedLists(20_000)}}`, beyondBoundsMessage],
  ['a list without end', `{"amount":1,"x":[${'0,'.repeat(20_000)}0]}`, beyondBoundsMessage],
  [
    'nesting in two names',
    `{"callback_url":${nestedLists(9_000)},"callbackUrl":${nestedLists(9_000)}}`,
    beyondBoundsMessage,
  ],
  ['a NUL', '{"amount":1,"callback_url":"a\\u0000b"}', unstorableMessage('callback_url')],
  ['half a character', '{"amount":1,"x":{"y":["\\ud800"]}}', unstorableMessage('x.y.0')],
  ['half a character in a name', '{"amount":1,"x":{"\\udc00":1}}', unstorableMessage('x')],
])('a body with %s is refused with that reason', async (_name, body, message) => {
  const answer = await sendBody(body);
  expect(answer.statusCode).toBe(400);
  expect(errorEnvelope.parse(answer.json()).error).toMatchObject({ code: 'INVALID_BODY', message });
});

test('a character beyond the BMP and an escaped \\u0000 are stored unchanged', async () => {
  const callback_url = '😀\\u0000';
  const answer = await sendBody(JSON.stringify({ amount: 1, callback_url }));
  expect(answer.json()).toEqual({ asked: { amount: 1, callback_url } });
});
