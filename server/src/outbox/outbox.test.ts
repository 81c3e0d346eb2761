import { type LiveMessage, liveMessage } from '@jangada/contract';
import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { insertConnection } from '../../test/connection-row.ts';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
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
const cleanUps: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({ url: database.appUrl });
  db = createDb(pool);
});
afterEach(async () => {
  for (const stop of cleanUps.splice(0).reverse()) await stop();
  await db.deleteFrom('outbox').execute();
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

type ReceivedMessage = { readonly merchantId: number; readonly message: unknown };

/** Listens to announcements like a web process, and parses them like a screen. */
async function startListening(): Promise<{
  received: ReceivedMessage[];
  gapCount: () => number;
  listener: Listener;
}> {
  const received: ReceivedMessage[] = [];
  let gapCount = 0;
  const listener = createListener({ url: database.appUrl, log });
  listener.on(ANNOUNCEMENTS_CHANNEL, (payload) => {
    for (const { merchantId, message } of readAnnouncement(payload))
      received.push({ merchantId, message: liveMessage.parse(JSON.parse(message)) });
  });
  listener.onGap(() => {
    gapCount += 1;
  });
  await listener.start();
  cleanUps.push(() => listener.stop());
  return { received, gapCount: () => gapCount, listener };
}

function startOutbox(): Outbox {
  const outbox = createOutbox({ db, clock, log });
  outbox.start();
  cleanUps.push(() => outbox.stop());
  return outbox;
}

function chargeMessage(id: string): LiveMessage {
  return { type: 'charge', charge: { id, status: 'paid', amount: 10, credited_amount: 9.5, paid_at: null } };
}

const writeCharges = (merchantId: number, ids: readonly string[]) =>
  inTransaction({ db, clock }, (tx) =>
    writeMessages(
      tx,
      ids.map((id) => ({ merchantId, message: chargeMessage(id) })),
    ),
  );

const messagesIn = (received: readonly ReceivedMessage[]) =>
  received.map(({ message }) => liveMessage.parse(message));
const idsOf = (received: readonly ReceivedMessage[]) =>
  messagesIn(received).flatMap((message) => (message.type === 'charge' ? [message.charge.id] : []));

const receivePayment = (merchantId: number, reference: string, amountCents: number) =>
  inTransaction({ db, clock }, async (tx) => {
    await post(
      tx,
      movements.paymentReceived({ merchantId, reference, amountCents, feeCents: 0, reserveCents: 0 }),
    );
    await writeMessages(tx, [{ merchantId, message: chargeMessage(reference) }]);
  });

test('committed messages are announced to every process, in order, followed by the balance', async () => {
  const merchantId = await insertMerchant(db);
  const [first, second, outbox] = [await startListening(), await startListening(), startOutbox()];
  await receivePayment(merchantId, 'first', 1050);
  await receivePayment(merchantId, 'second', 2000);
  outbox.wake();

  const balance = { merchantId, message: { type: 'balance', balance: 30.5 } };
  await expect.poll(() => first.received.at(-1)).toEqual(balance);
  await expect.poll(() => second.received.at(-1)).toEqual(balance);
  expect(idsOf(first.received)).toEqual(['first', 'second']);
  expect(first.received[0]).toEqual({ merchantId, message: chargeMessage('first') });
  expect(await db.selectFrom('outbox').selectAll().execute()).toEqual([]);
});

test('each merchant gets only their own messages and balance', async () => {
  const merchants = [await insertMerchant(db), await insertMerchant(db)] as const;
  await receivePayment(merchants[0], 'of the first', 100);
  await receivePayment(merchants[1], 'of the second', 200);
  const { received } = await startListening();
  startOutbox();
  await expect.poll(() => received.length).toBe(4);
  for (const [index, merchantId] of merchants.entries())
    expect(received.filter((item) => item.merchantId === merchantId)).toEqual([
      { merchantId, message: chargeMessage(index === 0 ? 'of the first' : 'of the second') },
      { merchantId, message: { type: 'balance', balance: index + 1 } },
    ]);
});

test('screens of a merchant with accounts of their own read the account again, because its kind decides the balance', async () => {
  const merchantId = await insertMerchant(db);
  await insertConnection(db, merchantId, 'conta-propria@example.com');
  await receivePayment(merchantId, 'paid', 100);
  const { received } = await startListening();
  startOutbox();
  await expect.poll(() => received.at(-1)).toEqual({ merchantId, message: { type: 'account' } });
  expect(messagesIn(received).map(({ type }) => type)).toEqual(['charge', 'account']);
});

test('messages of a process that crashed after its commit are announced by another', async () => {
  const merchantId = await insertMerchant(db);
  const { received } = await startListening();
  startOutbox();
  await writeCharges(merchantId, ['orphan']);
  await expect.poll(() => idsOf(received)).toEqual(['orphan']);
});

test('rolled back messages are never announced', async () => {
  const merchantId = await insertMerchant(db);
  const { received } = await startListening();
  const outbox = startOutbox();
  const failingTransaction = inTransaction({ db, clock }, async (tx) => {
    await writeMessages(tx, [{ merchantId, message: chargeMessage('undone') }]);
    throw new Error('rolled back');
  });
  await expect(failingTransaction).rejects.toThrow('rolled back');
  await writeCharges(merchantId, ['done']);
  outbox.wake();
  await expect.poll(() => idsOf(received)).toEqual(['done']);
});

test('a failed announcement leaves its messages for the next one', async () => {
  const merchantId = await insertMerchant(db);
  await writeCharges(merchantId, ['kept']);
  const { received } = await startListening();
  const crashedAnnouncement = inTransaction({ db, clock }, async (tx) => {
    await tx.db.deleteFrom('outbox').execute();
    throw new Error('died before the commit');
  });
  await expect(crashedAnnouncement).rejects.toThrow('died');
  await announce({ db, clock, log });
  await expect.poll(() => idsOf(received)).toEqual(['kept']);
});

test('thousands of messages are split over several NOTIFY payloads, and each is announced once, in order', async () => {
  const merchantId = await insertMerchant(db);
  const { received } = await startListening();
  const ids = Array.from({ length: 2500 }, (_, index) => `charge ${index} ${'ã'.repeat(index % 90)}`);
  await writeCharges(merchantId, ids);
  startOutbox();
  await expect.poll(() => idsOf(received).length).toBe(ids.length);
  expect(idsOf(received)).toEqual(ids);
});

test('a message too long for NOTIFY is logged, and delays no other', async () => {
  const merchantId = await insertMerchant(db);
  const { received } = await startListening();
  await writeCharges(merchantId, ['before', 'x'.repeat(9000), 'after']);
  await writeCharges(merchantId, ['y'.repeat(9000)]);
  const lines: string[] = [];
  await announce({ db, clock, log: pino({}, { write: (line) => void lines.push(line) }) });
  await expect.poll(() => idsOf(received)).toEqual(['before', 'after']);
  expect(lines.map((line) => JSON.parse(line))).toEqual([expect.objectContaining({ tooLong: 2 })]);
});

test('the longest message that fits is announced', async () => {
  const merchantId = await insertMerchant(db);
  const { received } = await startListening();
  const overheadBytes = Buffer.byteLength(`${merchantId} ${JSON.stringify(chargeMessage(''))}`);
  const longest = 'x'.repeat(7991 - overheadBytes);
  await writeCharges(merchantId, [longest, `${longest}x`]);
  startOutbox();
  await expect.poll(() => idsOf(received)).toEqual([longest]);
});

test('messages to hundreds of merchants in one transaction take a few rows, each with one NOTIFY payload', async () => {
  const merchants = await Promise.all(Array.from({ length: 300 }, () => insertMerchant(db)));
  const { received } = await startListening();
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
  startOutbox();
  await expect.poll(() => received.length).toBe(600);
  expect(received.slice(0, 300).map(({ merchantId }) => merchantId)).toEqual(merchants);
  expect(new Set(received.slice(300).map(({ merchantId }) => merchantId))).toEqual(new Set(merchants));
});

test('the content of a message cannot break its line', async () => {
  const merchantId = await insertMerchant(db);
  const { received } = await startListening();
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
  await writeCharges(merchantId, ids);
  startOutbox();
  await expect.poll(() => idsOf(received)).toEqual(ids);
});

test('concurrent announcers announce each message once, and the last balance is correct', async () => {
  const merchantId = await insertMerchant(db);
  const { received } = await startListening();
  const outboxes = [startOutbox(), startOutbox(), startOutbox()];
  const references = Array.from({ length: 150 }, (_, index) => `payment ${index}`);
  const payers = Array.from({ length: 6 }, async (_, payer) => {
    for (const [index, reference] of references.entries()) {
      if (index % 6 !== payer) continue;
      await receivePayment(merchantId, reference, 100);
      outboxes[index % 3]?.wake();
    }
  });
  await Promise.all(payers);
  await expect.poll(() => idsOf(received).length).toBe(150);
  expect(idsOf(received).toSorted()).toEqual(references.toSorted());
  const balances = messagesIn(received).flatMap((message) =>
    message.type === 'balance' ? [message.balance] : [],
  );
  expect(balances.at(-1)).toBe(150);
  expect(balances).toEqual(balances.toSorted((left, right) => Number(left) - Number(right)));
});

test('an announcer waits for another one', async () => {
  const merchantId = await insertMerchant(db);
  await writeCharges(merchantId, ['waiting']);
  const [hasLock, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = inTransaction({ db, clock }, async (tx) => {
    await lockAnnouncing(tx);
    hasLock.resolve();
    await release.promise;
  });
  await hasLock.promise;
  const second = announce({ db, clock, log });
  const waitingQuery =
    "select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'";
  await expect.poll(async () => (await pool.query(waitingQuery)).rowCount).toBe(1);
  release.resolve();
  await first;
  expect(await second).toBe(1);
});

test('a process that lost its listening connection reconnects, and knows that it missed messages', async () => {
  const merchantId = await insertMerchant(db);
  const { received, gapCount } = await startListening();
  const outbox = startOutbox();
  const terminated = await pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'jangada listener %' and datname = current_database()",
  );
  expect(terminated.rowCount).toBe(1);
  await expect.poll(gapCount).toBe(1);
  await writeCharges(merchantId, ['after the break']);
  outbox.wake();
  await expect.poll(() => idsOf(received)).toEqual(['after the break']);
});

test('a listener continues after an unreadable message', async () => {
  const { received } = await startListening();
  const merchantId = await insertMerchant(db);
  const outbox = startOutbox();
  await pool.query('select pg_notify($1, $2)', [ANNOUNCEMENTS_CHANNEL, 'not an announcement']);
  await writeCharges(merchantId, ['understood']);
  outbox.wake();
  await expect.poll(() => idsOf(received)).toEqual(['understood']);
});
