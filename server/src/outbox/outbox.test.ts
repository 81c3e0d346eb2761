import { type LiveMessage, liveMessage } from '@jangada/contract';
import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/database.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { machineClock } from '../clock.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { movements, post } from '../ledger/index.ts';
import { announce } from './announce.ts';
import {
  ANNOUNCEMENTS_CHANNEL,
  createListener,
  createOutbox,
  type Listener,
  type Outbox,
  readAnnouncement,
  writeMessages,
} from './index.ts';
import { lockAnnouncing } from './store.ts';

const log = pino({ level: 'silent' });
const clock = machineClock;
let database: TestDatabase;
let pool: pg.Pool;
let db: Db;
const stopping: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await testDatabase();
  pool = createPool({ url: database.appUrl });
  db = createDb(pool);
});
afterEach(async () => {
  for (const stop of stopping.splice(0).reverse()) await stop();
  await db.deleteFrom('outbox').execute();
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

type Heard = { readonly merchantId: number; readonly message: unknown };

/** Listens to announcements like a web process, and parses them like a screen. */
async function hearing(): Promise<{ heard: Heard[]; gaps: () => number; listener: Listener }> {
  const heard: Heard[] = [];
  let gaps = 0;
  const listener = createListener({ url: database.appUrl, log });
  listener.on(ANNOUNCEMENTS_CHANNEL, (payload) => {
    for (const { merchantId, message } of readAnnouncement(payload))
      heard.push({ merchantId, message: liveMessage.parse(JSON.parse(message)) });
  });
  listener.onGap(() => {
    gaps += 1;
  });
  await listener.start();
  stopping.push(() => listener.stop());
  return { heard, gaps: () => gaps, listener };
}

function started(): Outbox {
  const outbox = createOutbox({ db, clock, log });
  outbox.start();
  stopping.push(() => outbox.stop());
  return outbox;
}

function charge(id: string): LiveMessage {
  return { type: 'charge', charge: { id, status: 'paid', amount: 10, credited_amount: 9.5, paid_at: null } };
}

const write = (merchantId: number, ids: readonly string[]) =>
  inTransaction({ db, clock }, (tx) =>
    writeMessages(
      tx,
      ids.map((id) => ({ merchantId, message: charge(id) })),
    ),
  );

const messagesIn = (heard: readonly Heard[]) => heard.map(({ message }) => liveMessage.parse(message));
const idsOf = (heard: readonly Heard[]) =>
  messagesIn(heard).flatMap((message) => (message.type === 'charge' ? [message.charge.id] : []));

const receive = (merchantId: number, reference: string, amountCents: number) =>
  inTransaction({ db, clock }, async (tx) => {
    await post(
      tx,
      movements.paymentReceived({ merchantId, reference, amountCents, feeCents: 0, reserveCents: 0 }),
    );
    await writeMessages(tx, [{ merchantId, message: charge(reference) }]);
  });

test('committed messages are announced to every process, in order, followed by the balance', async () => {
  const merchantId = await insertMerchant(db);
  const [one, other, outbox] = [await hearing(), await hearing(), started()];
  await receive(merchantId, 'first', 1050);
  await receive(merchantId, 'second', 2000);
  outbox.wake();

  const balance = { merchantId, message: { type: 'balance', balance: 30.5 } };
  await expect.poll(() => one.heard.at(-1)).toEqual(balance);
  await expect.poll(() => other.heard.at(-1)).toEqual(balance);
  expect(idsOf(one.heard)).toEqual(['first', 'second']);
  expect(one.heard[0]).toEqual({ merchantId, message: charge('first') });
  expect(await db.selectFrom('outbox').selectAll().execute()).toEqual([]);
});

test('each merchant gets only their own messages and balance', async () => {
  const merchants = [await insertMerchant(db), await insertMerchant(db)] as const;
  await receive(merchants[0], 'of the first', 100);
  await receive(merchants[1], 'of the second', 200);
  const { heard } = await hearing();
  started();
  await expect.poll(() => heard.length).toBe(4);
  for (const [at, merchantId] of merchants.entries())
    expect(heard.filter((one) => one.merchantId === merchantId)).toEqual([
      { merchantId, message: charge(at === 0 ? 'of the first' : 'of the second') },
      { merchantId, message: { type: 'balance', balance: at + 1 } },
    ]);
});

test('messages of a process that crashed after its commit are announced by another', async () => {
  const merchantId = await insertMerchant(db);
  const { heard } = await hearing();
  started();
  await write(merchantId, ['orphan']);
  await expect.poll(() => idsOf(heard)).toEqual(['orphan']);
});

test('rolled back messages are never announced', async () => {
  const merchantId = await insertMerchant(db);
  const { heard } = await hearing();
  const outbox = started();
  const broken = inTransaction({ db, clock }, async (tx) => {
    await writeMessages(tx, [{ merchantId, message: charge('undone') }]);
    throw new Error('rolled back');
  });
  await expect(broken).rejects.toThrow('rolled back');
  await write(merchantId, ['done']);
  outbox.wake();
  await expect.poll(() => idsOf(heard)).toEqual(['done']);
});

test('a failed announcement leaves its messages for the next one', async () => {
  const merchantId = await insertMerchant(db);
  await write(merchantId, ['kept']);
  const { heard } = await hearing();
  const failing = inTransaction({ db, clock }, async (tx) => {
    await tx.db.deleteFrom('outbox').execute();
    throw new Error('died before the commit');
  });
  await expect(failing).rejects.toThrow('died');
  await announce({ db, clock, log });
  await expect.poll(() => idsOf(heard)).toEqual(['kept']);
});

test('thousands of messages are split over several notices, each announced once', async () => {
  const merchantId = await insertMerchant(db);
  const { heard } = await hearing();
  const ids = Array.from({ length: 2500 }, (_, at) => `charge ${at} ${'ã'.repeat(at % 90)}`);
  await write(merchantId, ids);
  started();
  await expect.poll(() => idsOf(heard).length).toBe(ids.length);
  expect(idsOf(heard)).toEqual(ids);
});

test('a message too long for a notice is logged, and delays no other', async () => {
  const merchantId = await insertMerchant(db);
  const { heard } = await hearing();
  await write(merchantId, ['before', 'x'.repeat(9000), 'after']);
  await write(merchantId, ['y'.repeat(9000)]);
  const lines: string[] = [];
  await announce({ db, clock, log: pino({}, { write: (line) => void lines.push(line) }) });
  await expect.poll(() => idsOf(heard)).toEqual(['before', 'after']);
  expect(lines.map((line) => JSON.parse(line))).toEqual([expect.objectContaining({ tooLong: 2 })]);
});

test('the longest message that fits is announced', async () => {
  const merchantId = await insertMerchant(db);
  const { heard } = await hearing();
  const around = Buffer.byteLength(`${merchantId} ${JSON.stringify(charge(''))}`);
  const longest = 'x'.repeat(7991 - around);
  await write(merchantId, [longest, `${longest}x`]);
  started();
  await expect.poll(() => idsOf(heard)).toEqual([longest]);
});

test('messages to hundreds of merchants at once take a few rows, each a notice', async () => {
  const merchants = await Promise.all(Array.from({ length: 300 }, () => insertMerchant(db)));
  const { heard } = await hearing();
  await inTransaction({ db, clock }, (tx) =>
    writeMessages(
      tx,
      merchants.map((merchantId) => ({ merchantId, message: { type: 'balance', balance: merchantId } })),
    ),
  );
  const rows = await db.selectFrom('outbox').select(['payload', 'merchant_ids']).orderBy('id').execute();
  expect(rows.flatMap((row) => row.merchant_ids)).toEqual(merchants);
  const expected = merchants.map((merchantId) => `${merchantId} {"type":"balance","balance":${merchantId}}`);
  expect(rows.map((row) => row.payload).join('\n')).toBe(expected.join('\n'));
  expect(rows.length).toBeLessThan(4);
  started();
  await expect.poll(() => heard.length).toBe(600);
  expect(heard.slice(0, 300).map(({ merchantId }) => merchantId)).toEqual(merchants);
  expect(new Set(heard.slice(300).map(({ merchantId }) => merchantId))).toEqual(new Set(merchants));
});

test('the content of a message cannot break its line', async () => {
  const merchantId = await insertMerchant(db);
  const { heard } = await hearing();
  const ids = [
    '\n',
    '\n\n',
    `\n${merchantId} {}`,
    '"',
    '\\',
    '\\n',
    '\u2028',
    ' ',
    '',
    'NULL',
    '{}',
    'ção 🛶',
  ];
  await write(merchantId, ids);
  started();
  await expect.poll(() => idsOf(heard)).toEqual(ids);
});

test('concurrent announcers announce each message once, and the last balance is correct', async () => {
  const merchantId = await insertMerchant(db);
  const { heard } = await hearing();
  const outboxes = [started(), started(), started()];
  const references = Array.from({ length: 150 }, (_, at) => `payment ${at}`);
  const payers = Array.from({ length: 6 }, async (_, payer) => {
    for (const [at, reference] of references.entries()) {
      if (at % 6 !== payer) continue;
      await receive(merchantId, reference, 100);
      outboxes[at % 3]?.wake();
    }
  });
  await Promise.all(payers);
  await expect.poll(() => idsOf(heard).length).toBe(150);
  expect(idsOf(heard).toSorted()).toEqual(references.toSorted());
  const balances = messagesIn(heard).flatMap((message) =>
    message.type === 'balance' ? [message.balance] : [],
  );
  expect(balances.at(-1)).toBe(150);
  expect(balances).toEqual(balances.toSorted((one, next) => Number(one) - Number(next)));
});

test('an announcer waits for another one', async () => {
  const merchantId = await insertMerchant(db);
  await write(merchantId, ['waiting']);
  const [entered, leave] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = inTransaction({ db, clock }, async (tx) => {
    await lockAnnouncing(tx);
    entered.resolve();
    await leave.promise;
  });
  await entered.promise;
  const second = announce({ db, clock, log });
  const waiting =
    "select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'";
  await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(1);
  leave.resolve();
  await first;
  expect(await second).toBe(1);
});

test('a process that lost its listening connection reconnects, and knows that it missed messages', async () => {
  const merchantId = await insertMerchant(db);
  const { heard, gaps } = await hearing();
  const outbox = started();
  const ended = await pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'jangada listener' and datname = current_database()",
  );
  expect(ended.rowCount).toBe(1);
  await expect.poll(gaps).toBe(1);
  await write(merchantId, ['after the break']);
  outbox.wake();
  await expect.poll(() => idsOf(heard)).toEqual(['after the break']);
});

test('a listener continues after an unreadable message', async () => {
  const { heard } = await hearing();
  const merchantId = await insertMerchant(db);
  const outbox = started();
  await pool.query('select pg_notify($1, $2)', [ANNOUNCEMENTS_CHANNEL, 'not an announcement']);
  await write(merchantId, ['understood']);
  outbox.wake();
  await expect.poll(() => idsOf(heard)).toEqual(['understood']);
});
