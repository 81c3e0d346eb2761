import { once } from 'node:events';
import { connect } from 'node:net';
import { sql } from 'kysely';
import { pino } from 'pino';
import { request } from 'undici';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { createAdjustableClock } from '../../clock.ts';
import { readConfig } from '../../config.ts';
import { createDb, createPool, type Db } from '../../db/pool.ts';
import { createServer } from '../../http/server.ts';
import { createSecrets } from '../../secrets.ts';
import { type ConnectedBank, createBanks, HOUSE_CONNECTION } from '../bank.ts';
import { callbacksOf } from '../connect-bank.ts';
import { storeNotices } from '../inbox.ts';
import type { Psp } from '../psp.ts';
import { mountNotices, noticePath, ownAccountOf } from './notice-routes.ts';

const config = readConfig({ PSP_WEBHOOK_PROOF: 'x-verified: SUCCESS', PSP_WEBHOOK_CIDRS: '127.0.0.0/8' });
const secrets = createSecrets(Buffer.alloc(32, 7));
const house: ConnectedBank = {
  connection: { id: HOUSE_CONNECTION, pixKey: config.pixKey },
  callbacks: callbacksOf(config.psp),
  psp: {} as Psp,
};
const second: ConnectedBank = {
  connection: { id: 2, pixKey: 'emporio@example.com' },
  callbacks: { adapter: 'efi', webhookCidrs: [], webhookProofHeader: { name: 'x-second', value: 'YES' } },
  psp: {} as Psp,
};
const flooding: ConnectedBank = { ...second, connection: { id: 7, pixKey: 'enchente@example.com' } };
const crowded: ConnectedBank = { ...second, connection: { id: 8, pixKey: 'lotada@example.com' } };
const subscribed: ConnectedBank = { ...second, connection: { id: 9, pixKey: 'academia@example.com' } };
const debited: ConnectedBank = { ...second, connection: { id: 10, pixKey: 'escola@example.com' } };
const pathOf = (bank: ConnectedBank) => noticePath({ ...bank, secrets });
const path = pathOf(house);
const proof = { 'x-verified': 'SUCCESS' };
const logLines: string[] = [];
const log = pino({ level: 'info' }, { write: (line) => void logLines.push(line) });
const server = createServer({ config, log, contentSecurityPolicy: '', requestTimeoutMs: 3000 });

let database: TestDatabase;
let db: Db;
let url: string;
// The notices that the sink was given, what it reports as its capacity, and how often it was woken.
const takenIds: string[] = [];
let freeCapacity = Number.POSITIVE_INFINITY;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(createPool({ url: database.appUrl, max: 4 }));
  mountNotices(
    server,
    {
      db,
      clock: createAdjustableClock(),
      banks: createBanks(house, [second, flooding, crowded, subscribed, debited]),
      secrets,
      config: { rateLimit: 6000 },
    },
    {
      freeCapacity: () => freeCapacity,
      take: (notices) => takenIds.push(...notices.map(({ endToEndId }) => endToEndId)),
    },
  );
  url = await server.listen({ host: '127.0.0.1', port: 0 });
});
beforeEach(async () => {
  const owner = createPool({ url: database.ownerUrl, max: 1 });
  await owner.query('delete from psp_inbox; delete from bank_hints');
  await owner.end();
  logLines.length = 0;
  takenIds.length = 0;
  freeCapacity = Number.POSITIVE_INFINITY;
});
afterAll(async () => {
  await server.close();
  await db.destroy();
  await database.drop();
});

async function sendNotice(
  body: unknown,
  { toPath = `${path}/pix`, headers = proof as Record<string, string> } = {},
) {
  const response = await request(url + toPath, {
    method: 'POST',
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
  return { status: response.statusCode, text: await response.body.text() };
}

/** A notice as stored; `told` is the callback's item. */
type StoredNotice = { endToEndId: string; told: unknown };
async function readInbox(): Promise<StoredNotice[]> {
  const { rows } = await sql<StoredNotice>`
    select notice ->> 'endToEndId' as "endToEndId", notice -> 'told' as told
    from psp_inbox, json_array_elements(notices) with ordinality stored (notice, ordinal) order by id, ordinal
  `.execute(db);
  return rows;
}
const idOf = (number: number) => `E0000000020260101${String(number).padStart(15, '0')}`;
const item = (number: number, more = {}) => ({ endToEndId: idOf(number), valor: '1.00', ...more });

test('a call with a wrong path, or not from the bank, gets the usual 404 before its body is read', async () => {
  const port = Number(new URL(url).port);
  for (const [toPath, header] of [
    ['/psp/sandbox/guess/pix', 'x-verified: SUCCESS'],
    [`${path}/pix`, 'x-verified: NO'],
  ]) {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `POST ${toPath} HTTP/1.1\r\nhost: localhost\r\n${header}\r\ncontent-type: application/json\r\ncontent-length: 900000\r\n\r\n{`,
    );
    const [data] = await once(socket, 'data');
    expect(String(data)).toMatch(/^HTTP\/1.1 404 .*"NOT_FOUND"/s);
    socket.destroy();
  }
  expect(await sendNotice({ pix: [item(1)] }, { headers: {} })).toMatchObject({ status: 404 });
  expect(await readInbox()).toEqual([]);
});

test('the registered URL itself, without a suffix, responds to the bank’s test call and stores notices', async () => {
  for (const body of ['', '{}', '{"evento":"teste_webhook"}']) {
    expect(await sendNotice(body, { toPath: path })).toMatchObject({ status: 200 });
    expect(await sendNotice(body)).toMatchObject({ status: 200 });
  }
  expect(await sendNotice({}, { toPath: '/psp/sandbox/guess' })).toMatchObject({ status: 404 });
  expect(takenIds).toEqual([]);
  expect(await sendNotice({ pix: [item(1)] }, { toPath: path })).toMatchObject({ status: 200 });
  expect(await readInbox()).toHaveLength(1);
  expect(takenIds).toEqual([idOf(1)]);
});

test('each connection has a path and a proof of its own, and its notices are told apart from those of the others', async () => {
  const proofOfSecond = { 'x-second': 'YES' };
  const toSecond = { toPath: pathOf(second), headers: proofOfSecond };
  expect(await sendNotice({ pix: [item(1)] }, toSecond)).toMatchObject({ status: 200 });
  expect(await sendNotice({ pix: [item(1)] })).toMatchObject({ status: 200 });
  const rows = await db.selectFrom('psp_inbox').select('connection_id').orderBy('id').execute();
  expect(rows.map((row) => row.connection_id)).toEqual([2, HOUSE_CONNECTION]);

  const secretOf = (bank: ConnectedBank) => pathOf(bank).split('/').at(-1);
  const refused: { toPath: string; headers: Record<string, string> }[] = [
    { toPath: pathOf(second), headers: proof },
    { toPath: path, headers: proofOfSecond },
    { toPath: `/psp/efi/2/${secretOf(house)}`, headers: proofOfSecond },
    { toPath: `/psp/efi/${secretOf(second)}`, headers: proofOfSecond },
    { toPath: `/psp/sandbox/1/${secretOf(house)}`, headers: proof },
    { toPath: `/psp/sandbox/2/${secretOf(second)}`, headers: proofOfSecond },
    ...['3', '02', '2.0', '-2', 'NaN', '9'.repeat(30)].map((id) => ({
      toPath: `/psp/efi/${id}/${secretOf(second)}`,
      headers: proofOfSecond,
    })),
  ];
  for (const call of refused)
    expect(await sendNotice({ pix: [item(2)] }, call), call.toPath).toMatchObject({ status: 404 });
  expect(await readInbox()).toHaveLength(2);
});

test('an account that is not in use yet has a URL, which its bank may test; nothing that it says is stored', async () => {
  const draft = { ...second, connection: { id: 3, pixKey: 'rascunho@example.com' } };
  const toPath = pathOf(draft);
  expect((await sendNotice({}, { toPath })).status).toBe(200);
  expect((await sendNotice({ pix: [item(1)] }, { toPath })).status).toBe(404);
  expect((await sendNotice({}, { toPath: toPath.replace('/3/', '/4/') })).status).toBe(404);
  expect(await readInbox()).toEqual([]);
  const ownerOf = (path: string) => ownAccountOf({ secrets }, `https://pix.example${path}`);
  expect([toPath, `${toPath}x`, path].map(ownerOf)).toEqual([3, undefined, undefined]);
});

test('the bank of a merchant’s own account that floods is refused for a minute, and no other bank', async () => {
  const toFlooding = { toPath: pathOf(flooding), headers: { 'x-second': 'YES' } };
  const full = (from: number) => ({ pix: Array.from({ length: 1000 }, (_, index) => item(from + index)) });
  for (const from of [0, 1000]) expect((await sendNotice(full(from), toFlooding)).status).toBe(200);
  const excess = await sendNotice({ pix: [item(5000)] }, toFlooding);
  expect([excess.status, excess.text.includes('RATE_LIMITED')]).toEqual([429, true]);
  expect(await readInbox()).toHaveLength(2000);
  expect((await sendNotice({ pix: [item(5000)] })).status).toBe(200);
  const statuses = new Set<number>();
  for (let count = 0; count < 1000; count += 1) statuses.add((await sendNotice({}, toFlooding)).status);
  expect([...statuses]).toEqual([200, 429]);
  expect((await sendNotice({})).status).toBe(200);
});

test('of a merchant’s own account, of which 5,000 notices wait, no more are stored until some are done', async () => {
  const toCrowded = { toPath: pathOf(crowded), headers: { 'x-second': 'YES' } };
  const notices = Array.from({ length: 4999 }, (_, number) => ({ endToEndId: idOf(number), told: null }));
  await storeNotices({ db, now: new Date() }, [{ connectionId: crowded.connection.id, notices }]);
  expect((await sendNotice({ pix: [item(5000)] }, toCrowded)).status).toBe(200);
  expect((await sendNotice({ pix: [item(5001)] }, toCrowded)).status).toBe(429);
  expect((await sendNotice({ pix: [item(5001)] })).status).toBe(200);
  const owner = createPool({ url: database.ownerUrl, max: 1 });
  await owner.query("update psp_inbox set state = 'done', finished_at = now() where size = 500");
  await owner.end();
  expect((await sendNotice({ pix: [item(5001)] }, toCrowded)).status).toBe(200);
});

test('of the bank of a merchant’s own account, no long item is kept, but its Pix is asked about', async () => {
  const toSecond = { toPath: pathOf(second), headers: { 'x-second': 'YES' } };
  const long = item(1, { infoPagador: 'a'.repeat(100_000) });
  expect((await sendNotice({ pix: [long, item(2)] }, toSecond)).status).toBe(200);
  expect(await readInbox()).toEqual([
    { endToEndId: idOf(1), told: null },
    { endToEndId: idOf(2), told: item(2) },
  ]);
  await sendNotice({ pix: [long] });
  expect((await readInbox()).at(-1)).toEqual({ endToEndId: idOf(1), told: long });
});

test.for(['[]', '"text"', '{"pix":7}', '7'])('%s is refused as a notice', async (body) => {
  expect(await sendNotice(body)).toMatchObject({ status: 400 });
});

test('invalid items are ignored, and the others stored', async () => {
  const invalidItems = [
    null,
    7,
    {},
    { endToEndId: 'short' },
    { endToEndId: `${'x'.repeat(30)}\0` },
    { endToEndId: 7 },
  ];
  expect(await sendNotice({ pix: [item(1), ...invalidItems, item(2), item(1)] })).toMatchObject({
    status: 200,
  });
  expect((await readInbox()).map(({ endToEndId }) => endToEndId)).toEqual([idOf(1), idOf(2)]);
  expect(logLines.join()).toContain('"ignored":6');
});

test('at most a thousand items of one call are stored', async () => {
  const items = Array.from({ length: 1002 }, (_, number) => item(number));
  expect(await sendNotice({ pix: items })).toMatchObject({ status: 200 });
  expect(await readInbox()).toHaveLength(1000);
  expect(logLines.join()).toContain('"ignored":2');
});

test('notices that the sink takes are due for others only later; those above its capacity are due immediately', async () => {
  await sendNotice({ pix: [item(1)] });
  freeCapacity = 0;
  await sendNotice({ pix: [item(2)] });
  const rows = await db
    .selectFrom('psp_inbox')
    .select(['attempts', 'received_at', 'due_at'])
    .orderBy('id')
    .execute();
  const waits = rows.map((row) => [row.attempts, row.due_at.getTime() - row.received_at.getTime()]);
  expect(waits).toEqual([
    [1, 10_000],
    [0, 0],
  ]);
  expect(takenIds).toEqual([idOf(1)]);
});

const readHints = () =>
  db.selectFrom('bank_hints').select(['kind', 'reference']).orderBy('kind').orderBy('reference').execute();

test('payouts and disputes become hints, and are not stored as notices', async () => {
  const payoutItem = (idEnvio: unknown, more = {}) => ({
    ...item(1, { tipo: 'SOLICITACAO', status: 'REALIZADO', horario: null, gnExtras: { idEnvio } }),
    ...more,
  });
  const returned = { rtrId: 'D1', valor: '1.00', status: 'DEVOLVIDO' };
  const pix = [
    payoutItem('envio1'),
    payoutItem('envio1', { devolucoes: [returned] }),
    payoutItem('envio2', { endToEndId: null }),
    item(2, { tipo: 'INFRACAO', idInfracao: '7', status: 'ABERTA' }),
    payoutItem('not an id'),
    item(3, { tipo: 'SOLICITACAO' }),
    { tipo: 'INFRACAO', endToEndId: 'short' },
  ];
  expect(await sendNotice({ pix })).toMatchObject({ status: 200 });
  expect(await readHints()).toEqual([
    { kind: 'dispute', reference: idOf(2) },
    { kind: 'payout', reference: 'envio1' },
    { kind: 'payout', reference: 'envio2' },
  ]);
  expect(await readInbox()).toEqual([]);
  expect(takenIds).toEqual([]);
  expect(logLines.join()).toContain('"ignored":3');
});

test('changes of mandates and debits become hints, each once, at the URLs that the bank calls for them', async () => {
  const idRec = 'RR1026652320240821lab77511abf';
  const txid = '3136957d93134f2184b369e8f1c0729d';
  const recs = [
    { idRec, status: 'APROVADA' },
    { idRec, status: 'CANCELADA' },
    { idRec: 7 },
    { idRec: 'x\0' },
  ];
  const cobsr = [{ idRec, txid, status: 'ATIVA' }, { txid }, null, { idRec }];
  expect(await sendNotice({ recs }, { toPath: `${path}/rec` })).toMatchObject({ status: 200 });
  expect(await sendNotice({ cobsr }, { toPath: `${path}/cobr` })).toMatchObject({ status: 200 });
  const hints = [
    { kind: 'debit', reference: txid },
    { kind: 'mandate', reference: idRec },
  ];
  expect(await readHints()).toEqual(hints);
  // Some banks call the URL as it is. The payment of a debit may come with it.
  expect((await sendNotice({ recs, cobsr, pix: [item(1)] }, { toPath: path })).status).toBe(200);
  expect(await readHints()).toEqual(hints);
  const rows = await db.selectFrom('bank_hints').select('times_received').execute();
  expect(rows.map((row) => row.times_received)).toEqual([2, 2]);
  expect(takenIds).toEqual([idOf(1)]);
  expect(logLines.join()).toContain('"ignored":2');
});

test('notices about mandates and debits are told apart, refused and limited as all others are', async () => {
  const rec = { idRec: 'RR1026652320240821lab77511abf' };
  for (const suffix of ['rec', 'cobr']) {
    expect(await sendNotice({ recs: [rec] }, { toPath: `/psp/sandbox/guess/${suffix}` })).toMatchObject({
      status: 404,
    });
    expect(await sendNotice({ recs: [rec] }, { toPath: `${path}/${suffix}`, headers: {} })).toMatchObject({
      status: 404,
    });
    expect((await sendNotice({}, { toPath: `${path}/${suffix}` })).status).toBe(200);
  }
  for (const body of ['{"recs":7}', '{"cobsr":{}}', '{"recs":[],"cobsr":null}'])
    expect((await sendNotice(body, { toPath: `${path}/rec` })).status).toBe(400);
  expect(await readHints()).toEqual([]);
  const toSubscribed = { toPath: `${pathOf(subscribed)}/rec`, headers: { 'x-second': 'YES' } };
  const recs = Array.from({ length: 1002 }, (_, number) => ({ idRec: `RR${number}` }));
  expect((await sendNotice({ recs }, toSubscribed)).status).toBe(200);
  expect(logLines.join()).toContain('"ignored":2');
  const stored = await db.selectFrom('bank_hints').select('connection_id').execute();
  expect(new Set(stored.map((row) => row.connection_id))).toEqual(new Set([subscribed.connection.id]));
  expect(stored).toHaveLength(1000);
  // In a minute no more than two thousand subjects of an account of a merchant's own.
  await sendNotice({ recs: recs.slice(0, 900) }, toSubscribed);
  expect((await sendNotice({ recs: recs.slice(0, 200) }, toSubscribed)).status).toBe(429);
});

test('after a notice about a debit its account is looked at for the Pix that paid it', async () => {
  const { id } = debited.connection;
  const isLookedAt = async () =>
    (await db.selectFrom('bank_looks').select('kind').where('connection_id', '=', id).execute()).length > 0;
  const toDebited = { toPath: `${pathOf(debited)}/cobr`, headers: { 'x-second': 'YES' } };
  await sendNotice({ recs: [{ idRec: 'RR1' }] }, toDebited);
  expect(await isLookedAt()).toBe(false);
  await sendNotice({ cobsr: [{ txid: 'a1' }] }, toDebited);
  expect(await isLookedAt()).toBe(true);
});

test('a returned Pix becomes a hint and a notice, since the Pix may not be booked so far', async () => {
  const returned = { id: 'r1', valor: '1.00', status: 'DEVOLVIDO' };
  const pix = [
    item(1, { devolucoes: [returned] }),
    item(2, { devolucoes: returned }),
    item(3, { devolucoes: [] }),
    item(4, { devolucoes: null }),
    item(5),
  ];
  await sendNotice({ pix });
  expect(await readHints()).toEqual([1, 2].map((number) => ({ kind: 'return', reference: idOf(number) })));
  expect(takenIds).toEqual([1, 2, 3, 4, 5].map(idOf));
});

test('concurrent calls each get a response, and all their notices are stored', async () => {
  const bodies = Array.from({ length: 40 }, (_, number) => ({ pix: [item(number)] }));
  const responses = await Promise.all(bodies.map((body) => sendNotice(body)));
  expect(responses.every(({ status }) => status === 200)).toBe(true);
  expect((await readInbox()).map(({ endToEndId }) => endToEndId).sort()).toEqual(
    bodies.map((_, n) => idOf(n)),
  );
});

test('texts that PostgreSQL cannot store are stored without the invalid characters', async () => {
  const note = { infoPagador: 'a\0\0b\\u0000\ud800c😀', 'k\0ey': '\\\0' };
  expect(await sendNotice({ pix: [item(1, note)] })).toMatchObject({ status: 200 });
  const [stored] = await readInbox();
  expect(stored?.told).toEqual(item(1, { infoPagador: 'ab\\u0000c😀', key: '\\' }));
});

test('a notice in Latin-1 is accepted, although an API call would be refused', async () => {
  const notice = JSON.stringify({ pix: [item(1, { infoPagador: 'Algodão' })] });
  expect(await sendNotice(Buffer.from(notice, 'latin1'))).toMatchObject({ status: 200 });
  expect(await readInbox()).toMatchObject([{ endToEndId: idOf(1) }]);
});

test('the path’s secret is in no log line, whatever is requested below it', async () => {
  const secret = path.split('/').at(-1) ?? '';
  for (const toPath of [path, `${path}/pix`, `${path}/other`, `${path}/pix/`, `${path}/%zz`, `/${path}/pix`])
    await sendNotice('{}', { toPath });
  for (const method of ['GET', 'PUT'] as const)
    await request(`${url}${path}/pix`, { method }).then(discardBody);
  expect(logLines.length).toBeGreaterThan(5);
  expect(logLines.join()).not.toContain(secret);
});

const discardBody = ({ body }: { readonly body: { dump(): Promise<void> } }) => body.dump();

test('an excessively nested notice is refused before it is parsed', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  for (const body of [`{"pix":${deep}}`, `{"pix":[{"endToEndId":"${idOf(1)}","more":${deep}}]}`]) {
    const { status, text } = await sendNotice(body);
    expect([status, JSON.parse(text).error.code]).toEqual([400, 'INVALID_BODY']);
  }
  expect(await readInbox()).toEqual([]);
});
