import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { liveMessage } from '@jangada/contract';
import { sql } from 'kysely';
import { pino } from 'pino';
import { request } from 'undici';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type TestDatabase, testDatabase } from '../../test/database.ts';
import { givenPerson, type Person } from '../../test/people.ts';
import { shiftedClock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { GuessLimit } from '../http/guess-limit.ts';
import { networkOf } from '../http/network-of.ts';
import { createServer } from '../http/server.ts';
import {
  ENDED_SESSIONS_CHANNEL,
  findLiveSessions,
  isLiveToken,
  issueLiveTicket,
  redeemLiveTicket,
  signOut,
} from '../identity/index.ts';
import { ANNOUNCEMENTS_CHANNEL, createListener, createOutbox, writeMessages } from '../outbox/index.ts';
import { Refusal } from '../refusal.ts';
import {
  type LiveChannelOptions,
  type LiveOwner,
  mountLiveChannel,
  type NewNotification,
  saveNotifications,
} from './index.ts';

const config = readConfig({ CORS_ORIGINS: 'https://painel.example' });
const clock = shiftedClock();
let database: TestDatabase;
let db: Db;
const deps = () => ({ db, clock, config });
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await testDatabase();
  db = createDb(createPool({ url: database.appUrl }));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

type WebProcess = { readonly port: number; readonly log: string[]; stop(): Promise<void> };

/** A web process, as far as the live channel is concerned. */
async function webProcess(
  options: Partial<LiveChannelOptions> = {},
  settings: { trustProxy?: string[] } = {},
): Promise<WebProcess> {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
  const server = createServer({ config: { ...config, ...settings }, log, contentSecurityPolicy: '' });
  const live = await mountLiveChannel(server, {
    log,
    listener: createListener({ url: database.appUrl, log }),
    redeem: async (token) => {
      const { userId, sessionHash = Buffer.alloc(0) } = await redeemLiveTicket(deps(), token);
      return { merchantId: userId, sessionHash };
    },
    isValidToken: (token) => isLiveToken(deps(), token),
    findLiveSessions: (hashes) => findLiveSessions(deps(), hashes),
    endedSessionsChannel: ENDED_SESSIONS_CHANNEL,
    ...options,
  });
  server.get('/api/other', () => 'plain');
  server.post('/api/other', () => 'posted');
  await server.listen({ host: '127.0.0.1', port: 0 });
  await live.start();
  const [address] = server.addresses() as AddressInfo[];
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= server.close().then(() => live.stop()));
  closing.push(stop);
  return { port: address?.port ?? 0, log: lines, stop };
}

/** An open screen. */
type Screen = { readonly socket: WebSocket; readonly heard: unknown[]; readonly code: Promise<number> };

function screen(
  { port }: WebProcess,
  token: string,
  headers: Record<string, string> = {},
  options = {},
): Screen {
  const heard: unknown[] = [];
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/notifications/ws?token=${token}`, {
    headers,
    ...options,
  });
  socket.on('message', (data) => heard.push(JSON.parse(String(data))));
  socket.on('error', () => {});
  closing.push(async () => socket.terminate());
  const code = new Promise<number>((resolve) => socket.on('close', resolve));
  return { socket, heard, code };
}

async function openScreen(process: WebProcess, token: string, options = {}): Promise<Screen> {
  const opened = screen(process, token, {}, options);
  await once(opened.socket, 'open');
  return opened;
}

function outbox() {
  const started = createOutbox({ db, clock, log: pino({ level: 'silent' }) });
  started.start();
  closing.push(() => started.stop());
  return started;
}

async function announceTo({ id }: Person, title: string): Promise<void> {
  await notify([{ merchantId: id, title, body: 'corpo', data: { a: 1 } }]);
}

const notify = (notifications: readonly NewNotification[]) =>
  inTransaction({ db, clock }, async (tx) => writeMessages(tx, await saveNotifications(tx, notifications)));

const titles = ({ heard }: Screen) =>
  heard.flatMap((message) => {
    const known = liveMessage.parse(message);
    return known.type === 'notification' ? [known.notification.title] : [];
  });

/** Sends messages until a screen receives one: it may be open but not yet admitted. */
async function tellUntilHeard(person: Person, title: string, opened: Screen, { wake }: { wake(): void }) {
  await expect
    .poll(
      async () => {
        await announceTo(person, title);
        wake();
        return titles(opened);
      },
      { interval: 50 },
    )
    .toContain(title);
}

test('every open screen of a merchant receives changes, in every process, and other merchants do not', async () => {
  const [one, other] = [await webProcess(), await webProcess()];
  const [merchant, stranger] = [await givenPerson(deps()), await givenPerson(deps())];
  const screens = [await openScreen(one, merchant.token), await openScreen(other, merchant.token)];
  const foreign = await openScreen(one, stranger.token);
  const announcer = outbox();
  for (const opened of screens) await tellUntilHeard(merchant, 'Pix recebido', opened, announcer);
  await tellUntilHeard(stranger, 'Outra conta', foreign, announcer);

  for (const opened of screens) {
    await expect.poll(() => opened.heard).toContainEqual({ type: 'balance', balance: 0 });
    expect(new Set(titles(opened))).toEqual(new Set(['Pix recebido']));
  }
  expect(new Set(titles(foreign))).toEqual(new Set(['Outra conta']));
});

test('a ticket opens one channel, and the session token any number', async () => {
  const web = await webProcess();
  const merchant = await givenPerson(deps());
  const ticket = await issueLiveTicket(deps(), merchant.caller);
  const announcer = outbox();
  await tellUntilHeard(merchant, 'by ticket', await openScreen(web, ticket), announcer);
  expect(await screen(web, ticket).code).toBe(4401);
  for (const title of ['by token', 'again'])
    await tellUntilHeard(merchant, title, await openScreen(web, merchant.token), announcer);
});

test.for(['', 'wrong', 'x'.repeat(300), '%00', '&token=twice'])('the token %j is refused', async (token) => {
  expect(await screen(await webProcess(), token).code).toBe(4401);
});

test('signing out closes the screens of that session in every process, and no others', async () => {
  const [one, other] = [await webProcess(), await webProcess()];
  const [leaving, staying] = [await givenPerson(deps()), await givenPerson(deps())];
  const left = [await openScreen(one, leaving.token), await openScreen(other, leaving.token)];
  const stays = await openScreen(one, staying.token);
  const announcer = outbox();
  for (const opened of left) await tellUntilHeard(leaving, 'admitted', opened, announcer);
  await signOut(deps(), leaving.caller);
  expect(await Promise.all(left.map(({ code }) => code))).toEqual([4401, 4401]);
  await tellUntilHeard(staying, 'still here', stays, announcer);
});

test('a session that ends while its channel is opening gets no channel', async () => {
  const gate = Promise.withResolvers<void>();
  const { caller, token } = await givenPerson(deps());
  let found = 0;
  const redeem = async () => {
    const { userId, sessionHash = Buffer.alloc(0) } = await redeemLiveTicket(deps(), token);
    found += 1;
    if (found > 1) await gate.promise;
    return { merchantId: userId, sessionHash };
  };
  // Only announcements can report the end of the session here.
  const web = await webProcess({ redeem, findLiveSessions: async (sessions) => [...sessions] });
  const open = screen(web, token);
  await expect.poll(() => found).toBe(1);
  const late = screen(web, token);
  await expect.poll(() => found).toBe(2);
  await signOut(deps(), caller);
  // The process that is still opening the second channel has received the same announcement.
  expect(await open.code).toBe(4401);
  gate.resolve();
  expect(await late.code).toBe(4401);
});

test('an expired session closes its screens, even without an announcement', async () => {
  const web = await webProcess({ checkEveryMs: 20 });
  const { token } = await givenPerson(deps());
  const opened = await openScreen(web, token);
  clock.shift(12 * 3_600_000);
  expect(await opened.code).toBe(4401);
});

test('a session has at most ten channels, and can open another once one is closed', async () => {
  const web = await webProcess();
  const merchant = await givenPerson(deps());
  const opened = await Promise.all(Array.from({ length: 10 }, () => openScreen(web, merchant.token)));
  const announcer = outbox();
  for (const one of opened) await tellUntilHeard(merchant, 'admitted', one, announcer);
  expect(await screen(web, merchant.token).code).toBe(4429);
  opened[0]?.socket.close();
  await opened[0]?.code;
  await expect
    .poll(async () => {
      const again = await openScreen(web, merchant.token);
      return Promise.race([
        again.code,
        tellUntilHeard(merchant, 'again', again, announcer).then(() => 'admitted'),
      ]);
    })
    .toBe('admitted');
});

test.for([
  ['https://evil.example', 403],
  ['null', 403],
  [config.publicUrl, 101],
  ['https://painel.example', 101],
] as const)('opening it from a page of %s is answered with %i', async ([origin, status]) => {
  const web = await webProcess();
  const { token } = await givenPerson(deps());
  const { socket } = screen(web, token, { origin });
  const answered = await Promise.race([
    once(socket, 'open').then(() => 101),
    once(socket, 'unexpected-response').then(([, response]) => response.statusCode),
  ]);
  expect(answered).toBe(status);
});

test('no token is logged, whatever happens to the connection', async () => {
  const web = await webProcess();
  const { token } = await givenPerson(deps());
  await openScreen(web, token);
  await screen(web, 'secret-but-wrong').code;
  screen(web, `${token}-of-evil`, { origin: 'https://evil.example' });
  const plain = await request(`http://127.0.0.1:${web.port}/api/notifications/ws?token=${token}`);
  expect(plain.statusCode).toBe(404);
  await rawUpgrade(web, `/api/other?token=${token}`);
  await web.stop();
  expect(web.log.length).toBeGreaterThan(0);
  expect(web.log.join()).not.toMatch(new RegExp(`${token}|secret-but-wrong`));
});

/** Sends a request with an upgrade header, and returns the first line of the response. */
async function rawUpgrade(
  { port }: WebProcess,
  path: string,
  offer = 'websocket',
  method = 'GET',
): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  closing.push(async () => socket.destroy());
  socket.write(
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: ${offer}\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nContent-Length: 0\r\n\r\n',
  );
  const [data] = await once(socket, 'data');
  return String(data).split('\r\n')[0] ?? '';
}

test('a call with an upgrade header, as sent by some HTTP clients, is answered as a call', async () => {
  const web = await webProcess();
  expect(await rawUpgrade(web, '/api/other', 'h2c')).toBe('HTTP/1.1 200 OK');
  expect(await rawUpgrade(web, '/api/other', 'h2c', 'POST')).toBe('HTTP/1.1 200 OK');
  expect(await rawUpgrade(web, '/api/other')).toBe('HTTP/1.1 200 OK');
  expect(await rawUpgrade(web, '/api/notifications/ws?token=a')).toBe('HTTP/1.1 101 Switching Protocols');
});

test('an unresponsive screen is disconnected, a responsive one is not', async () => {
  const web = await webProcess({ pingEveryMs: 1000 });
  const { token } = await givenPerson(deps());
  const [dead, alive] = [await openScreen(web, token, { autoPong: false }), await openScreen(web, token)];
  expect(await dead.code).toBe(1006);
  expect(alive.socket.readyState).toBe(WebSocket.OPEN);
});

test('a screen that does not read is disconnected before it uses much memory, and delays no other', async () => {
  const web = await webProcess();
  const merchant = await givenPerson(deps());
  const reading = await openScreen(web, merchant.token);
  const announcer = outbox();
  await tellUntilHeard(merchant, 'admitted', reading, announcer);
  const stuck = connect(web.port, '127.0.0.1');
  closing.push(async () => stuck.destroy());
  const disconnected = brokenOff(stuck);
  stuck.write(upgradeOf(merchant.token));
  stuck.pause();
  let sent = 0;
  const flood = async () => {
    await notify(
      Array.from({ length: 200 }, () => ({
        merchantId: merchant.id,
        title: 'muito',
        body: 'x'.repeat(5000),
        data: {},
      })),
    );
    sent += 200;
    announcer.wake();
    await expect.poll(() => titles(reading).filter((title) => title === 'muito').length).toBe(sent);
  };
  while (!disconnected.is() && sent < 10_000) await flood();
  expect(disconnected.is()).toBe(true);
});

test('a process parses announcements only while a screen is open', async () => {
  const web = await webProcess();
  const misunderstood = () =>
    web.log.filter((line) => line.includes('a NOTIFY payload could not be parsed')).length;
  const announceNonsense = () => sql`select pg_notify(${ANNOUNCEMENTS_CHANNEL}, 'nonsense')`.execute(db);
  await announceNonsense();
  const merchant = await givenPerson(deps());
  const opened = await openScreen(web, merchant.token);
  await tellUntilHeard(merchant, 'admitted', opened, outbox());
  expect(misunderstood()).toBe(0);
  await announceNonsense();
  await expect.poll(misunderstood).toBe(1);
});

function upgradeOf(token: string): string {
  return (
    `GET /api/notifications/ws?token=${token} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\n` +
    'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'
  );
}

/** A paused socket notices its end only when it is written to. */
function brokenOff(socket: Socket): { is(): boolean } {
  let broken = false;
  socket.on('error', () => {
    broken = true;
  });
  socket.on('close', () => {
    broken = true;
  });
  const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
  const writing = setInterval(() => socket.write(pong), 50);
  closing.push(async () => clearInterval(writing));
  return { is: () => broken };
}

test('client messages are ignored, and too large ones end the channel', async () => {
  const web = await webProcess();
  const merchant = await givenPerson(deps());
  const opened = await openScreen(web, merchant.token);
  opened.socket.send('{"type":"balance","balance":1000000}');
  await tellUntilHeard(merchant, 'still open', opened, outbox());
  opened.socket.send('x'.repeat(2000));
  expect(await opened.code).toBe(1009);
});

test('after possibly missed messages every screen is told to reconnect', async () => {
  const web = await webProcess();
  const { token } = await givenPerson(deps());
  const opened = await openScreen(web, token);
  const ended = createPool({ url: database.appUrl });
  await ended.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'jangada listener' and datname = current_database()",
  );
  await ended.end();
  expect(await opened.code).toBe(1012);
});

test('a stopping process closes its screens, without waiting for unresponsive ones', async () => {
  const web = await webProcess();
  const { token } = await givenPerson(deps());
  const polite = await openScreen(web, token);
  const silent = connect(web.port, '127.0.0.1').on('error', () => {});
  closing.push(async () => silent.destroy());
  silent.write(upgradeOf(token));
  await once(silent, 'data');
  silent.pause();
  await web.stop();
  expect(await polite.code).toBe(1001);
});

test('token guesses are rate limited by the API before a socket is opened, and affect nobody else', async () => {
  const guesses = new GuessLimit(3);
  const web = await webProcess({ guesses }, { trustProxy: ['loopback'] });
  const of = (address: string) => ({ 'x-forwarded-for': address });
  for (let made = 0; made < 3; made += 1)
    expect(await screen(web, 'guess', of(`2001:db8::${made}`)).code).toBe(4401);
  const { socket, code } = screen(web, 'guess', of('2001:db8::99'));
  const refused = once(socket, 'unexpected-response').then(([, response]) => response.statusCode);
  expect(await Promise.race([refused, code])).toBe(429);
  expect(guesses.isSuspect(networkOf('2001:db8::'))).toBe(true);
  expect(await screen(web, 'guess', of('203.0.113.7')).code).toBe(4401);

  const merchant = await givenPerson(deps());
  const ticket = await issueLiveTicket(deps(), merchant.caller);
  const announcer = outbox();
  for (const secret of [merchant.token, ticket]) {
    const opened = screen(web, secret, of('2001:db8::99'));
    await tellUntilHeard(merchant, 'beside guesses', opened, announcer);
  }
});

test('unauthenticated sockets and concurrent token look-ups are limited per network', async () => {
  const gate = Promise.withResolvers<LiveOwner>();
  let redeeming = 0;
  const redeem = () => {
    redeeming += 1;
    return gate.promise;
  };
  const web = await webProcess({ redeem, closeTimeoutMs: 3000 });
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => rawUpgrade(web, '/api/notifications/ws?token=x')),
  );
  const refused = answers.filter((line) => line.startsWith('HTTP/1.1 503'));
  expect(refused).toHaveLength(36);
  expect(redeeming).toBe(16);
  gate.reject(new Refusal('UNAUTHENTICATED'));
  await expect.poll(() => screen(web, 'x').code).toBe(4401);
});
