import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { liveStore, retryLive } from '../../api/live-state.ts';
import { storeToken } from '../../session/session.ts';

let tickets = 0;
let offersTickets = true;
let acceptsConnections = true;
/** The token of each connection that was tried. */
let tokens: (string | null)[] = [];
let openSockets: Duplex[] = [];
const sockets = new Set<Duplex>();

/** Stands in for the gateway: hands out tickets, and accepts or refuses WebSocket connections. */
const server = createServer((_, response) => {
  tickets += 1;
  if (!offersTickets) response.writeHead(404).end();
  else response.writeHead(200).end(JSON.stringify({ ticket: `ticket-${tickets}` }));
});
server.on('connection', (socket) => sockets.add(socket));
server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
  // The client may be gone before it has read everything, which resets the connection and is no fault.
  socket.on('error', () => {});
  tokens.push(new URL(request.url ?? '', 'http://x').searchParams.get('token'));
  if (!acceptsConnections) return socket.destroy();
  const keyAndGuid = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash('sha1').update(keyAndGuid).digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  return openSockets.push(socket);
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
  acceptsConnections = true;
  tokens = [];
  openSockets = [];
  storeToken('the-session');
});
afterEach(() => stop());

const state = () => liveStore.getState().state;
/** Waits for a condition, long enough for a busy machine. */
const waitUntil = (condition: () => void) => vi.waitFor(condition, { timeout: 60_000, interval: 5 });
const quickTimes = { delayMs: 5, stableMs: 10_000 };
function listen(times = quickTimes) {
  const received: string[] = [];
  const [regained, frozen] = [vi.fn(), vi.fn()];
  const handlers = {
    onMessage: (text: string) => received.push(text),
    onReconnected: regained,
    onFrozen: frozen,
  };
  ({ stop } = openLiveChannel(handlers, times));
  return { received, regained, frozen };
}

test('each connection sends a new ticket, never the session token, and messages arrive', async () => {
  const { received, regained } = listen();
  await waitUntil(() => expect(state()).toBe('open'));
  openSockets[0]?.write(frame('{"type":"x"}'));
  await waitUntil(() => expect(received).toEqual(['{"type":"x"}']));
  openSockets[0]?.destroy();
  await waitUntil(() => expect(tokens).toEqual(['ticket-1', 'ticket-2']));
  await waitUntil(() => expect(regained).toHaveBeenCalledOnce());
});

test('a lost channel retries 5 times and is then down; returning to the page retries and counts as regained', async () => {
  acceptsConnections = false;
  const { regained } = listen();
  await waitUntil(() => expect(state()).toBe('down'));
  expect(tokens).toHaveLength(6);
  page.dispatchEvent(new Event('online'));
  await waitUntil(() => expect(tokens).toHaveLength(12));
  await waitUntil(() => expect(state()).toBe('down'));
  acceptsConnections = true;
  page.dispatchEvent(new Event('focus'));
  await waitUntil(() => expect(state()).toBe('open'));
  expect(regained).toHaveBeenCalledOnce();
});

test('a channel that is down retries immediately when the user presses retry', async () => {
  acceptsConnections = false;
  listen();
  await waitUntil(() => expect(state()).toBe('down'));
  acceptsConnections = true;
  retryLive();
  expect(state()).toBe('connecting');
  await waitUntil(() => expect(state()).toBe('open'));
});

test('a stopped channel is off, sends no calls and does not reconnect', async () => {
  listen();
  await waitUntil(() => expect(state()).toBe('open'));
  stop();
  page.dispatchEvent(new Event('focus'));
  await new Promise((passed) => setTimeout(passed, 50));
  expect(state()).toBe('off');
  expect(tickets).toBe(1);
});

test('a channel stopped between two retries makes no further one', async () => {
  acceptsConnections = false;
  const delayMs = 1000;
  listen({ ...quickTimes, delayMs });
  await waitUntil(() => expect(tokens).toHaveLength(1));
  await new Promise((passed) => setTimeout(passed, delayMs / 5));
  stop();
  await new Promise((passed) => setTimeout(passed, delayMs));
  expect(tickets).toBe(1);
});

test('a provider without tickets gets the session token, as specified', async () => {
  offersTickets = false;
  listen();
  await waitUntil(() => expect(tokens).toEqual(['the-session']));
});

test('only a channel closed because the account was frozen reports that', async () => {
  const { frozen } = listen({ ...quickTimes, delayMs: 50 });
  await waitUntil(() => expect(state()).toBe('open'));
  const closeFrame = (code: number) => Buffer.from([0x88, 2, code >> 8, code & 0xff]);
  openSockets[0]?.end(closeFrame(4401));
  await waitUntil(() => expect(tokens).toHaveLength(2));
  expect(frozen).not.toHaveBeenCalled();
  await waitUntil(() => expect(state()).toBe('open'));
  openSockets[1]?.end(closeFrame(4403));
  await waitUntil(() => expect(frozen).toHaveBeenCalledOnce());
});
