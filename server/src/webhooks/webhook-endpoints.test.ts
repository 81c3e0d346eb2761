import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createWebhookEndpoint,
  getWebhookDelivery,
  getWebhookEndpoint,
  listWebhookDeliveries,
  listWebhookEndpoints,
  resendWebhookDeliveries,
  resendWebhookDelivery,
  rotateWebhookEndpointSecret,
  sandboxMails,
  testWebhookEndpoint,
  WEBHOOK_LIMITS,
  webhookDoctor,
  webhookEndpointSecret,
} from '@jangada/contract';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { waitUntilEventsAreVisible } from '../../test/feed.ts';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenMerchant, givenMerchant, parseSuccess } from '../../test/given.ts';
import { sendQueuedMails } from '../../test/mailbox.ts';
import {
  type ReceivedWebhook,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../test/webhook-receiver.ts';
import { calendarDayOf } from '../calendar-day.ts';
import { inTransaction } from '../db/transaction.ts';
import { emitDisputeEvent, emitPaymentEvents, emitRefundFailed, pruneWebhooks } from './index.ts';
import { giveUpDeliveries } from './prune-webhooks.ts';
import { warnFailing } from './warn-failing.ts';

let gateway: TestGateway;
let merchant: GivenMerchant;
let shop: WebhookReceiver;
/** The shop's status. */
let status = 200;
const hour = 3600;

beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(async () => {
  // Each test has its own administrator, since sessions expire as time moves.
  merchant = await givenMerchant(gateway);
  status = 200;
  shop = await startWebhookReceiver((response) => response.writeHead(status).end(`status ${status}`));
});
afterEach(() => shop.close());
afterAll(() => gateway.stop());

const api = (method: string, path: string, body?: unknown, whose = merchant) =>
  gateway.api(method, `/webhooks/${path}`, body, { apiKey: whose.apiKey });
const codeOf = ({ body }: { readonly body: unknown }) => (body as { error?: { code: string } }).error?.code;

async function create(wanted: Readonly<Record<string, unknown>> = {}) {
  return parseSuccess(
    createWebhookEndpoint.response,
    await api('POST', 'endpoints', { url: `${shop.url}/one`, ...wanted }),
  );
}
const look = async (id: string) =>
  parseSuccess(getWebhookEndpoint.response, await api('GET', `endpoints/${id}`));
async function log(query = '') {
  return parseSuccess(listWebhookDeliveries.response, await api('GET', `deliveries?${query}`)).deliveries;
}
const detail = async (id: string) =>
  parseSuccess(getWebhookDelivery.response, await api('GET', `deliveries/${encodeURIComponent(id)}`));
const states = async (query?: string) => (await log(query)).map(({ state }) => state);

/** A settled payment for each of these charges. */
async function pay({
  callbackUrl = null as string | null,
  chargeId = randomUUID() as string,
  count = 1,
} = {}) {
  await inTransaction(gateway.deps, (tx) =>
    emitPaymentEvents(
      tx,
      Array.from({ length: count }, (_, index) => ({
        type: 'payment.paid',
        merchantId: merchant.id,
        chargeId: index === 0 ? chargeId : randomUUID(),
        callbackUrl,
        status: 'paid',
        amountCents: 2590,
        createdAt: tx.now,
      })),
    ),
  );
  return `evt_${chargeId.replaceAll('-', '')}_paid`;
}
const arrived = (count: number) => expect.poll(() => shop.received.length).toBe(count);
const settled = (query = '') => expect.poll(() => states(query));

function verify(secret: string, { headers, body }: ReceivedWebhook): unknown {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  return new Webhook(secret).verify(
    body,
    Object.fromEntries(names.map((name) => [name, String(headers[name])])),
  );
}
const received = (path: string) => shop.received.filter((one) => one.path === path);
const only = <T>(list: readonly T[]): T => {
  const [first] = list;
  if (first === undefined || list.length > 1) throw new Error(`There are ${list.length}, not one.`);
  return first;
};
const warnings = async () => {
  const { db } = gateway.deps;
  const titles = await db
    .selectFrom('notifications')
    .select('title')
    .where('merchant_id', '=', merchant.id)
    .where('title', '<>', 'Endereço de webhook cadastrado')
    .orderBy('created_at')
    .execute();
  const mails = await db
    .selectFrom('mails')
    .select('subject')
    .where('user_id', '=', merchant.id)
    .where('kind', '=', 'webhook')
    .execute();
  return [titles.map(({ title }) => title), mails.map(({ subject }) => subject)];
};

describe('an endpoint', () => {
  test('receives its chosen types, in addition to the callback address, each signed with its own secret', async () => {
    const paid = await create({ url: `${shop.url}/paid`, events: ['payment.paid', 'payment.paid'] });
    const all = await create({ url: `${shop.url}/all`, description: 'tudo' });
    await create({ url: `${shop.url}/other`, events: ['payment.expired'] });
    expect(paid.events).toEqual(['payment.paid']);
    const id = await pay({ callbackUrl: `${shop.url}/callback` });
    await arrived(3);
    expect(new Set(shop.received.map((one) => one.id))).toEqual(new Set([id]));
    const [toPaid, toAll, toCallback] = ['/paid', '/all', '/callback'].map((path) => only(received(path)));
    expect(toPaid && verify(paid.secret, toPaid)).toMatchObject({ type: 'payment.paid', amount: 25.9 });
    expect(toAll && verify(all.secret, toAll)).toMatchObject({ type: 'payment.paid' });
    expect(() => toAll && verify(paid.secret, toAll)).toThrow();
    const account = await gateway.api('GET', '/authed/webhook-secret', undefined, { token: merchant.token });
    const { secret } = account.body as { secret: string };
    expect(toCallback && verify(secret, toCallback)).toMatchObject({ type: 'payment.paid' });
    const { endpoints, limit } = parseSuccess(listWebhookEndpoints.response, await api('GET', 'endpoints'));
    expect([endpoints.length, limit]).toEqual([3, 16]);
    expect(JSON.stringify(endpoints)).not.toContain('whsec_');
  });

  test('receives disputes and failed refunds, and a callback address does not', async () => {
    await create();
    const [chargeId, disputeId] = [randomUUID(), randomUUID()];
    await inTransaction(gateway.deps, async (tx) => {
      const refund = { id: randomUUID(), externalId: 'devolucao-7', amountCents: 1000 };
      await emitRefundFailed(tx, {
        merchantId: merchant.id,
        chargeId,
        refund,
        error: 'Sem saldo.',
        createdAt: tx.now,
      });
      const dispute = {
        merchantId: merchant.id,
        id: disputeId,
        chargeId,
        endToEndId: 'E1',
        disputedCents: 2590,
        blockedCents: 2590,
        returnedCents: 0,
        deadlineAt: tx.now,
        openedAt: tx.now,
      };
      await emitDisputeEvent(tx, { ...dispute, type: 'dispute.opened', status: 'open' });
      await emitDisputeEvent(tx, { ...dispute, type: 'dispute.closed', status: 'won', blockedCents: 0 });
    });
    await arrived(3);
    const bodies = shop.received.map(({ body }) => JSON.parse(body) as { type: string });
    expect(bodies.map(({ type }) => type).toSorted()).toEqual([
      'dispute.closed',
      'dispute.opened',
      'refund.failed',
    ]);
    expect(bodies.find(({ type }) => type === 'refund.failed')).toMatchObject({
      paymentId: chargeId,
      refund: { refund_id: 'devolucao-7', amount: 10, status: 'failed', error: 'Sem saldo.' },
    });
    expect(bodies.find(({ type }) => type === 'dispute.closed')).toMatchObject({
      disputeId,
      status: 'won',
      amount: 25.9,
    });
  });

  test('must have an allowed address, and there are sixteen at most, even under concurrent creation', async () => {
    for (const url of ['ftp://loja.example', 'https://10.0.0.1/x', 'x', 'https://loja.example:22/'])
      expect([url, codeOf(await api('POST', 'endpoints', { url }))]).toEqual([url, 'INVALID_CALLBACK_URL']);
    expect(codeOf(await api('POST', 'endpoints', { url: shop.url, events: ['payment.created'] }))).toBe(
      'INVALID_BODY',
    );
    const made = await Promise.all(
      Array.from({ length: 20 }, () => api('POST', 'endpoints', { url: shop.url })),
    );
    expect(made.map((one) => one.status).toSorted()).toEqual([...Array(16).fill(201), ...Array(4).fill(409)]);
    expect(codeOf(await api('POST', 'endpoints', { url: shop.url }))).toBe('WEBHOOK_ENDPOINT_LIMIT');
  });

  test('after a change receives waiting deliveries at its new address, and its new types', async () => {
    status = 500;
    const { id } = await create({ url: `${shop.url}/old` });
    await pay();
    await arrived(1);
    await expect.poll(async () => (await log())[0]?.attempts).toBe(1);
    status = 200;
    const changed = await api('PUT', `endpoints/${id}`, {
      url: `${shop.url}/new`,
      events: ['payment.expired'],
    });
    expect(changed).toMatchObject({
      status: 200,
      body: { url: `${shop.url}/new`, events: ['payment.expired'] },
    });
    await pay();
    await gateway.advance(10);
    await settled().toEqual(['delivered']);
    expect(shop.received.map(({ path }) => path)).toEqual(['/old', '/new']);
  });

  test('that is removed receives nothing more, and its log is kept', async () => {
    status = 500;
    const { id } = await create();
    await pay();
    await expect.poll(async () => (await log())[0]?.attempts).toBe(1);
    expect((await api('DELETE', `endpoints/${id}`)).status).toBe(200);
    await pay();
    await gateway.advance(hour);
    expect(await states()).toEqual(['failed']);
    expect(codeOf(await api('POST', `deliveries/${(await log())[0]?.id}/resend`))).toBe(
      'WEBHOOK_ENDPOINT_OFF',
    );
    for (const path of [`endpoints/${id}`, `endpoints/${id}/secret`])
      expect(
        (await gateway.api('GET', `/webhooks/${path}`, undefined, { token: merchant.token })).status,
      ).toBe(404);
    expect(shop.received.length).toBe(1);
  });

  test('that is disabled receives nothing; enabled again it receives events of the last three days', async () => {
    const { id } = await create();
    expect(await api('POST', `endpoints/${id}/disable`)).toMatchObject({
      body: { state: 'off', off_reason: 'merchant' },
    });
    await pay();
    await gateway.advance(40 * hour);
    const recent = await pay();
    await gateway.advance(40 * hour);
    await giveUpDeliveries(gateway.deps);
    expect(await states()).toEqual(['held']);
    expect(codeOf(await api('POST', `endpoints/${id}/test`))).toBe('WEBHOOK_ENDPOINT_OFF');
    expect(shop.received).toEqual([]);
    const on = await api('POST', `endpoints/${id}/enable`);
    expect(on).toMatchObject({ body: { state: 'on', off_reason: null, off_at: null } });
    await settled().toEqual(['delivered']);
    expect(shop.received.map((one) => one.id)).toEqual([recent]);
  });

  test('that is disabled while failing keeps its waiting deliveries with their attempts', async () => {
    status = 500;
    const { id } = await create();
    await pay();
    await expect.poll(async () => (await log())[0]?.attempts).toBe(1);
    await api('POST', `endpoints/${id}/disable`);
    expect(await states()).toEqual(['held']);
    await gateway.advance(10);
    status = 200;
    await api('POST', `endpoints/${id}/enable`);
    await settled().toEqual(['delivered']);
    expect((await log())[0]?.attempts).toBe(2);
  });

  test('that answers 410 is disabled at once, and its owner notified', async () => {
    status = 410;
    const { id } = await create();
    await pay();
    await expect.poll(async () => (await look(id)).state).toBe('off');
    expect(await look(id)).toMatchObject({ off_reason: 'gone', failures: 0 });
    expect(await warnings()).toEqual([['Endereço de webhook desligado'], ['Endereço de webhook desligado']]);
    await sendQueuedMails(gateway);
    const mails = parseSuccess(sandboxMails.response, await gateway.api('GET', '/sandbox/mails')).mails;
    expect(mails.map(({ text }) => text).join('\n')).toContain(
      `O endereço de webhook em ${new URL(shop.url).host} (id ${id.slice(0, 8)}) respondeu 410`,
    );
    expect(await states()).toEqual(['failed']);
    status = 200;
    await pay();
    expect(await states('state=held')).toEqual(['held']);
    await api('POST', `endpoints/${id}/enable`);
    await settled().toEqual(['delivered', 'failed']);
  });
});

describe('a failing receiver', () => {
  const attemptsOf = async () => (await log())[0]?.attempts ?? 0;
  /** Attempts the delivery until it has failed this often. */
  const fail = async (attempts: number) => {
    await expect.poll(attemptsOf).toBeGreaterThan(0);
    for (let made = await attemptsOf(); made < attempts; made += 1) {
      await gateway.advance(45 * 60);
      await expect.poll(attemptsOf).toBe(made + 1);
    }
  };

  test('is reported after half an hour and five attempts, once a day, until a delivery succeeds', async () => {
    status = 500;
    const { id } = await create();
    await pay();
    await fail(4);
    await warnFailing(gateway.deps);
    expect(await warnings()).toEqual([[], []]);
    await fail(5);
    await warnFailing(gateway.deps);
    await warnFailing(gateway.deps);
    const title = 'Um endereço de webhook não responde';
    expect(await warnings()).toEqual([[title], [title]]);
    expect(await look(id)).toMatchObject({ state: 'on', failures: 5 });
    await gateway.advance(24 * hour);
    await fail(6);
    await warnFailing(gateway.deps);
    expect((await warnings())[0]).toEqual([title, title]);
    status = 200;
    await pay();
    await expect.poll(async () => (await look(id)).failing_since).toBe(null);
    expect(await look(id)).toMatchObject({ failures: 0, state: 'on' });
  });

  test('is disabled after five days, and its waiting deliveries are held', async () => {
    status = 500;
    const { id } = await create();
    await pay();
    await fail(5);
    for (let day = 1; day <= 5; day += 1) {
      await gateway.advance(24 * hour);
      await pay();
      await expect.poll(async () => (await log('limit=1'))[0]?.attempts).toBe(1);
      await warnFailing(gateway.deps);
      expect((await look(id)).state).toBe(day < 5 ? 'on' : 'off');
    }
    expect((await look(id)).off_reason).toBe('failing');
    expect((await warnings())[0]?.at(-1)).toBe('Endereço de webhook desligado');
    expect(await states('limit=1')).toEqual(['held']);
  });

  test('is also reported if it is a callback address', async () => {
    status = 500;
    await pay({ callbackUrl: `${shop.url}/callback` });
    await fail(5);
    await warnFailing(gateway.deps);
    expect((await warnings())[0]).toEqual(['Um endereço de webhook não responde']);
    status = 200;
    await pay({ callbackUrl: `${shop.url}/callback` });
    const failing = () =>
      gateway.deps.db
        .selectFrom('webhook_health')
        .select('failing_since')
        .where('merchant_id', '=', merchant.id)
        .execute();
    await expect.poll(failing).toEqual([{ failing_since: null }]);
    await gateway.advance(8 * 24 * hour);
    await pruneWebhooks(gateway.deps);
    expect(await failing()).toEqual([]);
  });
});

describe('the log', () => {
  test('stores the request and response of each attempt', async () => {
    status = 503;
    const { id: endpointId, secret } = await create();
    const eventId = await pay();
    await expect.poll(async () => (await log())[0]?.attempts).toBe(1);
    status = 200;
    await gateway.advance(10);
    await settled().toEqual(['delivered']);
    const { id } = only(await log());
    const found = await detail(id);
    expect(found).toMatchObject({
      event_id: eventId,
      endpoint_id: endpointId,
      type: 'payment.paid',
      state: 'delivered',
    });
    expect(found).toMatchObject({ attempts: 2, last_status: 200, resent: false, next_attempt_at: null });
    expect(found.log.map(({ status: answered, answer }) => [answered, answer])).toEqual([
      [503, 'status 503'],
      [200, 'status 200'],
    ]);
    const last = found.log.at(-1);
    expect(found.body).toBe(shop.received.at(-1)?.body);
    expect(new Webhook(secret).verify(found.body ?? '', last?.headers ?? {})).toMatchObject({
      type: 'payment.paid',
    });
    expect(last?.headers['content-type']).toBe('application/json');
  });

  test('is filtered by endpoint, type, state and subject, page by page, for its owner only', async () => {
    const { id } = await create();
    const chargeId = randomUUID();
    await pay({ chargeId, callbackUrl: `${shop.url}/callback` });
    await pay({ count: 4 });
    await settled('limit=100').toEqual(Array(6).fill('delivered'));
    expect(await log(`endpoint=${id}`)).toHaveLength(5);
    expect(await log('endpoint=callback')).toHaveLength(1);
    expect(await log(`subject=${chargeId}`)).toHaveLength(2);
    expect(await log('type=payment.expired')).toHaveLength(0);
    expect(await log('state=failed')).toHaveLength(0);
    const pages: string[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const before: string = next === '' ? '' : `&before=${next}`;
      const answer = await api('GET', `deliveries?limit=4${before}`);
      const page = parseSuccess(listWebhookDeliveries.response, answer);
      pages.push(...page.deliveries.map((one) => one.id));
      next = page.next;
    }
    expect(pages).toEqual((await log('limit=100')).map((one) => one.id));
    expect(await api('GET', `deliveries?before=${pages.at(-1)}`)).toMatchObject({ body: { deliveries: [] } });
    expect(codeOf(await api('GET', 'deliveries?before=evt_x'))).toBe('INVALID_QUERY');
    const other = await givenMerchant(gateway);
    expect((await api('GET', `deliveries/${pages[0]}`, undefined, other)).status).toBe(404);
    expect((await api('POST', `deliveries/${pages[0]}/resend`, undefined, other)).status).toBe(404);
    expect((await api('GET', `endpoints/${id}`, undefined, other)).status).toBe(404);
    expect(await api('GET', 'deliveries', undefined, other)).toMatchObject({ body: { deliveries: [] } });
  });

  test('lists what was not tried yet as waiting or held, and it can be resent like the rest', async () => {
    const off = await create({ url: `${shop.url}/off`, events: ['payment.paid'] });
    await api('POST', `endpoints/${off.id}/disable`);
    await create({ url: `${shop.url}/other`, events: ['payment.expired'] });
    const eventIds: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      eventIds.push(await pay());
      // Events of the same millisecond are listed by id.
      await sleep(2);
    }
    const held = await log('state=held');
    expect(held.map((one) => one.event_id)).toEqual(eventIds.toReversed());
    expect(held[0]).toMatchObject({ endpoint_id: off.id, attempts: 0, url: off.url, type: 'payment.paid' });
    expect(await log('state=waiting')).toEqual([]);
    expect(await log(`endpoint=${off.id}&type=payment.paid`)).toEqual(held);
    const page = parseSuccess(listWebhookDeliveries.response, await api('GET', 'deliveries?limit=2'));
    expect(page.deliveries).toEqual(held.slice(0, 2));
    expect(await log(`before=${page.next}`)).toEqual(held.slice(2));
    expect(await detail(held[1]?.id ?? '')).toMatchObject({ state: 'held', log: [], attempts: 0 });
    expect((await detail(held[1]?.id ?? '')).body).toContain('payment.paid');
    expect(codeOf(await api('POST', `deliveries/${held[0]?.id}/resend`))).toBe('WEBHOOK_ENDPOINT_OFF');
    await api('POST', `endpoints/${off.id}/enable`);
    await settled().toEqual(['delivered', 'delivered', 'delivered']);
    await arrived(3);
  });

  test('a delivered event is resent as the same event, to the current address of its endpoint', async () => {
    const { id: endpointId } = await create();
    const eventId = await pay({ callbackUrl: `${shop.url}/callback` });
    await arrived(2);
    await settled().toEqual(['delivered', 'delivered']);
    await api('PUT', `endpoints/${endpointId}`, { url: `${shop.url}/moved` });
    for (const { id } of await log()) {
      const again = parseSuccess(
        resendWebhookDelivery.response,
        await api('POST', `deliveries/${id}/resend`),
      );
      expect(again).toMatchObject({ event_id: eventId, resent: true, attempts: 0 });
    }
    await arrived(4);
    expect(
      shop.received
        .slice(2)
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(['/callback', '/moved']);
    expect(new Set(shop.received.map(({ id, body }) => `${id} ${body}`)).size).toBe(1);
  });

  test('failures in a period are resent at once, once; explicit ids are resent whatever their state', async () => {
    status = 410;
    const { id: endpoint } = await create();
    const from = gateway.deps.clock.now().toISOString();
    await pay();
    await expect.poll(async () => (await look(endpoint)).state).toBe('off');
    const to = new Date(gateway.deps.clock.now().getTime() + 60_000).toISOString();
    const resend = async (body: unknown) =>
      parseSuccess(resendWebhookDeliveries.response, await api('POST', 'deliveries/resend', body));
    expect(await resend({ endpoint, from, to })).toMatchObject({ resent: 0, skipped: 1 });
    const today = calendarDayOf(gateway.deps.clock.now());
    expect(await resend({ endpoint, from: today, to: today })).toMatchObject({ resent: 0, skipped: 1 });
    status = 200;
    await api('POST', `endpoints/${endpoint}/enable`);
    expect(await resend({ endpoint, from, to })).toMatchObject({ resent: 1, skipped: 0, has_more: false });
    expect(await resend({ endpoint, from, to })).toMatchObject({ resent: 0, skipped: 0 });
    await settled().toEqual(['delivered', 'failed']);
    const ids = (await log()).map(({ id }) => id);
    expect(await resend({ ids: [...ids, ...ids, 'evt_x'] })).toMatchObject({ resent: 2, skipped: 1 });
    await arrived(4);
    expect(codeOf(await api('POST', 'deliveries/resend', { endpoint, from: to, to: from }))).toBe(
      'PERIOD_INVALID',
    );
    expect(codeOf(await api('POST', 'deliveries/resend', { endpoint }))).toBe('INVALID_BODY');
    const tooMany = { ids: Array.from({ length: WEBHOOK_LIMITS.resendIds + 1 }, (_, at) => `evt_${at}`) };
    expect(await api('POST', 'deliveries/resend', tooMany)).toMatchObject({
      status: 400,
      body: { message: 'Até 100 entregas por vez.' },
    });
  });

  test('an event that was deleted is not resent', async () => {
    await create();
    await pay();
    await settled().toEqual(['delivered']);
    const { id } = only(await log());
    await gateway.advance(31 * 24 * hour);
    expect(codeOf(await api('POST', `deliveries/${id}/resend`))).toBe('WEBHOOK_EVENT_FORGOTTEN');
    await gateway.advance(4 * 24 * hour);
    await pruneWebhooks(gateway.deps);
    expect((await detail(id)).body).toBe(null);
  });
});

describe('a test event', () => {
  test('is sent only to the chosen endpoint, whatever its types, signed, and is not in the feed', async () => {
    const { id, secret } = await create({ events: ['dispute.opened'] });
    await create({ url: `${shop.url}/other` });
    const sent = parseSuccess(testWebhookEndpoint.response, await api('POST', `endpoints/${id}/test`));
    await arrived(1);
    const webhook = only(shop.received);
    expect(verify(secret, webhook)).toMatchObject({ type: 'webhook.test', endpointId: id });
    await settled().toEqual(['delivered']);
    expect(await detail(sent.id)).toMatchObject({ type: 'webhook.test', subject_id: id, body: webhook.body });
    await waitUntilEventsAreVisible(gateway);
    const feed = await gateway.api('GET', '/events', undefined, { apiKey: merchant.apiKey });
    expect(feed).toMatchObject({ body: { data: [], next: null } });
    await api('POST', `deliveries/${sent.id}/resend`);
    await arrived(2);
  });
});

describe('the secret of an endpoint', () => {
  test('is shown only with the password, and after a rotation the old one signs along for 24 hours', async () => {
    const { id, secret } = await create();
    const path = `/webhooks/endpoints/${id}/secret`;
    const session = { token: merchant.token };
    const shown = async () =>
      parseSuccess(webhookEndpointSecret.response, await gateway.api('GET', path, undefined, session)).secret;
    expect(await shown()).toBe(secret);
    const fresh = parseSuccess(
      rotateWebhookEndpointSecret.response,
      await api('POST', `endpoints/${id}/secret/rotate`),
    );
    expect(await shown()).toBe(fresh.secret);
    await pay();
    await arrived(1);
    for (const one of [secret, fresh.secret])
      expect(verify(one, only(shop.received))).toMatchObject({ amount: 25.9 });
    await gateway.advance(24 * hour);
    await pay();
    await arrived(2);
    const last = shop.received[1];
    expect(last && verify(fresh.secret, last)).toMatchObject({ amount: 25.9 });
    expect(() => last && verify(secret, last)).toThrow();
    await expect(gateway.api('POST', `${path}/rotate`, undefined, session)).resolves.toMatchObject({
      status: 401,
    });
  });
});

test('repeated rotations of a secret keep only a few', async () => {
  const { id } = await create();
  const rotate = () => api('POST', `endpoints/${id}/secret/rotate`);
  for (let count = 0; count < 12; count += 1) expect((await rotate()).status).toBe(200);
  const secrets = gateway.deps.db.selectFrom('webhook_secrets').where('receiver', '=', id);
  // One signs, four sign along, and the doctor knows four earlier ones.
  expect(await secrets.select('id').execute()).toHaveLength(9);
});

test('the doctor knows the sent deliveries, and every secret of the account', async () => {
  const { id } = await create();
  const other = await create({ url: `${shop.url}/other`, events: ['payment.expired'] });
  await pay();
  await settled().toContain('delivered');
  const { headers, body } = only(shop.received);
  const asked = async (change: Readonly<Record<string, unknown>>) => {
    const given = { headers: JSON.parse(JSON.stringify(headers)), body, endpoint: id, ...change };
    return parseSuccess(webhookDoctor.response, await api('POST', 'doctor', given));
  };
  expect(await asked({})).toMatchObject({ ok: true, verdict: 'valid' });
  expect(await asked({ endpoint: other.id })).toMatchObject({ ok: false, verdict: 'secret-of-endpoint' });
  const keysTurned = JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(body)).toReversed()));
  expect(await asked({ body: keysTurned })).toMatchObject({ verdict: 'body-reserialised' });
  expect(await asked({ body: body.replace('25.9', '2590') })).toMatchObject({ verdict: 'body-changed' });
  const lines = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
  expect(await asked({ headers: lines, computed: 'AAAA' })).toMatchObject({
    ok: true,
    verdict: 'computed-wrong',
  });
  expect(codeOf(await api('POST', 'doctor', { headers: {}, body, endpoint: randomUUID() }))).toBe(
    'WEBHOOK_ENDPOINT_NOT_FOUND',
  );
});

test('bulk resends are limited to twenty a minute', async () => {
  const many = async () => (await api('POST', 'deliveries/resend', { ids: ['evt_none.1'] })).status;
  for (let call = 0; call <= 20; call += 1) expect(await many()).toBe(call < 20 ? 200 : 429);
});

test('the doctor answers sixty requests a minute per merchant', async () => {
  const ask = async () => (await api('POST', 'doctor', { headers: {}, body: '{}' })).status;
  const answers = await Promise.all(Array.from({ length: 62 }, ask));
  expect(answers.toSorted()).toEqual([...Array(60).fill(200), 429, 429]);
  await gateway.advance(60);
  expect(await ask()).toBe(200);
});
