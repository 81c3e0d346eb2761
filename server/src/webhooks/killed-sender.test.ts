import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { startWebhookReceiver } from '../../test/webhook-receiver.ts';
import { createAdjustableClock } from '../clock.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { createAddressRules, createGuardedFetch } from '../guarded-fetch/index.ts';
import { createSecrets } from '../secrets.ts';
import { createWebhookSender, emitPaymentEvents } from './index.ts';

const masterKey = randomBytes(32);
const clock = createAdjustableClock();
let database: TestDatabase;
let db: Db;
let child: ChildProcess | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(createPool({ url: database.appUrl }));
});
afterAll(async () => {
  child?.kill('SIGKILL');
  await db.destroy();
  await database.drop();
});

function startProcess(): ChildProcess {
  const program = fileURLToPath(new URL('../../test/webhook-process.ts', import.meta.url));
  return spawn(process.execPath, [program, database.appUrl, masterKey.toString('hex')], { stdio: 'inherit' });
}

test('a webhook of a sender killed between sending and recording is resent under the same id', async () => {
  child = startProcess();
  const killed = once(child, 'exit');
  const shop = await startWebhookReceiver(async (response) => {
    // The webhook has been received; the sender is killed before the response.
    if (shop.received.length === 1) {
      child?.kill('SIGKILL');
      await killed;
    }
    response.end('ok');
  });
  const merchantId = await insertMerchant(db);
  const change = { type: 'payment.paid', status: 'paid', amountCents: 500, createdAt: clock.now() } as const;
  const callbackUrl = `${shop.url}/notify`;
  await inTransaction({ db, clock }, (tx) =>
    emitPaymentEvents(tx, [{ ...change, merchantId, chargeId: randomUUID(), callbackUrl }]),
  );
  expect((await killed)[1]).toBe('SIGKILL');
  // Nothing is stored before an attempt has ended: the event lies past the cursor.
  expect(await db.selectFrom('webhook_deliveries').select('id').execute()).toEqual([]);

  const rules = createAddressRules({ mode: 'sandbox', sandboxPublic: false, webhookAllowCidrs: [] });
  const sender = createWebhookSender({
    db,
    clock,
    log: pino({ level: 'silent' }),
    secrets: createSecrets(masterKey),
    fetch: createGuardedFetch({ rules }),
  });
  clock.shift(31_000);
  sender.start();
  const state = () => db.selectFrom('webhook_deliveries').select(['id', 'state']).executeTakeFirst();
  await expect.poll(async () => (await state())?.state).toBe('delivered');
  await sender.stop();
  await shop.close();
  const stored = await state();
  expect(shop.received.map((webhook) => webhook.id)).toEqual([stored?.id, stored?.id]);
});
