import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { liveState, retryLive } from '../../api/live-state.ts';
import { storeToken } from '../../session/session.ts';

let tickets = 0;
let offersTickets = true;
let accepts = true;
let asked: (string | null)[] = [];
let open: Duplex[] = [];
const sockets = new Set<Duplex>();

const server = createServer((_, response) => {
  tickets += 1;
  if (!offersTickets) response.writeHead(404).end();
  else response.writeHead(200).end(JSON.stringify({ ticket: `ticket-${tickets}` }));
});
server.on('connection', (socket) => sockets.add(socket));
server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
  // The client may be gone before what was written to it is read, which is a reset here and no fault.
  socket.on('error', () => {});
  asked.push(new URL(request.url ?? '', 'http://x').searchParams.get('token'));
  if (!accepts) return socket.destroy();
  const answer = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash('sha1').update(answer).digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  return open.push(socket);
});

/** One unmasked text frame, shorter than 126 bytes (RFC 6455, section 5.2). */
const frame = (text: string) => Buffer.concat([Buffer.from([0x81, text.length]), Buffer.from(text)]);

const page = new EventTarget();
let openLiveChannel: typeof import('./live-channel.ts').openLiveChannel;
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  vi.stubEnv('VITE_API_URL', `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
  vi.stubGlobal('window', page);
  vi.stubGlobal('location', { href: 'http://localhost/' });
  ({ openLiveChannel } = await import('./live-channel.ts'));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  for (const socket of sockets) socket.destroy();
  await new Promise((closed) => server.close(closed));
});
let stop = () => {};
beforeEach(() => {
  tickets = 0;
  offersTickets = true;
  accepts = true;
  asked = [];
  open = [];
  storeToken('the-session');
});
afterEach(() => stop());

const state = () => liveState.getState().state;
/** However busy the machine is. */
const until = (holds: () => void) => vi.waitFor(holds, { timeout: 60_000, interval: 5 });
const quick = { delayMs: 5, goodMs: 10_000 };
function listen(times = quick) {
  const heard: string[] = [];
  const [regained, frozen] = [vi.fn(), vi.fn()];
  const handlers = { onMessage: (text: string) => heard.push(text), onRegained: regained, onFrozen: frozen };
  ({ stop } = openLiveChannel(handlers, times));
  return { heard, regained, frozen };
}

test('each connection brings a ticket of its own, never the session token, and messages come through', async () => {
  const { heard, regained } = listen();
  await until(() => expect(state()).toBe('open'));
  open[0]?.write(frame('{"type":"x"}'));
  await until(() => expect(heard).toEqual(['{"type":"x"}']));
  open[0]?.destroy();
  await until(() => expect(asked).toEqual(['ticket-1', 'ticket-2']));
  await until(() => expect(regained).toHaveBeenCalledOnce());
});

test('lost, it is tried 5 times and is then down; coming back to the page tries again and counts as regained', async () => {
  accepts = false;
  const { regained } = listen();
  await until(() => expect(state()).toBe('down'));
  expect(asked).toHaveLength(6);
  page.dispatchEvent(new Event('online'));
  await until(() => expect(asked).toHaveLength(12));
  await until(() => expect(state()).toBe('down'));
  accepts = true;
  page.dispatchEvent(new Event('focus'));
  await until(() => expect(state()).toBe('open'));
  expect(regained).toHaveBeenCalledOnce();
});

test('down, it is tried again at once when somebody wants it', async () => {
  accepts = false;
  listen();
  await until(() => expect(state()).toBe('down'));
  accepts = true;
  retryLive();
  expect(state()).toBe('connecting');
  await until(() => expect(state()).toBe('open'));
});

test('once stopped it is off, asks for nothing and does not come back', async () => {
  listen();
  await until(() => expect(state()).toBe('open'));
  stop();
  page.dispatchEvent(new Event('focus'));
  await new Promise((passed) => setTimeout(passed, 50));
  expect(state()).toBe('off');
  expect(tickets).toBe(1);
});

test('stopped between two tries it makes no other', async () => {
  accepts = false;
  const delayMs = 1000;
  listen({ ...quick, delayMs });
  await until(() => expect(asked).toHaveLength(1));
  await new Promise((passed) => setTimeout(passed, delayMs / 5));
  stop();
  await new Promise((passed) => setTimeout(passed, delayMs));
  expect(tickets).toBe(1);
});

test('a provider without tickets gets the session token, as specified', async () => {
  offersTickets = false;
  listen();
  await until(() => expect(asked).toEqual(['the-session']));
});

test('closed because the account was frozen it says so, which no other end of it does', async () => {
  const { frozen } = listen({ ...quick, delayMs: 50 });
  await until(() => expect(state()).toBe('open'));
  const goodbye = (code: number) => Buffer.from([0x88, 2, code >> 8, code & 0xff]);
  open[0]?.end(goodbye(4401));
  await until(() => expect(asked).toHaveLength(2));
  expect(frozen).not.toHaveBeenCalled();
  await until(() => expect(state()).toBe('open'));
  open[1]?.end(goodbye(4403));
  await until(() => expect(frozen).toHaveBeenCalledOnce());
});
