import { createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/database.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { selfSigned } from '../../test/self-signed.ts';
import { shiftedClock } from '../clock.ts';
import { readConfig, type SmtpConfig } from '../config.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { createSecrets } from '../secrets.ts';
import { cancelLinks, linkIdOf, makeLink, type NewMail, takeLink, writeMail } from './index.ts';
import { pruneMails, sendMails } from './send-mails.ts';
import { createSmtp, SmtpRefusal, transportOptions } from './smtp.ts';

const clock = shiftedClock();
const secrets = createSecrets(Buffer.alloc(32, 7));
const logged: string[] = [];
const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
const ends: (() => Promise<unknown>)[] = [];
let database: TestDatabase;
let db: Db;
let userId: number;
let email: string;

beforeAll(async () => {
  database = await testDatabase();
  db = createDb(createPool({ url: database.appUrl }));
  userId = await insertMerchant(db);
  const user = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  email = user.email;
});
beforeEach(async () => {
  await db.deleteFrom('mails').execute();
  logged.length = 0;
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

type Received = { readonly to: readonly string[]; readonly from: string; readonly raw: string };

/** An SMTP server that stores mails. `hooks`: different behaviour. */
async function mailServer(hooks: Partial<SMTPServerOptions> = {}) {
  const received: Received[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, { envelope }, callback) {
      text(stream).then((raw) => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        received.push({ to: envelope.rcptTo.map(({ address }) => address), from, raw });
        callback();
      }, callback);
    },
    ...hooks,
  });
  server.on('error', () => {});
  const port = await listen(server.server);
  ends.push(() => new Promise((resolve) => server.close(() => resolve(undefined))));
  return { received, port };
}

/** A peer that answers each line as scripted, or not at all. */
async function oddServer(talk: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    talk(socket);
  });
  ends.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return listen(server);
}

async function listen(server: Pick<Server, 'listen' | 'address'>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen.');
  return address.port;
}

const at = (port: number, env: Readonly<Record<string, string>> = {}) =>
  readConfig({
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'Jangada <nao-responda@example.com>',
    ...env,
  });
const deps = (config: ReturnType<typeof readConfig>, ofDb = db) => ({
  db: ofDb,
  clock,
  log,
  config,
  secrets,
});
const by = (port: number) => deps(at(port));

const notice = {
  kind: 'password',
  subject: 'Senha alterada',
  paragraphs: ['A senha foi alterada.'],
} as const;
const write = (mail: Partial<NewMail> = {}) =>
  inTransaction({ db, clock }, (tx) => writeMail(tx, { userId, ...notice, ...mail }));
const rows = () => db.selectFrom('mails').selectAll().orderBy('created_at').execute();
const oneRow = async () => (await rows())[0];

test('a mail is sent once, says when and what to do, and its text is not kept', async () => {
  const { received, port } = await mailServer();
  await write();
  expect(await sendMails(by(port))).toBe(1);
  expect(await sendMails(by(port))).toBe(0);
  expect(received).toMatchObject([{ to: [email], from: 'nao-responda@example.com' }]);
  const raw = received[0]?.raw ?? '';
  expect(raw).toMatch(/^Subject: Senha alterada\r$/m);
  expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(raw).toContain('A senha foi alterada.');
  expect(raw.replace(/=\r\n/g, '')).toContain('http://localhost:3000/recuperar-senha');
  expect(await oneRow()).toMatchObject({ body: null, due_at: null, error: null, sent_at: expect.any(Date) });
});

test('a mail of a rolled back transaction is not sent', async () => {
  const { received, port } = await mailServer();
  const failing = inTransaction({ db, clock }, async (tx) => {
    await writeMail(tx, { userId, ...notice });
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  await sendMails(by(port));
  expect(received).toEqual([]);
});

test('concurrent senders send each mail once', async () => {
  const { received, port } = await mailServer();
  for (let count = 0; count < 12; count += 1) await write({ subject: `Aviso ${count}` });
  const all = async () => {
    while ((await sendMails(by(port))) > 0);
  };
  await Promise.all([all(), all(), all()]);
  const subjects = received.map(({ raw }) => /^Subject: (.*)\r$/m.exec(raw)?.[1]);
  expect(subjects.sort()).toEqual(Array.from({ length: 12 }, (_, count) => `Aviso ${count}`).sort());
});

test('a mail whose sender crashes before recording it is resent under the same Message-ID, once', async () => {
  const dying = createDb(createPool({ url: database.appUrl }));
  const { received, port } = await mailServer({
    onData(stream, { envelope: _ }, callback) {
      text(stream).then(async (raw) => {
        received.push({ to: [], from: '', raw });
        if (received.length === 1) await dying.destroy();
        callback();
      }, callback);
    },
  });
  await write();
  await expect(sendMails(deps(at(port), dying))).rejects.toThrow();
  expect(await oneRow()).toMatchObject({ sent_at: null, body: expect.any(String) });
  expect(await sendMails(by(port))).toBe(0);
  clock.shift(91_000);
  expect(await sendMails(by(port))).toBe(1);
  clock.shift(91_000);
  expect(await sendMails(by(port))).toBe(0);
  const ids = received.map(({ raw }) => /^Message-ID: (.*)\r$/m.exec(raw)?.[1]);
  expect(ids).toHaveLength(2);
  expect(ids[0]).toMatch(/^<[\w-]{36}@example\.com>$/);
  expect(ids[1]).toBe(ids[0]);
});

test('alarms to one account are limited per hour, and the last one says so; links, address changes and withdrawals are not', async () => {
  for (let count = 0; count < 25; count += 1) await write({ kind: 'password-recovery' });
  for (let count = 0; count < 25; count += 1) await write({ kind: count % 2 ? 'closing' : 'api-key' });
  for (const kind of ['password-recovery', 'email-confirmation', 'email', 'withdrawal'] as const)
    await write({ kind });
  const kinds = (await rows()).map(({ kind, body }) => ({ kind, isLast: body?.includes('no painel') }));
  const capped = kinds.filter(({ kind }) => kind === 'closing' || kind === 'api-key');
  expect(capped.map(({ isLast }) => isLast)).toEqual([...Array(19).fill(false), true]);
  expect(kinds).toHaveLength(25 + 20 + 4);
  const other = await insertMerchant(db);
  await write({ userId: other });
  clock.shift(3_600_000);
  await write();
  expect(await rows()).toHaveLength(25 + 20 + 4 + 2);
});

test('a mail with an unexpected error is retried like others, and delays none', async () => {
  const { received, port } = await mailServer();
  await write();
  await write({ kind: 'password-recovery', linkId: await makeRecovery(7 * 86_400_000) });
  const broken = {
    ...secrets,
    hash(): Buffer {
      throw new RangeError('a secret');
    },
  };
  for (let row = await failing(); row?.due_at != null; row = await failing()) {
    clock.follow(row.due_at);
    await sendMails({ ...by(port), secrets: broken });
  }
  expect(received).toHaveLength(1);
  expect(await failing()).toMatchObject({ attempts: 10, body: null, error: 'RangeError' });
  expect(logged.join()).not.toContain('a secret');
});
const failing = () =>
  db.selectFrom('mails').selectAll().where('kind', '=', 'password-recovery').executeTakeFirst();

test('a recipient unknown to the server is given up at once', async () => {
  const { port } = await mailServer({
    onRcptTo: (_address, _session, callback) =>
      callback(Object.assign(new Error('quem?'), { responseCode: 550 })),
  });
  await write();
  await sendMails(by(port));
  expect(await oneRow()).toMatchObject({ due_at: null, body: null, error: 'EENVELOPE RCPT TO 550' });
});

test.each([
  ['refuses temporarily', 'busy'],
  ['drops the connection in the middle of a mail', 'drops'],
  ['is unavailable', 'away'],
])('a mail to a server that %s is tried ten times over a day, and then given up', async (_what, kind) => {
  let tries = 0;
  const port =
    kind === 'busy'
      ? (
          await mailServer({
            onRcptTo(_address, _session, callback) {
              tries += 1;
              callback(Object.assign(new Error(`tente depois, ${email}`), { responseCode: 451 }));
            },
          })
        ).port
      : await oddServer((socket) => {
          tries += 1;
          talkUntilData(socket, () => socket.destroy());
        });
  if (kind === 'away') for (const end of ends.splice(0)) await end();
  await write();
  const begun = clock.now().getTime();
  for (let row = await oneRow(); row?.due_at != null; row = await oneRow()) {
    clock.follow(row.due_at);
    expect(await sendMails(by(port))).toBe(1);
  }
  expect(await oneRow()).toMatchObject({
    attempts: 10,
    sent_at: null,
    body: null,
    error: expect.any(String),
  });
  if (kind !== 'away') expect(tries).toBe(10);
  const hours = (clock.now().getTime() - begun) / 3_600_000;
  expect(hours).toBeGreaterThan(24);
  expect(hours).toBeLessThan(26);
});

/** Behaves as a server until the text arrives. */
function talkUntilData(socket: Socket, onText: () => void): void {
  socket.write('220 odd\r\n');
  let inText = false;
  socket.on('data', (chunk) => {
    if (inText) return onText();
    for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
      if (/^DATA/i.test(line)) inText = true;
      socket.write(inText ? '354 go\r\n' : '250 ok\r\n');
    }
  });
}

test.each([
  ['says nothing', () => {}],
  ['accepts the text and never answers', (socket: Socket) => talkUntilData(socket, () => {})],
  [
    'sends its greeting endlessly',
    (socket: Socket) => {
      const timer = setInterval(() => socket.write('220-wait\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    },
  ],
])('a server that %s delays nobody, and its mail is retried', async (_what, talk) => {
  let closed = false;
  const port = await oddServer((socket) => {
    socket.on('close', () => (closed = true));
    talk(socket);
  });
  const send = createSmtp(smtpOf(`smtp://127.0.0.1:${port}`), { longestMs: 200 });
  const mail = { id: crypto.randomUUID(), recipient: email, subject: 'x', text: 'x' };
  const error = await send(mail).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(SmtpRefusal);
  expect(error).toMatchObject({ isFinal: false });
  await expect.poll(() => closed).toBe(true);
});

function smtpOf(url: string): SmtpConfig {
  const { mail } = readConfig({ SMTP_URL: url, MAIL_FROM: 'nao-responda@example.com' });
  if (mail.goes !== 'by smtp') throw new Error('There is no SMTP server in these settings.');
  return mail;
}

test('an ambiguous or multiple address gets no mail', async () => {
  const { received, port } = await mailServer();
  for (const to of [
    'a,vitima@example.com',
    'a;vitima@example.com',
    '<vitima@example.com',
    '"a<b>"@example.com',
  ])
    await write({ to });
  while ((await sendMails(by(port))) > 0);
  expect(received).toEqual([]);
  expect((await rows()).map(({ error }) => error)).toEqual(Array(4).fill('address'));
});

test('TLS is required of a remote server, and its certificate is verified', async () => {
  expect(transportOptions(smtpOf('smtp://mail.example.com'))).toMatchObject({ port: 587, requireTLS: true });
  expect(transportOptions(smtpOf('smtps://mail.example.com'))).toMatchObject({ port: 465, secure: true });
  const { received, port } = await mailServer();
  const mail = { id: crypto.randomUUID(), recipient: email, subject: 'x', text: 'x' };
  const demanding: SmtpConfig = { ...smtpOf(`smtp://127.0.0.1:${port}`), tls: 'demanded' };
  await expect(createSmtp(demanding)(mail)).rejects.toBeInstanceOf(SmtpRefusal);
  const unknown = await mailServer({ secure: true, ...selfSigned('localhost') });
  await expect(createSmtp(smtpOf(`smtps://localhost:${unknown.port}`))(mail)).rejects.toBeInstanceOf(
    SmtpRefusal,
  );
  expect([...received, ...unknown.received]).toEqual([]);
});

test('user and password of the settings are sent to the server, and are in no log or row', async () => {
  const logins: unknown[] = [];
  const { received, port } = await mailServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, callback) {
      logins.push([username, password]);
      if (logins.length > 1) return callback(null, { user: username });
      callback(new Error(`wrong password ${password}`));
    },
  });
  const config = at(port, { SMTP_URL: `smtp://jangada%40example.com:se%3Agredo@127.0.0.1:${port}` });
  await write();
  await sendMails(deps(config));
  clock.shift(60_000);
  await sendMails(deps(config));
  expect(received).toHaveLength(1);
  expect(logins).toEqual(Array(2).fill(['jangada@example.com', 'se:gredo']));
  expect(logged.length).toBeGreaterThan(0);
  expect(JSON.stringify([logged, await rows()])).not.toContain('gredo');
});

const makeRecovery = (lifetimeMs = 60_000) =>
  inTransaction({ db, clock }, (tx) => makeLink(tx, { userId, purpose: 'password', lifetimeMs }));

test('a link is the same in each retry, leads to its own id, and is in no row and no log', async () => {
  const { received, port } = await mailServer({
    onRcptTo(_address, _session, callback) {
      const first = received.length === 0 && logged.length === 0;
      callback(first ? Object.assign(new Error('later'), { responseCode: 451 }) : null);
    },
  });
  const linkId = await makeRecovery();
  await write({ kind: 'password-recovery', linkId });
  await sendMails(by(port));
  clock.shift(20_000);
  await sendMails(by(port));
  const [token = ''] =
    /(?<=redefinir-senha\?token=3D)[\w-]+/.exec(received[0]?.raw.replace(/=\r\n/g, '') ?? '') ?? [];
  expect(linkIdOf(secrets, token)).toBe(linkId);
  expect(linkIdOf(createSecrets(Buffer.alloc(32, 8)), token)).toBeUndefined();
  expect(logged).toHaveLength(1);
  const stored = JSON.stringify([
    logged,
    await rows(),
    await db.selectFrom('mail_links').selectAll().execute(),
  ]);
  expect(stored).not.toContain(token.slice(22));
  expect(logged.join()).not.toContain(email);
});

test.each(['used', 'cancelled', 'expired'])(
  'a mail whose link was %s before sending is not sent',
  async (how) => {
    const { received, port } = await mailServer();
    const linkId = await makeRecovery();
    await write({ kind: 'password-recovery', linkId });
    if (how === 'expired') clock.shift(60_000);
    else
      await inTransaction({ db, clock }, async (tx) => {
        if (how === 'used') await takeLink(tx, linkId, 'password');
        else await cancelLinks(tx, userId, 'password');
      });
    await sendMails(by(port));
    expect(received).toEqual([]);
    expect(await oneRow()).toMatchObject({ due_at: null, body: null, error: 'its link has ended' });
  },
);

test('queued mails are deleted if mail is disabled', async () => {
  await write();
  await sendMails(deps(readConfig({ SANDBOX_PUBLIC: '1' })));
  expect(await rows()).toEqual([]);
});

test('the sandbox keeps mails for a week; a sent one leaves only a record, for three months', async () => {
  const config = readConfig({});
  await write();
  await sendMails(deps(config));
  clock.shift(7 * 86_400_000 - 60_000);
  await pruneMails({ db, clock, config });
  expect(await rows()).toHaveLength(1);
  clock.shift(60_000);
  await pruneMails({ db, clock, config: at(25) });
  expect(await rows()).toHaveLength(1);
  await pruneMails({ db, clock, config });
  expect(await rows()).toEqual([]);
});

test('invalid mail settings are refused by name', () => {
  const refused = (env: Record<string, string>) => {
    try {
      readConfig(env);
    } catch (error) {
      return String(error);
    }
    return 'taken';
  };
  expect(refused({ SMTP_URL: 'smtp://mail.example.com' })).toContain('MAIL_FROM');
  for (const url of ['http://mail.example.com', 'smtp://', 'smtp://mail.example.com/?tls=off'])
    expect(refused({ SMTP_URL: url, MAIL_FROM: 'a@example.com' })).toContain('SMTP_URL');
  for (const from of ['ninguem', 'a@b, c@d', 'A <a@b> c', 'a@b\r\nBcc: c@d'])
    expect(refused({ SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: from })).toContain('MAIL_FROM');
});
