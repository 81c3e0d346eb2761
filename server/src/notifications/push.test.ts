import {
  listNotifications,
  login,
  profile,
  publicSettings,
  registerPush as registerEndpoint,
} from '@jangada/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenMerchant, givenMerchant, givenPaidPayment, parseSuccess } from '../../test/given.ts';
import { type PushDevice, type PushService, startPushService } from '../../test/push-service.ts';
import { inTransaction } from '../db/transaction.ts';
import { deleteExpiredIdentityData } from '../identity/index.ts';
import { Refusal } from '../refusal.ts';
import { prunePushDevices, saveNotifications } from './index.ts';
import { registerPush } from './push-devices.ts';
import { createVapidTokens, vapidOf } from './vapid.ts';

let gateway: TestGateway;
let service: PushService;
let pushKey: string;

beforeAll(async () => {
  [gateway, service] = await Promise.all([startTestGateway(), startPushService()]);
  const settings = parseSuccess(publicSettings.response, await gateway.api('GET', '/settings'));
  pushKey = settings.pushKey ?? '';
});
afterAll(async () => {
  await gateway.stop();
  await service.close();
});

const newMerchant = () => givenMerchant(gateway);

async function register({ token }: Pick<GivenMerchant, 'token'>, device: PushDevice): Promise<string> {
  const answer = await gateway.api(
    'POST',
    '/authed/notifications/register',
    { token: device.token },
    { token },
  );
  return parseSuccess(registerEndpoint.response, answer).push_id;
}

async function givenDevice(merchant: Pick<GivenMerchant, 'token'>): Promise<PushDevice & { id: string }> {
  const device = service.subscribe(pushKey);
  return Object.assign(device, { id: await register(merchant, device) });
}

async function signInAgain({ username, password }: GivenMerchant): Promise<string> {
  return parseSuccess(login.response, await gateway.api('POST', '/login', { username, password })).token;
}

const readAccount = async (token: string) =>
  parseSuccess(profile.response, await gateway.api('GET', '/authed/profile', undefined, { token })).user;

/** Notifies a merchant, in one transaction. */
async function notify(merchantId: number, titles: readonly string[], type = 'payment.paid'): Promise<void> {
  await inTransaction(gateway.deps, (tx) =>
    saveNotifications(
      tx,
      titles.map((title) => ({ merchantId, title, body: `Sobre ${title}.`, data: { type, id: title } })),
    ),
  );
}

const titles = ({ received }: PushDevice) => received.map(({ message }) => message['title']);
const expectReceived = (device: PushDevice) => expect.poll(() => titles(device));
const countWaiting = async () =>
  (await gateway.deps.db.selectFrom('push_deliveries').select('notification_id').execute()).length;

test('a payment is pushed to every device, encrypted for each, signed by the gateway, and shown in the profile', async () => {
  const merchant = await newMerchant();
  const phone = await givenDevice(merchant);
  await gateway.advance(1);
  const desk = await givenDevice(merchant);
  expect(await readAccount(merchant.token)).toMatchObject({
    push_id: desk.id,
    push_ids: [desk.id, phone.id],
  });
  const payment = await givenPaidPayment(gateway, merchant, { amount: 25.9 });
  for (const device of [phone, desk]) {
    await expectReceived(device).toEqual(['Pix recebido']);
    const [push] = device.received;
    expect(push?.message).toMatchObject({
      body: 'Você recebeu R$\u00a025,90.',
      data: { type: 'payment.paid', id: payment.id },
    });
    expect(push?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high' });
    expect(Number(push?.headers['ttl'])).toBeGreaterThan(86_000);
    expect(push?.headers['topic']).toMatch(/^[\w-]{32}$/);
    expect(push?.vapid).toMatchObject({ aud: service.url, sub: expect.stringMatching(/^mailto:/) });
    const hoursLeft = ((push?.vapid.exp ?? 0) - Date.now() / 1000) / 3600;
    expect(hoursLeft).toBeGreaterThan(11);
    expect(hoursLeft).toBeLessThan(24);
  }
  await expect.poll(countWaiting).toBe(0);
});

test('a device keeps its id when it registers again, and belongs only to its latest owner', async () => {
  const [first, second] = [await newMerchant(), await newMerchant()];
  const device = await givenDevice(first);
  expect(await register(first, device)).toBe(device.id);
  const newId = await register(second, device);
  expect((await readAccount(first.token)).push_ids).toEqual([]);
  expect((await readAccount(second.token)).push_ids).toEqual([newId]);
  await notify(first.id, ['meu']);
  await notify(second.id, ['seu']);
  await expectReceived(device).toEqual(['seu']);
});

test.each([404, 410])('a device whose push service answers %i is removed', async (answer) => {
  const merchant = await newMerchant();
  const removedDevice = await givenDevice(merchant);
  const keptDevice = await givenDevice(merchant);
  removedDevice.answer = answer;
  await notify(merchant.id, ['um']);
  await expectReceived(keptDevice).toEqual(['um']);
  await expect.poll(async () => (await readAccount(merchant.token)).push_ids).toEqual([keptDevice.id]);
  await notify(merchant.id, ['dois']);
  await expectReceived(keptDevice).toEqual(['um', 'dois']);
  expect(removedDevice.calls()).toBe(1);
});

test('a failing push service is retried on schedule, is paused meanwhile, and delays no other device', async () => {
  const merchant = await newMerchant();
  const [failingDevice, workingDevice] = [await givenDevice(merchant), await givenDevice(merchant)];
  failingDevice.answer = 503;
  const { db } = gateway.deps;
  const dues = db
    .selectFrom('push_deliveries')
    .select('due_at')
    .where('subscription_id', '=', failingDevice.id);
  const device = db
    .selectFrom('push_subscriptions')
    .select('paused_until')
    .where('id', '=', failingDevice.id);
  await notify(merchant.id, ['um']);
  // The failure is recorded shortly after the call.
  await expect.poll(() => device.execute()).toEqual([{ paused_until: expect.any(Date) }]);
  await notify(merchant.id, ['dois']);
  await expectReceived(workingDevice).toEqual(['um', 'dois']);
  const { paused_until } = await device.executeTakeFirstOrThrow();
  // New messages are claimed, and deferred with the others.
  await expect.poll(() => dues.execute()).toEqual([{ due_at: paused_until }, { due_at: paused_until }]);
  expect(failingDevice.calls()).toBe(1);
  await gateway.advance(11);
  await expect.poll(() => failingDevice.calls()).toBe(2);
  failingDevice.answer = 201;
  await gateway.advance(61);
  await expectReceived(failingDevice).toEqual(['um', 'dois']);
  await notify(merchant.id, ['três']);
  await expectReceived(failingDevice).toEqual(['um', 'dois', 'três']);
  await expectReceived(workingDevice).toEqual(['um', 'dois', 'três']);
});

test('a message older than a day is no longer pushed', async () => {
  const merchant = await newMerchant();
  const device = await givenDevice(merchant);
  device.answer = 500;
  await notify(merchant.id, ['ontem']);
  const storedDevice = gateway.deps.db
    .selectFrom('push_subscriptions')
    .select('paused_until')
    .where('id', '=', device.id);
  await expect.poll(() => storedDevice.execute()).toEqual([{ paused_until: expect.any(Date) }]);
  device.answer = 201;
  await gateway.advance(25 * 3600);
  await notify(merchant.id, ['hoje']);
  await expectReceived(device).toEqual(['hoje']);
  await expect.poll(countWaiting).toBe(0);
});

test('a message that expires while its device fails does not count as accepted', async () => {
  const merchant = await newMerchant();
  const device = await givenDevice(merchant);
  device.answer = 500;
  await notify(merchant.id, ['ontem']);
  const readFailures = () =>
    gateway.deps.db
      .selectFrom('push_subscriptions')
      .select(['failures', 'failing_since'])
      .where('id', '=', device.id)
      .executeTakeFirst();
  await expect.poll(async () => (await readFailures())?.failures).toBe(1);
  const failing = await readFailures();
  await gateway.advance(25 * 3600);
  await expect.poll(countWaiting).toBe(0);
  expect(await readFailures()).toEqual(failing);
});

test('many messages of one kind become one, and other kinds are pushed as well', async () => {
  const merchant = await newMerchant();
  const device = await givenDevice(merchant);
  await inTransaction(gateway.deps, (tx) =>
    saveNotifications(
      tx,
      Array.from({ length: 12 }, (_, index) => ({
        merchantId: merchant.id,
        title: index === 5 ? 'Disputa' : `Pix ${index}`,
        body: 'Chegou.',
        data: { type: index === 5 ? 'dispute.opened' : 'payment.paid', id: String(index) },
      })),
    ),
  );
  await expectReceived(device).toEqual(['Disputa', '11 novas notificações']);
  expect(device.received[1]?.message).toMatchObject({ body: 'A mais recente: Pix 11. Chegou.', data: {} });
});

test('muted kinds are in the list, and are not pushed', async () => {
  const merchant = await newMerchant();
  const device = await givenDevice(merchant);
  const path = '/authed/notifications/preferences';
  const allEnabled = {
    payments: true,
    withdrawals: true,
    refunds: true,
    disputes: true,
    account: true,
    operation: true,
  };
  const { token } = merchant;
  expect((await gateway.api('GET', path, undefined, { token })).body).toEqual({ push: allEnabled });
  const preferences = { push: { ...allEnabled, payments: false, account: false } };
  expect((await gateway.api('PUT', path, preferences, { token })).body).toEqual(preferences);
  expect((await gateway.api('PUT', path, { push: { payments: false } }, { token })).status).toBe(400);
  await notify(merchant.id, ['pagamento']);
  await notify(merchant.id, ['conta'], 'something.else');
  await notify(merchant.id, ['estorno'], 'payment.refunded');
  await expectReceived(device).toEqual(['estorno']);
  await gateway.api('PUT', path, { push: allEnabled }, { token });
  await notify(merchant.id, ['outro']);
  await expectReceived(device).toEqual(['estorno', 'outro']);
  const answer = await gateway.api('GET', '/authed/notifications?limit=4', undefined, { token });
  const { notifications } = parseSuccess(listNotifications.response, answer);
  const [newest, ...others] = notifications.map(({ title }) => title);
  expect(newest).toBe('outro');
  // Messages of the same millisecond are in any order.
  expect(others.toSorted()).toEqual(['conta', 'estorno', 'pagamento']);
});

test('signing out ends the pushes of that device only', async () => {
  const merchant = await newMerchant();
  const [endedToken, liveToken] = [await signInAgain(merchant), await signInAgain(merchant)];
  const [endedDevice, liveDevice] = [
    await givenDevice({ token: endedToken }),
    await givenDevice({ token: liveToken }),
  ];
  await gateway.api('POST', '/logout', undefined, { token: endedToken });
  await notify(merchant.id, ['um']);
  await expectReceived(liveDevice).toEqual(['um']);
  expect((await readAccount(merchant.token)).push_ids).toEqual([liveDevice.id]);
  const unregistered = await gateway.api(
    'POST',
    '/authed/notifications/unregister',
    { token: liveDevice.token },
    { token: merchant.token },
  );
  expect(unregistered.status).toBe(200);
  expect((await readAccount(merchant.token)).push_ids).toEqual([]);
  expect(endedDevice.calls()).toBe(0);
});

test('an expired session keeps its device; a changed password, a freeze and ending all other sessions remove it', async () => {
  const { deps } = gateway;
  const waysToEnd = {
    password: (id: number) =>
      deps.db.updateTable('users').set({ password_hash: 'another' }).where('id', '=', id).execute(),
    freeze: (id: number) =>
      deps.db.updateTable('users').set({ frozen_at: deps.clock.now() }).where('id', '=', id).execute(),
    others: (_id: number, token: string) => gateway.api('DELETE', '/authed/sessions', undefined, { token }),
  };
  const merchants = await Promise.all(
    Object.values(waysToEnd).map(async (endSessions) => ({ endSessions, merchant: await newMerchant() })),
  );
  const devices = await Promise.all(merchants.map(({ merchant }) => givenDevice(merchant)));
  await gateway.advance(13 * 3600);
  await deleteExpiredIdentityData(deps);
  for (const [index, { endSessions, merchant }] of merchants.entries()) {
    await notify(merchant.id, ['acordado']);
    await expectReceived(devices[index] ?? service.subscribe(pushKey)).toEqual(['acordado']);
    const token = await signInAgain(merchant);
    const newDevice = await givenDevice({ token });
    await endSessions(merchant.id, token);
    const rows = await deps.db
      .selectFrom('push_subscriptions')
      .select('id')
      .where('merchant_id', '=', merchant.id)
      .execute();
    expect(rows).toEqual(endSessions === waysToEnd.freeze ? [] : [{ id: newDevice.id }]);
  }
});

test('a concurrent call of a frozen user registers no device', async () => {
  const merchant = await newMerchant();
  const { db, clock } = gateway.deps;
  const { token } = service.subscribe(pushKey);
  const path = '/authed/notifications/register';
  const { call } = await db.transaction().execute(async (freezingTx) => {
    await freezingTx
      .updateTable('users')
      .set({ frozen_at: clock.now() })
      .where('id', '=', merchant.id)
      .execute();
    const call = gateway.api('POST', path, { token }, { token: merchant.token });
    const isBlocked = async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        db,
      );
      return rows.length > 0;
    };
    await Promise.race([call, expect.poll(isBlocked).toBe(true)]);
    return { call };
  });
  expect((await call).status).toBe(401);
  const devices = db.selectFrom('push_subscriptions').select('id').where('merchant_id', '=', merchant.id);
  expect(await devices.execute()).toEqual([]);
});

test('devices unused for two months or failing for two weeks are deleted', async () => {
  const [idleMerchant, merchantOfFailing] = [await newMerchant(), await newMerchant()];
  const [idleDevice, failingDevice] = [await givenDevice(idleMerchant), await givenDevice(merchantOfFailing)];
  failingDevice.answer = 500;
  await notify(merchantOfFailing.id, ['nada']);
  await expect.poll(() => failingDevice.calls()).toBe(1);
  await gateway.advance(15 * 24 * 3600);
  await prunePushDevices(gateway.deps);
  const stored = async () =>
    (await gateway.deps.db.selectFrom('push_subscriptions').select('id').execute()).map(({ id }) => id);
  expect(await stored()).toContain(idleDevice.id);
  expect(await stored()).not.toContain(failingDevice.id);
  await gateway.advance(46 * 24 * 3600);
  await prunePushDevices(gateway.deps);
  expect(await stored()).not.toContain(idleDevice.id);
});

test('an invalid subscription, or one with a forbidden address, is refused', async () => {
  const merchant = await newMerchant();
  const { endpoint, keys } = JSON.parse(service.subscribe(pushKey).token);
  const offCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString('base64url');
  for (const token of [
    'no json',
    '{}',
    JSON.stringify({ endpoint }),
    JSON.stringify({ endpoint, keys: { ...keys, auth: 'short' } }),
    JSON.stringify({ endpoint, keys: { ...keys, p256dh: offCurve } }),
    JSON.stringify({ endpoint: 'http://push.example.com/x', keys }),
    JSON.stringify({ endpoint: 'https://10.0.0.7/x', keys }),
    JSON.stringify({ endpoint: 'https://169.254.169.254/x', keys }),
  ]) {
    const answer = await gateway.api(
      'POST',
      '/authed/notifications/register',
      { token },
      { token: merchant.token },
    );
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'PUSH_TOKEN_INVALID' } } });
  }
  expect((await readAccount(merchant.token)).push_ids).toEqual([]);
});

test('an account has its twenty newest devices, and can unregister only its own', async () => {
  const [merchant, other] = [await newMerchant(), await newMerchant()];
  const ids: string[] = [];
  for (let count = 0; count < 21; count += 1) {
    ids.unshift((await givenDevice(merchant)).id);
    await gateway.advance(1);
  }
  expect((await readAccount(merchant.token)).push_ids).toEqual(ids.slice(0, 20));
  const otherDevice = await givenDevice(other);
  await gateway.api(
    'POST',
    '/authed/notifications/unregister',
    { token: otherDevice.token },
    { token: merchant.token },
  );
  expect((await readAccount(other.token)).push_ids).toEqual([otherDevice.id]);
});

test('a gateway without VAPID keys offers no push', async () => {
  const config = { ...gateway.deps.config, mode: 'live', vapid: undefined } as const;
  const caller = { userId: 1, sessionHash: Buffer.alloc(32) };
  const token = service.subscribe(pushKey).token;
  expect(vapidOf({ ...gateway.deps, config })).toBeUndefined();
  await expect(registerPush({ ...gateway.deps, config }, caller, { token, userAgent: '' })).rejects.toEqual(
    new Refusal('PUSH_OFF'),
  );
});

test('the token for a push service is reused, and renewed an hour before it expires', () => {
  const vapid = vapidOf(gateway.deps);
  if (vapid === undefined) throw new Error('push is off');
  let now = Date.now() - 11 * 3_600_000;
  const tokens = createVapidTokens(vapid, { now: () => new Date(now) });
  const first = tokens('https://push.example.com/a');
  expect(tokens('https://push.example.com/b')).toBe(first);
  expect(tokens('https://other.example.com/a')).not.toBe(first);
  now += 11 * 3_600_000 - 1000;
  expect(tokens('https://push.example.com/a')).toBe(first);
  now += 1000;
  expect(tokens('https://push.example.com/a')).not.toBe(first);
});
