import { createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { createSelfSignedCertificate } from '../../test/self-signed.ts';
import { createAdjustableClock } from '../clock.ts';
import { readConfig, type SmtpConfig } from '../config.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { createSecrets } from '../secrets.ts';
import {
  cancelMailLinks,
  consumeMailLink,
  createMailLink,
  type NewMail,
  verifyLinkToken,
  writeMail,
} from './index.ts';
import { pruneMails, sendMails } from './send-mails.ts';
import { createSmtp, SmtpFailure, transportOptions } from './smtp.ts';

const clock = createAdjustableClock();
const secrets = createSecrets(Buffer.alloc(32, 7));
const logLines: string[] = [];
const log = pino({ level: 'trace' }, { write: (line: string) => void logLines.push(line) });
const cleanUps: (() => Promise<unknown>)[] = [];
let database: TestDatabase;
let db: Db;
let userId: number;
let email: string;

beforeAll(async () => {
  database = await createTestDatabase();
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
  logLines.length = 0;
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

type ReceivedMail = { readonly to: readonly string[]; readonly from: string; readonly raw: string };

/** Starts an SMTP server that stores the mails it receives. `hooks` change its behaviour. */
async function startMailServer(hooks: Partial<SMTPServerOptions> = {}) {
  const received: ReceivedMail[] = [];
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
  cleanUps.push(() => new Promise((resolve) => server.close(() => resolve(undefined))));
  return { received, port };
}

/** Starts a server whose behaviour on each connection is given by a script. */
async function startScriptedServer(script: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    script(socket);
  });
  cleanUps.push(async () => {
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

const configFor = (port: number, env: Readonly<Record<string, string>> = {}) =>
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
const depsFor = (port: number) => deps(configFor(port));

const passwordMail = {
  kind: 'password',
  subject: 'Senha alterada',
  paragraphs: ['A senha foi alterada.'],
} as const;
const writeTestMail = (mail: Partial<NewMail> = {}) =>
  inTransaction({ db, clock }, (tx) => writeMail(tx, { userId, ...passwordMail, ...mail }));
const rows = () => db.selectFrom('mails').selectAll().orderBy('created_at').execute();
const firstRow = async () => (await rows())[0];

test('a mail is sent once, says when it happened and what to do, and its text is not stored afterwards', async () => {
  const { received, port } = await startMailServer();
  await writeTestMail();
  expect(await sendMails(depsFor(port))).toBe(1);
  expect(await sendMails(depsFor(port))).toBe(0);
  expect(received).toMatchObject([{ to: [email], from: 'nao-responda@example.com' }]);
  const raw = received[0]?.raw ?? '';
  expect(raw).toMatch(/^Subject: Senha alterada\r$/m);
  expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(raw).toContain('A senha foi alterada.');
  expect(raw.replace(/=\r\n/g, '')).toContain('http://localhost:3000/recuperar-senha');
  expect(await firstRow()).toMatchObject({
    body: null,
    due_at: null,
    error: null,
    sent_at: expect.any(Date),
  });
});

test('a mail of a rolled back transaction is not sent', async () => {
  const { received, port } = await startMailServer();
  const failingTransaction = inTransaction({ db, clock }, async (tx) => {
    await writeMail(tx, { userId, ...passwordMail });
    throw new Error('no');
  });
  await expect(failingTransaction).rejects.toThrow('no');
  await sendMails(depsFor(port));
  expect(received).toEqual([]);
});

test('concurrent senders send each mail once', async () => {
  const { received, port } = await startMailServer();
  for (let count = 0; count < 12; count += 1) await writeTestMail({ subject: `Aviso ${count}` });
  const sendAll = async () => {
    while ((await sendMails(depsFor(port))) > 0);
  };
  await Promise.all([sendAll(), sendAll(), sendAll()]);
  const subjects = received.map(({ raw }) => /^Subject: (.*)\r$/m.exec(raw)?.[1]);
  expect(subjects.sort()).toEqual(Array.from({ length: 12 }, (_, count) => `Aviso ${count}`).sort());
});

test('a mail whose sender crashes before recording it is resent under the same Message-ID, once', async () => {
  const crashingDb = createDb(createPool({ url: database.appUrl }));
  const { received, port } = await startMailServer({
    onData(stream, { envelope: _ }, callback) {
      text(stream).then(async (raw) => {
        received.push({ to: [], from: '', raw });
        if (received.length === 1) await crashingDb.destroy();
        callback();
      }, callback);
    },
  });
  await writeTestMail();
  await expect(sendMails(deps(configFor(port), crashingDb))).rejects.toThrow();
  expect(await firstRow()).toMatchObject({ sent_at: null, body: expect.any(String) });
  expect(await sendMails(depsFor(port))).toBe(0);
  clock.shift(91_000);
  expect(await sendMails(depsFor(port))).toBe(1);
  clock.shift(91_000);
  expect(await sendMails(depsFor(port))).toBe(0);
  const ids = received.map(({ raw }) => /^Message-ID: (.*)\r$/m.exec(raw)?.[1]);
  expect(ids).toHaveLength(2);
  expect(ids[0]).toMatch(/^<[\w-]{36}@example\.com>$/);
  expect(ids[1]).toBe(ids[0]);
});

test('alarms of one kind to one person are limited per hour, and the last one says so', async () => {
  for (let count = 0; count < 25; count += 1) await writeTestMail({ kind: 'members' });
  const isLast = (await rows()).map(({ body }) => body?.includes('no painel'));
  expect(isLast).toEqual([...Array(19).fill(false), true]);
  await writeTestMail({ kind: 'members', userId: await insertMerchant(db) });
  clock.shift(3_600_000);
  await writeTestMail({ kind: 'members' });
  expect(await rows()).toHaveLength(20 + 2);
});

test('no alarm silences one of another kind, and those about factors and control of the account are always sent', async () => {
  for (const kind of ['members', 'api-key', 'pin'] as const)
    for (let count = 0; count < 20; count += 1) await writeTestMail({ kind });
  const kinds = ['password', 'new-device', 'closing', 'api-withdrawals', 'bank'] as const;
  for (const kind of kinds) await writeTestMail({ kind });
  const always = [
    'factor',
    'handover',
    'support',
    'recovery',
    'policy',
    'email',
    'password-recovery',
  ] as const;
  for (const kind of always) for (let count = 0; count < 25; count += 1) await writeTestMail({ kind });
  const written = (await rows()).map(({ kind }) => kind);
  const countOf = (kind: string) => written.filter((other) => other === kind).length;
  expect(kinds.map(countOf)).toEqual(kinds.map(() => 1));
  expect(always.map(countOf)).toEqual(always.map(() => 25));
});

test('an address that was replaced is told to speak to support, and not to change a password there', async () => {
  const { received, port } = await startMailServer();
  await writeTestMail({ kind: 'former-email', to: 'antigo@example.com' });
  await sendMails(depsFor(port));
  const raw = received[0]?.raw.replace(/=\r\n/g, '') ?? '';
  expect(raw).toContain('fale com o suporte');
  expect(raw).not.toContain('recuperar-senha');
});

test('a mail with an unexpected error is retried like others, and delays none', async () => {
  const { received, port } = await startMailServer();
  await writeTestMail();
  await writeTestMail({ kind: 'password-recovery', linkId: await makeRecoveryLink(7 * 86_400_000) });
  const failingSecrets = {
    ...secrets,
    hash(): Buffer {
      throw new RangeError('a secret');
    },
  };
  for (let row = await findRecoveryMail(); row?.due_at != null; row = await findRecoveryMail()) {
    clock.follow(row.due_at);
    await sendMails({ ...depsFor(port), secrets: failingSecrets });
  }
  expect(received).toHaveLength(1);
  expect(await findRecoveryMail()).toMatchObject({ attempts: 10, body: null, error: 'RangeError' });
  expect(logLines.join()).not.toContain('a secret');
});
const findRecoveryMail = () =>
  db.selectFrom('mails').selectAll().where('kind', '=', 'password-recovery').executeTakeFirst();

test('a mail to a recipient unknown to the server is given up after one attempt', async () => {
  const { port } = await startMailServer({
    onRcptTo: (_address, _session, callback) =>
      callback(Object.assign(new Error('quem?'), { responseCode: 550 })),
  });
  await writeTestMail();
  await sendMails(depsFor(port));
  expect(await firstRow()).toMatchObject({ due_at: null, body: null, error: 'EENVELOPE RCPT TO 550' });
});

test.each([
  ['refuses temporarily', 'busy'],
  ['drops the connection in the middle of a mail', 'drops'],
  ['is unavailable', 'away'],
])('a mail to a server that %s is tried ten times over a day, and then given up', async (_what, kind) => {
  let attempts = 0;
  const port =
    kind === 'busy'
      ? (
          await startMailServer({
            onRcptTo(_address, _session, callback) {
              attempts += 1;
              callback(Object.assign(new Error(`tente depois, ${email}`), { responseCode: 451 }));
            },
          })
        ).port
      : await startScriptedServer((socket) => {
          attempts += 1;
          talkUntilData(socket, () => socket.destroy());
        });
  if (kind === 'away') for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  await writeTestMail();
  const startedAt = clock.now().getTime();
  for (let row = await firstRow(); row?.due_at != null; row = await firstRow()) {
    clock.follow(row.due_at);
    expect(await sendMails(depsFor(port))).toBe(1);
  }
  expect(await firstRow()).toMatchObject({
    attempts: 10,
    sent_at: null,
    body: null,
    error: expect.any(String),
  });
  if (kind !== 'away') expect(attempts).toBe(10);
  const hours = (clock.now().getTime() - startedAt) / 3_600_000;
  expect(hours).toBeGreaterThan(24);
  expect(hours).toBeLessThan(26);
});

/** Behaves like a mail server until the text of the mail arrives, and then calls `onText`. */
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
])('a server that %s delays nobody, and its mail is retried', async (_what, script) => {
  let closed = false;
  const port = await startScriptedServer((socket) => {
    socket.on('close', () => (closed = true));
    script(socket);
  });
  const send = createSmtp(smtpOf(`smtp://127.0.0.1:${port}`), { timeoutMs: 200 });
  const mail = { id: crypto.randomUUID(), recipient: email, subject: 'x', text: 'x' };
  const error = await send(mail).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(SmtpFailure);
  expect(error).toMatchObject({ isFinal: false });
  await expect.poll(() => closed).toBe(true);
});

function smtpOf(url: string): SmtpConfig {
  const { mail } = readConfig({ SMTP_URL: url, MAIL_FROM: 'nao-responda@example.com' });
  if (mail.goes !== 'by smtp') throw new Error('There is no SMTP server in these settings.');
  return mail;
}

test('an ambiguous or multiple address gets no mail', async () => {
  const { received, port } = await startMailServer();
  for (const to of [
    'a,vitima@example.com',
    'a;vitima@example.com',
    '<vitima@example.com',
    '"a<b>"@example.com',
  ])
    await writeTestMail({ to });
  while ((await sendMails(depsFor(port))) > 0);
  expect(received).toEqual([]);
  expect((await rows()).map(({ error }) => error)).toEqual(Array(4).fill('address'));
});

test('TLS is required of a remote server, and its certificate is verified', async () => {
  expect(transportOptions(smtpOf('smtp://mail.example.com'))).toMatchObject({ port: 587, requireTLS: true });
  expect(transportOptions(smtpOf('smtps://mail.example.com'))).toMatchObject({ port: 465, secure: true });
  const { received, port } = await startMailServer();
  const mail = { id: crypto.randomUUID(), recipient: email, subject: 'x', text: 'x' };
  const tlsRequired: SmtpConfig = { ...smtpOf(`smtp://127.0.0.1:${port}`), tls: 'demanded' };
  await expect(createSmtp(tlsRequired)(mail)).rejects.toBeInstanceOf(SmtpFailure);
  const unverifiedServer = await startMailServer({
    secure: true,
    ...createSelfSignedCertificate('localhost'),
  });
  await expect(createSmtp(smtpOf(`smtps://localhost:${unverifiedServer.port}`))(mail)).rejects.toBeInstanceOf(
    SmtpFailure,
  );
  expect([...received, ...unverifiedServer.received]).toEqual([]);
});

test('user and password of the settings are sent to the server, and are in no log or row', async () => {
  const logins: unknown[] = [];
  const { received, port } = await startMailServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, callback) {
      logins.push([username, password]);
      if (logins.length > 1) return callback(null, { user: username });
      callback(new Error(`wrong password ${password}`));
    },
  });
  const config = configFor(port, { SMTP_URL: `smtp://jangada%40example.com:se%3Agredo@127.0.0.1:${port}` });
  await writeTestMail();
  await sendMails(deps(config));
  clock.shift(60_000);
  await sendMails(deps(config));
  expect(received).toHaveLength(1);
  expect(logins).toEqual(Array(2).fill(['jangada@example.com', 'se:gredo']));
  expect(logLines.length).toBeGreaterThan(0);
  expect(JSON.stringify([logLines, await rows()])).not.toContain('gredo');
});

const makeRecoveryLink = (lifetimeMs = 60_000) =>
  inTransaction({ db, clock }, (tx) => createMailLink(tx, { userId, purpose: 'password', lifetimeMs }));

test('a link is the same in each retry, leads to its own id, and is in no row and no log', async () => {
  const { received, port } = await startMailServer({
    onRcptTo(_address, _session, callback) {
      const first = received.length === 0 && logLines.length === 0;
      callback(first ? Object.assign(new Error('later'), { responseCode: 451 }) : null);
    },
  });
  const linkId = await makeRecoveryLink();
  await writeTestMail({ kind: 'password-recovery', linkId });
  await sendMails(depsFor(port));
  clock.shift(20_000);
  await sendMails(depsFor(port));
  const [token = ''] =
    /(?<=redefinir-senha\?token=3D)[\w-]+/.exec(received[0]?.raw.replace(/=\r\n/g, '') ?? '') ?? [];
  expect(verifyLinkToken(secrets, token)).toBe(linkId);
  expect(verifyLinkToken(createSecrets(Buffer.alloc(32, 8)), token)).toBeUndefined();
  expect(logLines).toHaveLength(1);
  const stored = JSON.stringify([
    logLines,
    await rows(),
    await db.selectFrom('mail_links').selectAll().execute(),
  ]);
  expect(stored).not.toContain(token.slice(22));
  expect(logLines.join()).not.toContain(email);
});

test.each(['used', 'cancelled', 'expired'])(
  'a mail whose link was %s before sending is not sent',
  async (ending) => {
    const { received, port } = await startMailServer();
    const linkId = await makeRecoveryLink();
    await writeTestMail({ kind: 'password-recovery', linkId });
    if (ending === 'expired') clock.shift(60_000);
    else
      await inTransaction({ db, clock }, async (tx) => {
        if (ending === 'used') await consumeMailLink(tx, linkId, 'password');
        else await cancelMailLinks(tx, userId, 'password');
      });
    await sendMails(depsFor(port));
    expect(received).toEqual([]);
    expect(await firstRow()).toMatchObject({ due_at: null, body: null, error: 'its link has ended' });
  },
);

test('queued mails are deleted if mail is disabled', async () => {
  await writeTestMail();
  await sendMails(deps(readConfig({ SANDBOX_PUBLIC: '1' })));
  expect(await rows()).toEqual([]);
});

test('the sandbox stores mails for a week; elsewhere a sent mail leaves only a record, for three months', async () => {
  const config = readConfig({});
  await writeTestMail();
  await sendMails(deps(config));
  clock.shift(7 * 86_400_000 - 60_000);
  await pruneMails({ db, clock, config });
  expect(await rows()).toHaveLength(1);
  clock.shift(60_000);
  await pruneMails({ db, clock, config: configFor(25) });
  expect(await rows()).toHaveLength(1);
  await pruneMails({ db, clock, config });
  expect(await rows()).toEqual([]);
});

test('invalid mail settings are refused by name', () => {
  const refusalOf = (env: Record<string, string>) => {
    try {
      readConfig(env);
    } catch (error) {
      return String(error);
    }
    return 'taken';
  };
  expect(refusalOf({ SMTP_URL: 'smtp://mail.example.com' })).toContain('MAIL_FROM');
  for (const url of ['http://mail.example.com', 'smtp://', 'smtp://mail.example.com/?tls=off'])
    expect(refusalOf({ SMTP_URL: url, MAIL_FROM: 'a@example.com' })).toContain('SMTP_URL');
  for (const from of ['ninguem', 'a@b, c@d', 'A <a@b> c', 'a@b\r\nBcc: c@d'])
    expect(refusalOf({ SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: from })).toContain('MAIL_FROM');
});
