import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { liveMessage } from '@jangada/contract';
import { sql } from 'kysely';
import { pino } from 'pino';
import { request } from 'undici';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { givenPerson, type Person } from '../../test/people.ts';
import { createAdjustableClock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { GuessLimit } from '../http/guess-limit.ts';
import { networkOf } from '../http/network-of.ts';
import { createServer } from '../http/server.ts';
import {
  CLOSED_SESSIONS_CHANNEL,
  findLiveSessions,
  issueLiveTicket,
  isTicketOrSessionToken,
  redeemTicketOrSessionToken,
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
const clock = createAdjustableClock();
let database: TestDatabase;
let db: Db;
const deps = () => ({ db, clock, config });
const cleanUps: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(createPool({ url: database.appUrl }));
});
afterEach(async () => {
  for (const close of cleanUps.splice(0).reverse()) await close();
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

type WebProcess = { readonly port: number; readonly log: string[]; stop(): Promise<void> };

/** Starts a web process, as far as the live channel is concerned. */
async function startWebProcess(
  options: Partial<LiveChannelOptions> = {},
  settings: { trustProxy?: string[] } = {},
): Promise<WebProcess> {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
  const server = createServer({ config: { ...config, ...settings }, log, contentSecurityPolicy: '' });
  const live = await mountLiveChannel(server, {
    log,
    listener: createListener({ url: database.appUrl, log }),
    redeemToken: async (token) => {
      const { userId, sessionHash = Buffer.alloc(0) } = await redeemTicketOrSessionToken(deps(), token);
      return { merchantId: userId, sessionHash };
    },
    isValidToken: (token) => isTicketOrSessionToken(deps(), token),
    findLiveSessions: (hashes) => findLiveSessions(deps(), hashes),
    closedSessionsChannel: CLOSED_SESSIONS_CHANNEL,
    ...options,
  });
  server.get('/api/other', () => 'plain');
  server.post('/api/other', () => 'posted');
  await server.listen({ host: '127.0.0.1', port: 0 });
  await live.start();
  const [address] = server.addresses() as AddressInfo[];
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= server.close().then(() => live.stop()));
  cleanUps.push(stop);
  return { port: address?.port ?? 0, log: lines, stop };
}

/** A WebSocket of an open screen, the messages it received, and the code with which it was closed. */
type Screen = { readonly socket: WebSocket; readonly received: unknown[]; readonly code: Promise<number> };

function connectScreen(
  { port }: WebProcess,
  token: string,
  headers: Record<string, string> = {},
  options = {},
): Screen {
  const received: unknown[] = [];
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/notifications/ws?token=${token}`, {
    headers,
    ...options,
  });
  socket.on('message', (data) => received.push(JSON.parse(String(data))));
  socket.on('error', () => {});
  cleanUps.push(async () => socket.terminate());
  const code = new Promise<number>((resolve) => socket.on('close', resolve));
  return { socket, received, code };
}

async function openScreen(process: WebProcess, token: string, options = {}): Promise<Screen> {
  const openedScreen = connectScreen(process, token, {}, options);
  await once(openedScreen.socket, 'open');
  return openedScreen;
}

function startOutbox() {
  const outbox = createOutbox({ db, clock, log: pino({ level: 'silent' }) });
  outbox.start();
  cleanUps.push(() => outbox.stop());
  return outbox;
}

async function notifyOnce({ id }: Person, title: string): Promise<void> {
  await notify([{ merchantId: id, title, body: 'corpo', data: { a: 1 } }]);
}

const notify = (notifications: readonly NewNotification[]) =>
  inTransaction({ db, clock }, async (tx) => writeMessages(tx, await saveNotifications(tx, notifications)));

const titles = ({ received }: Screen) =>
  received.flatMap((message) => {
    const parsed = liveMessage.parse(message);
    return parsed.type === 'notification' ? [parsed.notification.title] : [];
  });

/** Notifies a person until a screen receives it, because the screen may be open but not yet authenticated. */
async function notifyUntilReceived(
  person: Person,
  title: string,
  openedScreen: Screen,
  { wake }: { wake(): void },
) {
  await expect
    .poll(
      async () => {
        await notifyOnce(person, title);
        wake();
        return titles(openedScreen);
      },
      { interval: 50 },
    )
    .toContain(title);
}

test('every open screen of a merchant receives changes, in every process, and other merchants do not', async () => {
  const [first, second] = [await startWebProcess(), await startWebProcess()];
  const [merchant, stranger] = [await givenPerson(deps()), await givenPerson(deps())];
  const screens = [await openScreen(first, merchant.token), await openScreen(second, merchant.token)];
  const strangerScreen = await openScreen(first, stranger.token);
  const announcer = startOutbox();
  for (const openedScreen of screens)
    await notifyUntilReceived(merchant, 'Pix recebido', openedScreen, announcer);
  await notifyUntilReceived(stranger, 'Outra conta', strangerScreen, announcer);

  for (const openedScreen of screens) {
    await expect.poll(() => openedScreen.received).toContainEqual({ type: 'balance', balance: 0 });
    expect(new Set(titles(openedScreen))).toEqual(new Set(['Pix recebido']));
  }
  expect(new Set(titles(strangerScreen))).toEqual(new Set(['Outra conta']));
});

test('a ticket opens one channel, and the session token any number', async () => {
  const web = await startWebProcess();
  const merchant = await givenPerson(deps());
  const ticket = await issueLiveTicket(deps(), merchant.caller);
  const announcer = startOutbox();
  await notifyUntilReceived(merchant, 'by ticket', await openScreen(web, ticket), announcer);
  expect(await connectScreen(web, ticket).code).toBe(4401);
  for (const title of ['by token', 'again'])
    await notifyUntilReceived(merchant, title, await openScreen(web, merchant.token), announcer);
});

test.for(['', 'wrong', 'x'.repeat(300), '%00', '&token=twice'])('the token %j is refused', async (token) => {
  expect(await connectScreen(await startWebProcess(), token).code).toBe(4401);
});

test('signing out closes the screens of that session in every process, and no others', async () => {
  const [first, second] = [await startWebProcess(), await startWebProcess()];
  const [leavingPerson, stayingPerson] = [await givenPerson(deps()), await givenPerson(deps())];
  const closedScreens = [
    await openScreen(first, leavingPerson.token),
    await openScreen(second, leavingPerson.token),
  ];
  const keptScreen = await openScreen(first, stayingPerson.token);
  const announcer = startOutbox();
  for (const openedScreen of closedScreens)
    await notifyUntilReceived(leavingPerson, 'admitted', openedScreen, announcer);
  await signOut(deps(), leavingPerson.caller);
  expect(await Promise.all(closedScreens.map(({ code }) => code))).toEqual([4401, 4401]);
  await notifyUntilReceived(stayingPerson, 'still here', keptScreen, announcer);
});

test('a session that ends while its channel is opening gets no channel', async () => {
  const gate = Promise.withResolvers<void>();
  const { caller, token } = await givenPerson(deps());
  let lookUps = 0;
  const redeem = async () => {
    const { userId, sessionHash = Buffer.alloc(0) } = await redeemTicketOrSessionToken(deps(), token);
    lookUps += 1;
    if (lookUps > 1) await gate.promise;
    return { merchantId: userId, sessionHash };
  };
  // Only announcements can report the end of the session here.
  const web = await startWebProcess({
    redeemToken: redeem,
    findLiveSessions: async (sessions) => [...sessions],
  });
  const open = connectScreen(web, token);
  await expect.poll(() => lookUps).toBe(1);
  const lateScreen = connectScreen(web, token);
  await expect.poll(() => lookUps).toBe(2);
  await signOut(deps(), caller);
  // The process that is still opening the second channel has received the same announcement.
  expect(await open.code).toBe(4401);
  gate.resolve();
  expect(await lateScreen.code).toBe(4401);
});

test('an expired session closes its screens, even without an announcement', async () => {
  const web = await startWebProcess({ checkEveryMs: 20 });
  const { token } = await givenPerson(deps());
  const openedScreen = await openScreen(web, token);
  clock.shift(12 * 3_600_000);
  expect(await openedScreen.code).toBe(4401);
});

test('a session has at most ten channels, and can open another once one is closed', async () => {
  const web = await startWebProcess();
  const merchant = await givenPerson(deps());
  const openedScreens = await Promise.all(Array.from({ length: 10 }, () => openScreen(web, merchant.token)));
  const announcer = startOutbox();
  for (const openedScreen of openedScreens)
    await notifyUntilReceived(merchant, 'admitted', openedScreen, announcer);
  expect(await connectScreen(web, merchant.token).code).toBe(4429);
  openedScreens[0]?.socket.close();
  await openedScreens[0]?.code;
  await expect
    .poll(async () => {
      const newScreen = await openScreen(web, merchant.token);
      return Promise.race([
        newScreen.code,
        notifyUntilReceived(merchant, 'again', newScreen, announcer).then(() => 'admitted'),
      ]);
    })
    .toBe('admitted');
});

test.for([
  ['https://evil.example', 403],
  ['null', 403],
  [config.publicUrl, 101],
  ['https://painel.example', 101],
] as const)('opening the channel from a page of %s gets the status %i', async ([origin, status]) => {
  const web = await startWebProcess();
  const { token } = await givenPerson(deps());
  const { socket } = connectScreen(web, token, { origin });
  const responseStatus = await Promise.race([
    once(socket, 'open').then(() => 101),
    once(socket, 'unexpected-response').then(([, response]) => response.statusCode),
  ]);
  expect(responseStatus).toBe(status);
});

test('no token is logged, whatever happens to the connection', async () => {
  const web = await startWebProcess();
  const { token } = await givenPerson(deps());
  await openScreen(web, token);
  await connectScreen(web, 'secret-but-wrong').code;
  connectScreen(web, `${token}-of-evil`, { origin: 'https://evil.example' });
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
  protocol = 'websocket',
  method = 'GET',
): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  cleanUps.push(async () => socket.destroy());
  socket.write(
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nContent-Length: 0\r\n\r\n',
  );
  const [data] = await once(socket, 'data');
  return String(data).split('\r\n')[0] ?? '';
}

test('a call with an upgrade header, as sent by some HTTP clients, is answered as a call', async () => {
  const web = await startWebProcess();
  expect(await rawUpgrade(web, '/api/other', 'h2c')).toBe('HTTP/1.1 200 OK');
  expect(await rawUpgrade(web, '/api/other', 'h2c', 'POST')).toBe('HTTP/1.1 200 OK');
  expect(await rawUpgrade(web, '/api/other')).toBe('HTTP/1.1 200 OK');
  expect(await rawUpgrade(web, '/api/notifications/ws?token=a')).toBe('HTTP/1.1 101 Switching Protocols');
});

test('an unresponsive screen is disconnected, a responsive one is not', async () => {
  const web = await startWebProcess({ pingEveryMs: 1000 });
  const { token } = await givenPerson(deps());
  const [dead, alive] = [await openScreen(web, token, { autoPong: false }), await openScreen(web, token)];
  expect(await dead.code).toBe(1006);
  expect(alive.socket.readyState).toBe(WebSocket.OPEN);
});

test('a screen that does not read is disconnected before it uses much memory, and delays no other', async () => {
  const web = await startWebProcess();
  const merchant = await givenPerson(deps());
  const readingScreen = await openScreen(web, merchant.token);
  const announcer = startOutbox();
  await notifyUntilReceived(merchant, 'admitted', readingScreen, announcer);
  const stuckSocket = connect(web.port, '127.0.0.1');
  cleanUps.push(async () => stuckSocket.destroy());
  const disconnection = watchForDisconnection(stuckSocket);
  stuckSocket.write(upgradeRequest(merchant.token));
  stuckSocket.pause();
  let sentCount = 0;
  const flood = async () => {
    await notify(
      Array.from({ length: 200 }, () => ({
        merchantId: merchant.id,
        title: 'muito',
        body: 'x'.repeat(5000),
        data: {},
      })),
    );
    sentCount += 200;
    announcer.wake();
    await expect
      .poll(() => titles(readingScreen).filter((title) => title === 'muito').length)
      .toBe(sentCount);
  };
  while (!disconnection.hasHappened() && sentCount < 10_000) await flood();
  expect(disconnection.hasHappened()).toBe(true);
});

test('a process parses announcements only while a screen is open', async () => {
  const web = await startWebProcess();
  const countParseErrors = () =>
    web.log.filter((line) => line.includes('a NOTIFY payload could not be parsed')).length;
  const announceNonsense = () => sql`select pg_notify(${ANNOUNCEMENTS_CHANNEL}, 'nonsense')`.execute(db);
  await announceNonsense();
  const merchant = await givenPerson(deps());
  const openedScreen = await openScreen(web, merchant.token);
  await notifyUntilReceived(merchant, 'admitted', openedScreen, startOutbox());
  expect(countParseErrors()).toBe(0);
  await announceNonsense();
  await expect.poll(countParseErrors).toBe(1);
});

function upgradeRequest(token: string): string {
  return (
    `GET /api/notifications/ws?token=${token} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\n` +
    'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'
  );
}

/** Writes to a socket regularly, because a paused socket notices only then that it was disconnected. */
function watchForDisconnection(socket: Socket): { hasHappened(): boolean } {
  let isBroken = false;
  socket.on('error', () => {
    isBroken = true;
  });
  socket.on('close', () => {
    isBroken = true;
  });
  const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
  const writeTimer = setInterval(() => socket.write(pong), 50);
  cleanUps.push(async () => clearInterval(writeTimer));
  return { hasHappened: () => isBroken };
}

test('client messages are ignored, and too large ones end the channel', async () => {
  const web = await startWebProcess();
  const merchant = await givenPerson(deps());
  const openedScreen = await openScreen(web, merchant.token);
  openedScreen.socket.send('{"type":"balance","balance":1000000}');
  await notifyUntilReceived(merchant, 'still open', openedScreen, startOutbox());
  openedScreen.socket.send('x'.repeat(2000));
  expect(await openedScreen.code).toBe(1009);
});

test('after possibly missed messages every screen is closed with a code that makes it reconnect', async () => {
  const web = await startWebProcess();
  const { token } = await givenPerson(deps());
  const openedScreen = await openScreen(web, token);
  const adminPool = createPool({ url: database.appUrl });
  await adminPool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'jangada listener %' and datname = current_database()",
  );
  await adminPool.end();
  expect(await openedScreen.code).toBe(1012);
});

test('a stopping process closes its screens, without waiting for unresponsive ones', async () => {
  const web = await startWebProcess();
  const { token } = await givenPerson(deps());
  const responsiveScreen = await openScreen(web, token);
  const silentSocket = connect(web.port, '127.0.0.1').on('error', () => {});
  cleanUps.push(async () => silentSocket.destroy());
  silentSocket.write(upgradeRequest(token));
  await once(silentSocket, 'data');
  silentSocket.pause();
  await web.stop();
  expect(await responsiveScreen.code).toBe(1001);
});

test('token guesses are rate limited by the API before a socket is opened, and affect nobody else', async () => {
  const guesses = new GuessLimit(3);
  const web = await startWebProcess({ guesses }, { trustProxy: ['loopback'] });
  const from = (address: string) => ({ 'x-forwarded-for': address });
  for (let attempt = 0; attempt < 3; attempt += 1)
    expect(await connectScreen(web, 'guess', from(`2001:db8::${attempt}`)).code).toBe(4401);
  const { socket, code } = connectScreen(web, 'guess', from('2001:db8::99'));
  const refused = once(socket, 'unexpected-response').then(([, response]) => response.statusCode);
  expect(await Promise.race([refused, code])).toBe(429);
  expect(guesses.isSuspect(networkOf('2001:db8::'))).toBe(true);
  expect(await connectScreen(web, 'guess', from('203.0.113.7')).code).toBe(4401);

  const merchant = await givenPerson(deps());
  const ticket = await issueLiveTicket(deps(), merchant.caller);
  const announcer = startOutbox();
  for (const secret of [merchant.token, ticket]) {
    const openedScreen = connectScreen(web, secret, from('2001:db8::99'));
    await notifyUntilReceived(merchant, 'beside guesses', openedScreen, announcer);
  }
});

test('unauthenticated sockets and concurrent token look-ups are limited per network', async () => {
  const gate = Promise.withResolvers<LiveOwner>();
  let redeemCount = 0;
  const redeem = () => {
    redeemCount += 1;
    return gate.promise;
  };
  const web = await startWebProcess({ redeemToken: redeem, closeTimeoutMs: 3000 });
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => rawUpgrade(web, '/api/notifications/ws?token=x')),
  );
  const refused = answers.filter((line) => line.startsWith('HTTP/1.1 503'));
  // A network may have 64 unauthenticated sockets, and 16 look-ups run at a time.
  expect(refused).toHaveLength(36);
  expect(redeemCount).toBe(16);
  gate.reject(new Refusal('UNAUTHENTICATED'));
  await expect.poll(() => connectScreen(web, 'x').code).toBe(4401);
});
