import { type Endpoint, endpoints, type Guard, guards } from '@jangada/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeExampleCalls } from '../test/example-calls.ts';
import type { ApiAnswer, CallOptions } from '../test/gateway.ts';
import { defaultPin, type GivenMerchant, givenBalance, givenMerchant } from '../test/given.ts';
import { givenHeldPix } from '../test/given-held-pix.ts';
import { givenSubscription } from '../test/given-subscription.ts';
import { type PushService, startPushService } from '../test/push-service.ts';
import { WithdrawalStand } from '../test/withdrawal-stand.ts';
import { accountLoops } from './accounts/index.ts';
import { calendarDayOf, daysAfter } from './calendar-day.ts';
import { refundLoops } from './refunds/index.ts';

let stand: WithdrawalStand;
let push: PushService;
beforeAll(async () => {
  [stand, push] = [await WithdrawalStand.start(), await startPushService()];
});
afterAll(async () => {
  await push.close();
  await stand.gateway.stop();
});

const allEndpoints: readonly Endpoint[] = endpoints;
const guardTable: readonly (readonly [string, Guard])[] = Object.entries(guards);

/** How a call notified the account's owner. */
type OwnerNotifications = { mail: boolean; panel: boolean };
const notificationsByCall = new Map<string, OwnerNotifications>();

/** Makes a call, completes its background work, and records the owner's notifications. */
async function callAndRecord(name: string, make: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
  // Makes earlier mails an hour older, so that the hourly limit of mails does not suppress new ones.
  await sql`update mails set created_at = created_at - interval '1 hour'`.execute(stand.deps.db);
  const before = await countOwnerNotifications();
  const answer = await make();
  await backgroundWork[name]?.();
  const after = await countOwnerNotifications();
  const recorded = notificationsByCall.get(name);
  notificationsByCall.set(name, {
    mail: recorded?.mail === true || after.mails > before.mails,
    panel: recorded?.panel === true || after.notifications > before.notifications,
  });
  return answer;
}

/** The background work that must run before the owner is notified of a call. */
const backgroundWork: Readonly<Record<string, () => Promise<void>>> = {
  async recoverPassword() {
    for (const { work } of accountLoops) await work(stand.deps);
  },
  refundPayment: completeRefunds,
  giveBackHeldPix: completeRefunds,
};

async function completeRefunds(): Promise<void> {
  for (let minutes = 0; minutes < 2; minutes += 1) {
    await stand.pollBankBalance();
    for (const { work } of refundLoops) await work(stand.deps);
    await stand.gateway.advance(60);
  }
}

/** Counts the notifications of all accounts except administrators, who get notifications of their own. */
async function countOwnerNotifications(): Promise<{ mails: number; notifications: number }> {
  const { db } = stand.deps;
  const owners = db.selectFrom('users').select('id').where('role', '!=', 'ADMIN');
  const mails = await db.selectFrom('mails').select('id').where('user_id', 'in', owners).execute();
  const notifications = db.selectFrom('notifications').select('id').where('merchant_id', 'in', owners);
  return { mails: mails.length, notifications: (await notifications.execute()).length };
}

/** Makes the calls that the documentation shows, by session and by API key. */
async function makeDocumentedCalls(): Promise<void> {
  const merchant = await stand.createFundedMerchant(500);
  const { token, apiKey } = merchant;
  const call = async (name: string, body?: unknown, id = '', credentials: CallOptions = { token }) => {
    const endpoint = allEndpoints.find((candidate) => candidate.name === name);
    const path = endpoint?.path.replace('{id}', id).replace('{number}', '1') ?? '';
    const answer = await callAndRecord(name, () =>
      stand.gateway.api(endpoint?.method ?? '', path, body, credentials),
    );
    expect([name, answer.status, answer.body]).toEqual([name, endpoint?.status ?? 200, expect.anything()]);
    return answer.body as { id: string };
  };
  const keyCredentials = { apiKey };

  const charge = await call('createPayment', { amount: 25.9 }, '', keyCredentials);
  await call('cancelPayment', undefined, charge.id, keyCredentials);
  const linkFields = { title: 'Camiseta', amount: 89.9 };
  const link = await call('createPaymentLink', linkFields);
  await call('updatePaymentLink', { ...linkFields, active: false, version: 1 }, link.id);
  const counter = await call('createCounterCode', { name: 'Caixa 1' });
  await call('updateCounterCode', { name: 'Caixa 2', active: false, version: 1 }, counter.id);
  const customerFields = { name: 'Ana Lima', document: '390.533.447-05' };
  const customer = await call('createCustomer', customerFields);
  await call('updateCustomer', { ...customerFields, version: 1 }, customer.id);
  await call('renewCustomerPage', undefined, customer.id);
  const subscription = await givenSubscription(stand.gateway, merchant);
  await call('setCycleAmount', { amount: 50 }, subscription.id);
  await call('chargeCycle', undefined, subscription.id);
  await call('cancelCycle', undefined, subscription.id);
  await call('cancelSubscription', undefined, subscription.id);
  await call('createSubscription', {
    payer: { name: 'Ana Souza', document: '529.982.247-25' },
    description: 'Mensalidade',
    amount: 99.9,
    period: 'monthly',
    first_day: daysAfter(calendarDayOf(stand.deps.clock.now()), 20),
    authorization: 'code',
  });
  const words = { subject: 'Lembrete', text: 'Vence em {vencimento}: {link}' };
  await call('setReminders', { active: true, days: [0], ...words, version: 0 });
  const { chargeId } = await givenBalance(stand.gateway, merchant, 30);
  await call('refundPayment', { amount: 10 }, chargeId, keyCredentials);
  const batch = await call('createChargeBatch', { items: [{ external_id: 'a', amount: 10 }] });
  await call('cancelChargeBatch', undefined, batch.id);
  await call('setPayerRules', { other_payer: null, late: null, doubled: null });
  const accepted = await givenHeldPix(stand.gateway, merchant);
  await call('acceptHeldPix', undefined, accepted.id, keyCredentials);
  const returned = await givenHeldPix(stand.gateway, merchant);
  await call('giveBackHeldPix', undefined, returned.id, keyCredentials);
  await allowApiWithdrawals(merchant);
  await call(
    'apiWithdraw',
    { amount: 10_000, pixKey: 'maria@example.com', keyType: 'email' },
    '',
    keyCredentials,
  );

  const receiver = await call('createWebhookEndpoint', { url: 'http://localhost:1/' });
  await call('updateWebhookEndpoint', { url: 'http://localhost:2/' }, receiver.id);
  await call('rotateWebhookEndpointSecret', undefined, receiver.id);
  const testDelivery = await call('testWebhookEndpoint', undefined, receiver.id);
  await call('resendWebhookDelivery', undefined, testDelivery.id);
  await call('webhookDoctor', { headers: {}, body: '{}' });
  await call('disableWebhookEndpoint', undefined, receiver.id);
  await call('enableWebhookEndpoint', undefined, receiver.id);
  await call('deleteWebhookEndpoint', undefined, receiver.id);

  // Another account makes these calls, because an account is notified of resends only once a day.
  const otherCredentials = { token: (await givenMerchant(stand.gateway, { admin: stand.admin })).token };
  const second = await call('createWebhookEndpoint', { url: 'http://localhost:1/' }, '', otherCredentials);
  const secondDelivery = await call('testWebhookEndpoint', undefined, second.id, otherCredentials);
  await call('resendWebhookDeliveries', { ids: [secondDelivery.id] }, '', otherCredentials);
}

async function allowApiWithdrawals({ token, password }: GivenMerchant): Promise<void> {
  const proof = { password, withdrawal_pin: defaultPin };
  const destination = { pixKey: 'maria@example.com', pix_key_type: 'email', ...proof };
  await stand.gateway.api('PUT', '/authed/api-withdrawals', { enabled: true, ...proof }, { token });
  await stand.gateway.api('POST', '/authed/api-withdrawals/destinations', destination, { token });
  await stand.deps.db.updateTable('withdrawal_controls').set({ held_until: null }).execute();
}

test('each successful call notifies the account’s owner as stated in the table of guards', async () => {
  await makeDocumentedCalls();
  await makeExampleCalls(stand, push, callAndRecord);
  const notificationOf = (notifications: OwnerNotifications | undefined) => {
    if (notifications === undefined) return 'was never called';
    if (notifications.mail) return 'mail';
    return notifications.panel ? 'panel' : 'nobody';
  };
  const expected = guardTable.map(([name, { notifies }]) => [
    name,
    typeof notifies === 'string' ? notifies : 'nobody',
  ]);
  expect(guardTable.map(([name]) => [name, notificationOf(notificationsByCall.get(name))])).toEqual(expected);
});
