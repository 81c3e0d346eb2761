import { expect, test } from 'vitest';
import { operations } from './contract.ts';
import { Jangada, type NewWebhookEndpoint } from './index.ts';

const url: NewWebhookEndpoint = { url: 'https://loja.example/webhooks' };

/** One call of each operation, with the id `i` where the operation takes one. */
const calls: Record<keyof typeof operations, (jangada: Jangada) => Promise<unknown>> = {
  createPayment: ({ payments }) => payments.create({ amount: 10 }),
  getPaymentStatus: ({ payments }) => payments.get('i'),
  listPayments: ({ payments }) => payments.list(),
  cancelPayment: ({ payments }) => payments.cancel('i'),
  paymentTimeline: ({ payments }) => payments.timeline('i'),
  refundPayment: ({ refunds }) => refunds.create('i'),
  listRefunds: ({ refunds }) => refunds.list('i'),
  createChargeBatch: ({ chargeBatches }) =>
    chargeBatches.create({ items: [{ external_id: 'a', amount: 10 }] }),
  listChargeBatches: ({ chargeBatches }) => chargeBatches.list(),
  getChargeBatch: ({ chargeBatches }) => chargeBatches.get('i'),
  listChargeBatchLines: ({ chargeBatches }) => chargeBatches.lines('i'),
  cancelChargeBatch: ({ chargeBatches }) => chargeBatches.cancel('i'),
  getPayerRules: ({ heldPix }) => heldPix.rules(),
  setPayerRules: ({ heldPix }) => heldPix.setRules({ other_payer: 'hold', late: null, doubled: null }),
  listHeldPix: ({ heldPix }) => heldPix.list(),
  acceptHeldPix: ({ heldPix }) => heldPix.accept('i'),
  giveBackHeldPix: ({ heldPix }) => heldPix.giveBack('i'),
  apiWithdraw: ({ withdrawals }) => withdrawals.create({ amount: 1000, pixKey: 'a@b.c', keyType: 'email' }),
  apiListWithdrawals: ({ withdrawals }) => withdrawals.list(),
  apiGetWithdrawal: ({ withdrawals }) => withdrawals.get('i'),
  getBalance: ({ balance }) => balance.get(),
  listPaymentLinks: ({ paymentLinks }) => paymentLinks.list(),
  createPaymentLink: ({ paymentLinks }) => paymentLinks.create({ title: 'Camiseta' }),
  getPaymentLink: ({ paymentLinks }) => paymentLinks.get('i'),
  updatePaymentLink: ({ paymentLinks }) =>
    paymentLinks.update('i', { title: 'Boné', active: true, version: 1 }),
  listCustomers: ({ customers }) => customers.list(),
  createCustomer: ({ customers }) => customers.create({ name: 'Ana Lima', document: '52998224725' }),
  getCustomer: ({ customers }) => customers.get('i'),
  updateCustomer: ({ customers }) =>
    customers.update('i', { name: 'Ana Lima', document: '52998224725', version: 1 }),
  renewCustomerPage: ({ customers }) => customers.renewPage('i'),
  createSubscription: ({ subscriptions }) =>
    subscriptions.create({
      payer: { name: 'Ana Souza', document: '52998224725' },
      description: 'Mensalidade',
      amount: 99.9,
      period: 'monthly',
      first_day: '2030-01-10',
      authorization: 'code',
    }),
  listSubscriptions: ({ subscriptions }) => subscriptions.list(),
  getSubscription: ({ subscriptions }) => subscriptions.get('i'),
  cancelSubscription: ({ subscriptions }) => subscriptions.cancel('i'),
  listCycles: ({ subscriptions }) => subscriptions.cycles('i'),
  setCycleAmount: ({ subscriptions }) => subscriptions.setCycleAmount('i', 1, { amount: 10 }),
  cancelCycle: ({ subscriptions }) => subscriptions.cancelCycle('i', 1),
  chargeCycle: ({ subscriptions }) => subscriptions.chargeCycle('i', 1),
  getSubscriptionSummary: ({ subscriptions }) => subscriptions.summary(),
  listCounterCodes: ({ counterCodes }) => counterCodes.list(),
  createCounterCode: ({ counterCodes }) => counterCodes.create({ name: 'Caixa 1' }),
  getCounterCode: ({ counterCodes }) => counterCodes.get('i'),
  updateCounterCode: ({ counterCodes }) =>
    counterCodes.update('i', { name: 'Caixa 2', active: true, version: 1 }),
  listEvents: ({ events }) => events.list(),
  getEvent: ({ events }) => events.get('i'),
  listWebhookEndpoints: ({ webhookEndpoints }) => webhookEndpoints.list(),
  createWebhookEndpoint: ({ webhookEndpoints }) => webhookEndpoints.create(url),
  getWebhookEndpoint: ({ webhookEndpoints }) => webhookEndpoints.get('i'),
  updateWebhookEndpoint: ({ webhookEndpoints }) => webhookEndpoints.update('i', url),
  deleteWebhookEndpoint: ({ webhookEndpoints }) => webhookEndpoints.delete('i'),
  enableWebhookEndpoint: ({ webhookEndpoints }) => webhookEndpoints.enable('i'),
  disableWebhookEndpoint: ({ webhookEndpoints }) => webhookEndpoints.disable('i'),
  testWebhookEndpoint: ({ webhookEndpoints }) => webhookEndpoints.test('i'),
  rotateWebhookEndpointSecret: ({ webhookEndpoints }) => webhookEndpoints.rotateSecret('i'),
  webhookDoctor: ({ webhookEndpoints }) => webhookEndpoints.doctor({ headers: '', body: '' }),
  listWebhookDeliveries: ({ webhookDeliveries }) => webhookDeliveries.list(),
  getWebhookDelivery: ({ webhookDeliveries }) => webhookDeliveries.get('i'),
  resendWebhookDelivery: ({ webhookDeliveries }) => webhookDeliveries.resend('i'),
  resendWebhookDeliveries: ({ webhookDeliveries }) => webhookDeliveries.resendMany({ ids: ['i'] }),
};

test('every operation of the contract has a client method that sends its call to the right route', async () => {
  const sentCalls: Record<string, unknown> = {};
  for (const [name, call] of Object.entries(calls)) {
    const jangada = new Jangada({
      baseUrl: 'https://pix.example.com',
      apiKey: 'k',
      fetch: async (address, { method, headers }) => {
        const path = new URL(address).pathname
          .replace('/api', '')
          .replace(/\/i(?=\/|$)/, '/{id}')
          .replace(/\/1(?=\/|$)/, '/{number}');
        sentCalls[name] = { method, path, keyed: new Headers(headers).has('idempotency-key') };
        return Response.json({ data: [] });
      },
    });
    await call(jangada);
  }
  expect(sentCalls).toEqual(operations);
});
