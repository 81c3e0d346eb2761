import { createServer } from 'node:https';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import {
  type Client,
  connect,
  givenBank,
  givenCharge,
  givenDirectory,
  givenReceiver,
  type Receiver,
} from '../test/bank.ts';
import { makeCertificates } from '../test/certificates.ts';
import { startSandbox } from './index.ts';

async function registerWebhook(bank: Client, receiver: Receiver): Promise<void> {
  const path = `/v2/webhook/${bank.sandbox.account.key}`;
  expect((await bank.api('PUT', path, { webhookUrl: receiver.url })).status).toBe(200);
}

async function payNew(bank: Client, amount?: string): Promise<string> {
  const { brCode } = await givenCharge(bank, amount);
  return (await bank.call('POST', '/sandbox/payments', { brCode })).body.endToEndId;
}

const idsOf = (receiver: Receiver) =>
  receiver.calls.map(({ pix }) => pix.map(({ endToEndId }) => endToEndId));

test('a payment is notified once, with its txid and amount', async () => {
  const bank = await givenBank();
  const receiver = await givenReceiver();
  await registerWebhook(bank, receiver);
  const { txid, brCode } = await givenCharge(bank, '10.00');
  const { body } = await bank.call('POST', '/sandbox/payments', { brCode });
  await receiver.waitForCalls(1);
  expect(receiver.calls).toMatchObject([{ pix: [{ endToEndId: body.endToEndId, txid, valor: '10.00' }] }]);
  await expect
    .poll(async () => (await bank.call('GET', '/sandbox/notifications')).body)
    .toMatchObject({ pending: 0, delivered: 1, givenUp: 0 });
});

test('a failed notification is retried when a retry is due, until one succeeds', async () => {
  const bank = await givenBank();
  const receiver = await givenReceiver((call) => (call <= 2 ? 500 : 200));
  await registerWebhook(bank, receiver);
  const id = await payNew(bank);
  await receiver.waitForCalls(1);
  for (const seconds of [301, 601]) {
    await expect.poll(async () => (await bank.call('GET', '/sandbox/notifications')).body.pending).toBe(1);
    const callsBefore = receiver.calls.length;
    await expect
      .poll(async () => {
        await bank.call('POST', '/sandbox/clock', { advanceSeconds: seconds });
        return receiver.calls.length;
      })
      .toBeGreaterThan(callsBefore);
  }
  expect(idsOf(receiver)).toEqual([[id], [id], [id]]);
  await expect.poll(async () => (await bank.call('GET', '/sandbox/notifications')).body.delivered).toBe(1);
});

test('a notification whose receiver always fails is given up', async () => {
  const bank = await givenBank({ notifications: { retrySeconds: [0.01, 0.01] } });
  const receiver = await givenReceiver(() => 500);
  await registerWebhook(bank, receiver);
  await payNew(bank);
  await expect
    .poll(async () => (await bank.call('GET', '/sandbox/notifications')).body)
    .toMatchObject({ pending: 0, delivered: 0, givenUp: 1 });
  expect(receiver.calls).toHaveLength(3);
});

test('notifications: duplicated sends a notification twice', async () => {
  const bank = await givenBank();
  const receiver = await givenReceiver();
  await registerWebhook(bank, receiver);
  await bank.call('PUT', '/sandbox/behaviour', { notifications: 'duplicated' });
  const id = await payNew(bank);
  await receiver.waitForCalls(2);
  expect(idsOf(receiver)).toEqual([[id], [id]]);
});

test('notifications: late sends after lateSeconds of bank time', async () => {
  const bank = await givenBank();
  const receiver = await givenReceiver();
  await registerWebhook(bank, receiver);
  await bank.call('PUT', '/sandbox/behaviour', { notifications: 'late', lateSeconds: 1000 });
  const late = await payNew(bank);
  await bank.call('PUT', '/sandbox/behaviour', { notifications: 'normal' });
  const prompt = await payNew(bank);
  await receiver.waitForCalls(1);
  expect(idsOf(receiver)).toEqual([[prompt]]);
  await bank.call('POST', '/sandbox/clock', { advanceSeconds: 1001 });
  await receiver.waitForCalls(2);
  expect(idsOf(receiver)[1]).toEqual([late]);
});

test('notifications: out-of-order sends the newest of each second first', async () => {
  const bank = await givenBank();
  const receiver = await givenReceiver();
  await registerWebhook(bank, receiver);
  await bank.call('PUT', '/sandbox/behaviour', { notifications: 'out-of-order', batchSize: 10 });
  const charges = [await givenCharge(bank), await givenCharge(bank), await givenCharge(bank)];
  const { body } = await bank.call(
    'POST',
    '/sandbox/payments',
    charges.map(({ brCode }) => ({ brCode })),
  );
  const paid = body.map(({ endToEndId }: { endToEndId: string }) => endToEndId);
  await expect.poll(() => idsOf(receiver).flat()).toEqual(paid.reverse());
});

test('notifications: never sends nothing; the payment is found by the list', async () => {
  const bank = await givenBank();
  const receiver = await givenReceiver();
  await registerWebhook(bank, receiver);
  await bank.call('PUT', '/sandbox/behaviour', { notifications: 'never' });
  const unnotified = await payNew(bank);
  await bank.call('PUT', '/sandbox/behaviour', { notifications: 'normal' });
  const notified = await payNew(bank);
  await receiver.waitForCalls(1);
  expect(idsOf(receiver)).toEqual([[notified]]);
  const { body } = await bank.api('GET', '/v2/pix?inicio=2020-01-01T00:00:00Z&fim=2100-01-01T00:00:00Z');
  expect(body.pix.map((pix: { endToEndId: string }) => pix.endToEndId)).toEqual([unnotified, notified]);
});

test('payments that arrive together share one notification when batching is on', async () => {
  const bank = await givenBank();
  const receiver = await givenReceiver();
  await registerWebhook(bank, receiver);
  await bank.call('PUT', '/sandbox/behaviour', { batchSize: 100 });
  const charges = await Promise.all(Array.from({ length: 20 }, () => givenCharge(bank)));
  await bank.call(
    'POST',
    '/sandbox/payments',
    charges.map(({ brCode }) => ({ brCode })),
  );
  await expect.poll(() => idsOf(receiver).flat()).toHaveLength(20);
  expect(receiver.calls.length).toBeLessThan(20);
});

test('a Pix without txid is never notified', async () => {
  const bank = await givenBank();
  const receiver = await givenReceiver();
  await registerWebhook(bank, receiver);
  await bank.call('POST', '/sandbox/payments', { key: bank.sandbox.account.key, amount: 1 });
  const notified = await payNew(bank);
  await receiver.waitForCalls(1);
  expect(idsOf(receiver)).toEqual([[notified]]);
});

test('notifications not sent before a stop are sent after the next start', async () => {
  const dataDir = await givenDirectory();
  const receiver = await givenReceiver();
  const first = await startSandbox({ dataDir });
  const bank = await connect(first);
  await registerWebhook(bank, receiver);
  await bank.call('PUT', '/sandbox/behaviour', { notifications: 'late', lateSeconds: 60 });
  const id = await payNew(bank);
  await first.stop();
  const second = await givenBank({ dataDir });
  expect((await second.call('GET', '/sandbox/behaviour')).body.notifications).toBe('late');
  await second.call('POST', '/sandbox/clock', { advanceSeconds: 61 });
  await receiver.waitForCalls(1);
  expect(idsOf(receiver)).toEqual([[id]]);
});

test('reversed notifications whose second is over before they are scheduled still go out in reverse', async () => {
  const dataDir = await givenDirectory();
  const receiver = await givenReceiver();
  const first = await startSandbox({ dataDir });
  const bank = await connect(first);
  await registerWebhook(bank, receiver);
  await bank.call('PUT', '/sandbox/behaviour', { notifications: 'out-of-order', batchSize: 10 });
  const charges = [await givenCharge(bank), await givenCharge(bank)];
  const { body } = await bank.call(
    'POST',
    '/sandbox/payments',
    charges.map(({ brCode }) => ({ brCode })),
  );
  await first.stop();
  const stoppedAt = Date.now();
  await expect.poll(() => Date.now() - stoppedAt).toBeGreaterThan(1000);
  await givenBank({ dataDir });
  const paid = body.map(({ endToEndId }: { endToEndId: string }) => endToEndId);
  await expect.poll(() => idsOf(receiver).flat()).toEqual(paid.reverse());
});

test('a receiver that requires a client certificate is notified only if the bank presents one', async () => {
  const { ca, server, client } = await makeCertificates(await givenDirectory());
  let callCount = 0;
  const receiver = createServer(
    { ...server, ca: ca.cert, requestCert: true, rejectUnauthorized: true },
    (_request, response) => {
      callCount += 1;
      response.end();
    },
  );
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  const url = `https://127.0.0.1:${z.object({ port: z.int() }).parse(receiver.address()).port}`;
  for (const [tls, counts] of [
    [{ ca: ca.cert }, { delivered: 0, givenUp: 1 }],
    [
      { ...client, ca: ca.cert },
      { delivered: 1, givenUp: 0 },
    ],
  ] as const) {
    const bank = await givenBank({ notifications: { tls, retrySeconds: [] } });
    await bank.api('PUT', `/v2/webhook/${bank.sandbox.account.key}`, { webhookUrl: url });
    await payNew(bank);
    await expect
      .poll(async () => (await bank.call('GET', '/sandbox/notifications')).body)
      .toMatchObject({ pending: 0, ...counts });
  }
  expect(callCount).toBe(1);
});
