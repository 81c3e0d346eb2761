import { randomBytes, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { readStoredAttempts } from '../../test/stored-attempts.ts';
import {
  type ReceivedWebhook,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../test/webhook-receiver.ts';
import { createAdjustableClock } from '../clock.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { createAddressRules, createGuardedFetch } from '../guarded-fetch/index.ts';
import { createSecrets } from '../secrets.ts';
import { createWebhookSender, emitPaymentEvents, type WebhookSender } from './index.ts';
import { giveUpDeliveries } from './prune-webhooks.ts';
import { ALL_CALLBACKS } from './secret-store.ts';
import { readCurrentSecret, rotateSecret } from './secrets.ts';

const log = pino({ level: 'silent' });
const secrets = createSecrets(randomBytes(32));
const second = 1000;
const hour = 3600 * second;
let database: TestDatabase;
let db: Db;
let clock = createAdjustableClock();
let merchantId: number;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(createPool({ url: database.appUrl, max: 8 }));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  for (const table of ['events', 'webhook_deliveries', 'webhook_leases', 'webhook_health'] as const)
    await db.deleteFrom(table).execute();
  clock = createAdjustableClock();
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

type Answer = Parameters<typeof startWebhookReceiver>[0];

async function receiver(answer?: Answer): Promise<WebhookReceiver> {
  const opened = await startWebhookReceiver(answer);
  closing.push(() => opened.close());
  return opened;
}

function sender({ mode = 'sandbox' as 'sandbox' | 'live', timeoutMs = 15_000 } = {}): WebhookSender {
  const rules = createAddressRules({ mode, sandboxPublic: false, webhookAllowCidrs: [] });
  const started = createWebhookSender({
    db,
    clock,
    log,
    secrets,
    fetch: createGuardedFetch({ rules, timeoutMs }),
  });
  started.start();
  closing.push(() => started.stop());
  return started;
}

/** Writes events for these addresses, as a settlement does. */
async function emit(urls: readonly string[], merchant?: number): Promise<void> {
  merchantId = merchant ?? (await insertMerchant(db));
  await inTransaction({ db, clock }, (tx) =>
    emitPaymentEvents(
      tx,
      urls.map((callbackUrl) => ({
        type: 'payment.paid',
        merchantId,
        chargeId: randomUUID(),
        callbackUrl,
        status: 'paid',
        amountCents: 2590,
        createdAt: clock.now(),
      })),
    ),
  );
}

const times = (count: number, url: string) => Array.from({ length: count }, () => url);

const states = async () =>
  (await db.selectFrom('webhook_deliveries').select(['state']).orderBy('state').execute()).map(
    (row) => row.state,
  );
const settled = () => expect.poll(states);
const attempts = () => readStoredAttempts(db);
const attemptCount = () => expect.poll(async () => (await attempts()).length);

/** Verifies it with the public library, at the time of its timestamp. */
function verify(secret: string, { headers, body }: ReceivedWebhook): unknown {
  const given = { 'webhook-id': '', 'webhook-timestamp': '', 'webhook-signature': '' };
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const)
    given[name] = String(headers[name]);
  return new Webhook(secret).verify(body, given);
}

describe('a webhook', () => {
  test('arrives with a signature that the public library verifies, and its attempt is stored', async () => {
    const shop = await receiver((response) => response.writeHead(201).end('thank you'));
    await emit([`${shop.url}/notify?shop=1`]);
    sender();
    await settled().toEqual(['delivered']);

    const [webhook] = shop.received;
    const [delivery] = await db.selectFrom('webhook_deliveries').selectAll().execute();
    const secret = await readCurrentSecret({ db, clock, secrets }, { merchantId, receiver: ALL_CALLBACKS });
    expect(webhook && verify(secret, webhook)).toMatchObject({
      type: 'payment.paid',
      status: 'paid',
      amount: 25.9,
    });
    expect(() => webhook && verify(`whsec_${randomBytes(32).toString('base64')}`, webhook)).toThrow();
    expect(webhook?.path).toBe('/notify?shop=1');
    expect(webhook?.id).toBe(delivery?.id);
    expect(webhook?.headers['content-type']).toBe('application/json');
    expect(await attempts()).toMatchObject([
      { deliveryId: delivery?.id, number: 1, status: 201, error: null, answer: 'thank you' },
    ]);
  });

  test('can be verified with the old and the new secret after a rotation', async () => {
    const shop = await receiver();
    await emit([`${shop.url}/before`]);
    const old = await readCurrentSecret({ db, clock, secrets }, { merchantId, receiver: ALL_CALLBACKS });
    const fresh = await rotateSecret({ db, clock, secrets }, { merchantId, receiver: ALL_CALLBACKS });
    sender();
    await settled().toEqual(['delivered']);
    for (const webhook of shop.received)
      for (const secret of [old, fresh])
        expect(verify(secret, webhook)).toMatchObject({ type: 'payment.paid' });
    expect(shop.received.length).toBe(1);
  });

  test('of a rolled back transaction is never sent', async () => {
    const shop = await receiver();
    const broken = inTransaction({ db, clock }, async (tx) => {
      await emitPaymentEvents(tx, [
        {
          type: 'payment.paid',
          merchantId,
          chargeId: randomUUID(),
          callbackUrl: `${shop.url}/undone`,
          status: 'paid',
          amountCents: 100,
          createdAt: tx.now,
        },
      ]);
      throw new Error('rolled back');
    });
    await expect(broken).rejects.toThrow('rolled back');
    await emit([`${shop.url}/done`]);
    sender();
    await settled().toEqual(['delivered']);
    expect(shop.received.map(({ path }) => path)).toEqual(['/done']);
  });

  test('stores the first two kilobytes of the response, whatever its bytes', async () => {
    const shop = await receiver((response) =>
      response.writeHead(500).end(Buffer.from([0, 255, 65, ...Array(3000).fill(66)])),
    );
    await emit([shop.url]);
    sender();
    await attemptCount().toBe(1);
    const [attempt] = await attempts();
    expect(attempt?.answer).toBe(`\ufffdA${'B'.repeat(2045)}`);
  });

  test('to a forbidden address is not sent, and the reason is stored', async () => {
    const shop = await receiver();
    await emit([shop.url.replace('http:', 'https:'), shop.url]);
    sender({ mode: 'live' });
    await attemptCount().toBe(2);
    expect((await attempts()).map(({ error }) => error)).toEqual(['forbidden-address', 'forbidden-address']);
    expect(shop.received).toEqual([]);
  });
});

describe('a refused webhook', () => {
  test('is retried on schedule under the same id, signed with the real time', async () => {
    const answers = [500, 302, 404, 200];
    const shop = await receiver((response) =>
      response.writeHead(answers.shift() ?? 200, { location: '/other' }).end(),
    );
    await emit([shop.url]);
    const sending = sender();
    for (const [made, wait] of [
      [1, 6],
      [2, 33],
      [3, 132],
    ] as const) {
      await attemptCount().toBe(made);
      clock.shift(wait * second);
      sending.wakeForAll();
    }
    await settled().toEqual(['delivered']);
    expect((await attempts()).map(({ number, status }) => [number, status])).toEqual([
      [1, 500],
      [2, 302],
      [3, 404],
      [4, 200],
    ]);
    expect(new Set(shop.received.map(({ id }) => id)).size).toBe(1);
    expect(new Set(shop.received.map(({ path }) => path))).toEqual(new Set(['/']));
    // The library refuses timestamps more than five minutes from the real time, so the moved test clock must not sign.
    const secret = await readCurrentSecret({ db, clock, secrets }, { merchantId, receiver: ALL_CALLBACKS });
    for (const webhook of shop.received)
      expect(verify(secret, webhook)).toMatchObject({ type: 'payment.paid' });
  });

  test('is retried with all others that are due, however many, without a pause between pages', async () => {
    let status = 500;
    const shop = await receiver((response) => response.writeHead(status).end());
    await emit(times(300, shop.url));
    const sending = sender();
    await attemptCount().toBe(300);
    status = 200;
    clock.shift(6 * second);
    sending.wakeForAll();
    await settled().toEqual(times(300, 'delivered'));
    expect(shop.received.length).toBe(600);
  });

  test('is not retried before its time', async () => {
    const shop = await receiver((response) => response.writeHead(503, { 'retry-after': '3600' }).end());
    await emit([shop.url]);
    const sending = sender();
    await attemptCount().toBe(1);
    clock.shift(hour - 10 * second);
    await emit([`${(await receiver()).url}/later`]);
    sending.wakeForAll();
    await settled().toEqual(['delivered', 'waiting']);
    expect(shop.received.length).toBe(1);
    clock.shift(10 * second);
    sending.wakeForAll();
    await expect.poll(() => shop.received.length).toBe(2);
  });

  test('with 410 is never retried', async () => {
    const shop = await receiver((response) => response.writeHead(410).end());
    await emit([shop.url]);
    const sending = sender();
    await settled().toEqual(['gone']);
    clock.shift(72 * hour);
    await emit([(await receiver()).url]);
    sending.wakeForAll();
    await settled().toEqual(['delivered', 'gone']);
    expect(shop.received.length).toBe(1);
  });

  test('is exhausted only after attempts over more than 24 hours', async () => {
    const shop = await receiver((response) => response.writeHead(500).end());
    await emit([shop.url]);
    const began = clock.now().getTime();
    const sending = sender();
    for (let made = 1; made < 11; made += 1) {
      await attemptCount().toBe(made);
      expect(await states()).toEqual(['waiting']);
      const { due_at } = await db.selectFrom('webhook_deliveries').select('due_at').executeTakeFirstOrThrow();
      clock.shift(due_at.getTime() - clock.now().getTime());
      sending.wakeForAll();
    }
    await settled().toEqual(['exhausted']);
    expect(shop.received.length).toBe(11);
    expect(clock.now().getTime() - began).toBeGreaterThanOrEqual(24 * hour);
  });
});

/** Leaves calls unanswered until released. */
function held() {
  const waiting: ServerResponse[] = [];
  let open = false;
  return {
    answer: (response: ServerResponse) => (open ? response.end() : waiting.push(response)),
    release() {
      open = true;
      for (const response of waiting.splice(0)) response.end();
    },
  };
}

describe('a receiver that hangs', () => {
  test('delays no other, neither of its own merchant nor of others, and uses four connections at most', async () => {
    const hanging = held();
    const [slow, quick] = [await receiver(hanging.answer), await receiver()];
    await emit(times(600, slow.url));
    await emit([...times(30, `${quick.url}/same-merchant`)], merchantId);
    for (let merchants = 0; merchants < 5; merchants += 1) await emit(times(10, `${quick.url}/other`));
    const sending = sender();

    await expect.poll(() => quick.received.length).toBe(80);
    await emit([`${quick.url}/late`]);
    sending.wakeForAll();
    await expect.poll(() => quick.received.length).toBe(81);
    expect(slow.received.length).toBe(4);
    hanging.release();
    await expect.poll(() => slow.received.length).toBe(600);
    expect(slow.maxConcurrentCalls).toBe(4);
  });

  test('is paused after three consecutive time-outs; then one webhook probes it, and a response resumes all', async () => {
    const hanging = held();
    const slow = await receiver(hanging.answer);
    await emit(times(12, slow.url));
    // Longer than a receiver that responds takes on a busy machine.
    const sending = sender({ timeoutMs: 1000 });
    await attemptCount().toBe(4);
    expect((await attempts()).map(({ error }) => error)).toEqual(times(4, 'timed-out'));

    clock.shift(60 * second);
    await emit([(await receiver()).url]);
    sending.wakeForAll();
    await attemptCount().toBe(5);
    expect(slow.received.length).toBe(4);

    clock.shift(60 * second);
    sending.wakeForAll();
    await attemptCount().toBe(6);
    const health = () => db.selectFrom('webhook_health').select(['timeouts', 'paused_until']).execute();
    expect(await health()).toMatchObject([{ timeouts: 5 }]);
    expect(slow.received.length).toBe(5);

    hanging.release();
    clock.shift(240 * second);
    sending.wakeForAll();
    await settled().toEqual(times(13, 'delivered'));
    expect(await health()).toEqual([{ timeouts: 0, paused_until: null }]);
  });

  test('has no delivery waiting for more than three days', async () => {
    const slow = await receiver(held().answer);
    await emit(times(6, slow.url));
    const sending = sender({ timeoutMs: 100 });
    await attemptCount().toBe(4);
    await sending.stop();
    clock.shift(71 * hour);
    expect(await giveUpDeliveries({ db, clock })).toBe(0);
    clock.shift(2 * hour);
    expect(await giveUpDeliveries({ db, clock })).toBe(6);
    expect(await states()).toEqual(times(6, 'exhausted'));
  });
});

describe('many processes', () => {
  test('send each webhook once, and never more than four at once to one endpoint', async () => {
    const shop = await receiver((response) => setTimeout(() => response.end(), 5));
    await emit(times(150, shop.url));
    for (let processes = 0; processes < 3; processes += 1) sender();
    await settled().toEqual(times(150, 'delivered'));
    expect(new Set(shop.received.map(({ id }) => id)).size).toBe(150);
    expect(shop.received.length).toBe(150);
    expect(shop.maxConcurrentCalls).toBe(4);
  });

  test('where one lost its lease by a clock jump store both attempts, and a delivery stays delivered', async () => {
    const answers = [200, 500];
    const waiting: ServerResponse[] = [];
    const shop = await receiver((response) => waiting.push(response));
    await emit([shop.url]);
    sender();
    await expect.poll(() => waiting.length).toBe(1);
    clock.shift(31 * second);
    sender();
    await expect.poll(() => waiting.length).toBe(2);
    for (const response of waiting.reverse()) {
      response.writeHead(answers.shift() ?? 200).end();
      await attemptCount().toBe(2 - answers.length);
    }
    expect(await states()).toEqual(['delivered']);
    expect((await attempts()).map(({ number, status }) => [number, status])).toEqual([
      [1, 200],
      [2, 500],
    ]);
    expect(new Set(shop.received.map(({ id }) => id)).size).toBe(1);
  });
});

test('a stopping sender aborts hanging calls, stores them as attempts, and leaves no leases', async () => {
  const slow = await receiver(held().answer);
  await emit([slow.url]);
  const sending = sender();
  await expect.poll(() => slow.received.length).toBe(1);
  await sending.stop();
  expect(await attempts()).toMatchObject([{ error: 'connection-failed' }]);
  expect(await states()).toEqual(['waiting']);
  expect(await db.selectFrom('webhook_leases').selectAll().execute()).toEqual([]);
});
