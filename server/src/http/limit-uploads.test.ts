import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownCaller } from '../../test/caller.ts';
import { sendError } from './error-response.ts';
import { createUploadLimit } from './limit-uploads.ts';

let server: FastifyInstance;
const senders: Socket[] = [];

beforeEach(async () => {
  server = Fastify({ trustProxy: true });
  server.setErrorHandler(sendError);
  server.decorateRequest('caller', undefined);
  const takeSlot = createUploadLimit(server, 2);
  server.post('/', {
    onRequest: async (request, reply) => {
      const userId = Number(request.headers['x-user']);
      const approved = request.headers['x-approved'] !== 'no';
      request.caller = ownCaller(userId, { approved });
      takeSlot(request, reply);
    },
    handler: async (_request, reply) => reply.code(201).send({}),
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  for (const sender of senders.splice(0)) sender.destroy();
  await server.close();
});

const body = JSON.stringify({ file: 'x'.repeat(300_000) });

/** Sends the first bytes of an upload. Returns its socket, and the first line of the response. */
function beginUpload(
  userId: number,
  { approved = true, from = '10.0.0.1' } = {},
): { readonly socket: Socket; readonly answer: Promise<string> } {
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  senders.push(socket.on('error', () => {}));
  socket.write(
    `POST / HTTP/1.1\r\nhost: localhost\r\nx-user: ${userId}\r\nx-forwarded-for: ${from}\r\n` +
      `x-approved: ${approved ? 'yes' : 'no'}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
  );
  return { socket, answer: once(socket, 'data').then(([data]) => String(data).slice(0, 12)) };
}

/** Uploads a whole file as one more caller, and returns the status. */
async function tryUpload(options: Parameters<typeof beginUpload>[1] = {}): Promise<number> {
  const { socket, answer } = beginUpload(9, options);
  socket.end(body.slice(10));
  return Number((await answer).slice(-3));
}

test('without free slots a stalled upload is ended, and a progressing one is accepted', async () => {
  const [steady, stalled] = [beginUpload(1), beginUpload(2)];
  await expect.poll(() => tryUpload()).toBe(503);
  const send = async () => {
    for (let sent = 10; sent < body.length; sent += 20_000) {
      steady.socket.write(body.slice(sent, sent + 20_000));
      await pause(300);
    }
  };
  await Promise.all([send(), expect.poll(() => tryUpload()).toBe(201)]);
  expect(await steady.answer).toBe('HTTP/1.1 201');
  expect(await stalled.answer).toBe('HTTP/1.1 408');
});

test('a stalled upload keeps its slot while others are free', async () => {
  const stalled = beginUpload(1);
  await expect.poll(() => tryUpload()).toBe(201);
  await pause(3500);
  expect(await tryUpload()).toBe(201);
  stalled.socket.write(body.slice(10));
  expect(await stalled.answer).toBe('HTTP/1.1 201');
});

/** Sends the body at a steady pace until the response. */
async function sendSteadily({ socket, answer }: ReturnType<typeof beginUpload>): Promise<string> {
  let sent = 10;
  const timer = setInterval(() => {
    socket.write(body.slice(sent, sent + 500));
    sent += 500;
  }, 20);
  return answer.finally(() => clearInterval(timer));
}

test('accounts that are not approved give way to one that is, and never the other way round', async () => {
  const unapproved = [beginUpload(1, { approved: false }), beginUpload(2, { approved: false })];
  const answersOfUnapproved = unapproved.map(sendSteadily);
  await pause(200);
  expect(await tryUpload({ approved: false })).toBe(503);
  expect(await tryUpload()).toBe(201);
  expect(await answersOfUnapproved[0]).toBe('HTTP/1.1 408');
});

test('one network that has all slots loses one to another network', async () => {
  const answersOfNetwork = [beginUpload(1), beginUpload(2)].map(sendSteadily);
  await pause(200);
  expect(await tryUpload()).toBe(503);
  expect(await tryUpload({ from: '10.0.0.2', approved: false })).toBe(503);
  expect(await tryUpload({ from: '10.0.0.2' })).toBe(201);
  expect(await answersOfNetwork[0]).toBe('HTTP/1.1 408');
});
