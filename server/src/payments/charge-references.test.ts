import {
  createdPayment,
  errorEnvelope,
  getPaymentStatus,
  listPayments,
  paymentTimeline,
  transactionFeed,
} from '@jangada/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiAnswer, startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  type GivenMerchant,
  givenCharge,
  givenMerchant,
  givenPaidPayment,
  parseSuccess,
} from '../../test/given.ts';
import { startWebhookReceiver } from '../../test/webhook-receiver.ts';

let gateway: TestGateway;
let merchant: GivenMerchant;
let other: GivenMerchant;
beforeAll(async () => {
  gateway = await startTestGateway();
  [merchant, other] = [await givenMerchant(gateway), await givenMerchant(gateway)];
});
afterAll(() => gateway.stop());

const callApi = (method: string, path: string, body?: unknown, caller = merchant) =>
  gateway.api(method, path, body, { apiKey: caller.apiKey });
const codeOf = ({ body }: ApiAnswer) => errorEnvelope.parse(body).error.code;
const readStatus = async (id: string) =>
  parseSuccess(getPaymentStatus.response, await callApi('GET', `/pix/status/${id}`));
const listCharges = async (query: string, caller = merchant) =>
  parseSuccess(listPayments.response, await callApi('GET', `/pix?${query}`, undefined, caller));

describe('an integrator’s own reference of a charge', () => {
  test('is in every response of the charge, and finds the charge, newest first, for its owner only', async () => {
    const references = { external_id: 'pedido-1042', metadata: { loja: 'Boa Viagem', mesa: '7' } };
    const [first, second] = [
      await givenCharge(gateway, merchant, references),
      await givenCharge(gateway, merchant, references),
    ];
    await givenCharge(gateway, merchant, { external_id: 'pedido-1043', metadata: { loja: 'Pina' } });
    await givenCharge(gateway, other, references);
    expect(first).toMatchObject(references);
    expect(await readStatus(first.id)).toMatchObject(references);

    const ids = (found: { data: readonly { id: string }[] }) => found.data.map(({ id }) => id);
    expect(ids(await listCharges('external_id=pedido-1042'))).toEqual([second.id, first.id]);
    expect(ids(await listCharges('metadata_name=mesa&metadata_value=7'))).toEqual([second.id, first.id]);
    expect(ids(await listCharges('metadata_name=mesa&metadata_value=8'))).toEqual([]);
    expect((await listCharges('external_id=pedido-1042', other)).data).toHaveLength(1);

    const page = await listCharges('external_id=pedido-1042&limit=1');
    expect(ids(page)).toEqual([second.id]);
    expect(ids(await listCharges(`external_id=pedido-1042&limit=1&before=${page.next}`))).toEqual([first.id]);
    expect((await listCharges('limit=100')).data).toHaveLength(3);

    for (const search of ['pedido-1042', '%23pedido-1042']) {
      const feed = await gateway.api('GET', `/authed/feed/transactions?search=${search}`, undefined, {
        token: merchant.token,
      });
      expect(ids(parseSuccess(transactionFeed.response, feed))).toEqual([second.id, first.id]);
    }
  });

  test('is refused with the field’s name if invalid; a search is by one reference, metadata with name and value', async () => {
    const twentyOneEntries = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`n${n}`, '']));
    for (const invalidFields of [
      { external_id: '' },
      { external_id: 'x'.repeat(101) },
      { external_id: 7 },
      { metadata: { pedido: 7 } },
      { metadata: ['a'] },
      { metadata: { ['n'.repeat(41)]: '' } },
      { metadata: { nota: 'x'.repeat(501) } },
      { metadata: twentyOneEntries },
    ]) {
      const response = await callApi('POST', '/pix/new', { amount: 10, ...invalidFields });
      const { error } = errorEnvelope.parse(response.body);
      expect(error.code).toBe('INVALID_BODY');
      expect(JSON.stringify(error.details)).toContain(Object.keys(invalidFields)[0]);
    }
    expect(codeOf(await callApi('GET', '/pix?metadata_name=mesa'))).toBe('INVALID_QUERY');
    const twoReferences = '/pix?external_id=a&metadata_name=mesa&metadata_value=7';
    expect(codeOf(await callApi('GET', twoReferences))).toBe('INVALID_QUERY');
  });

  test('never changes', async () => {
    const { id } = await givenCharge(gateway, merchant, { external_id: 'fica' });
    for (const change of [{ external_id: 'outro' }, { metadata: JSON.stringify({ a: 'b' }) }]) {
      const update = gateway.deps.db.updateTable('charges').set(change).where('id', '=', id);
      await expect(update.execute()).rejects.toThrow(/does not change this way/);
    }
  });
});

describe('cancelling a charge', () => {
  test('also cancels it at the bank; repeating the call changes nothing, and one webhook is sent', async () => {
    const receiver = await startWebhookReceiver();
    const charge = await givenCharge(gateway, merchant, { callback_url: `${receiver.url}/pix` });
    const cancelled = parseSuccess(
      getPaymentStatus.response,
      await callApi('POST', `/pix/${charge.id}/cancel`),
    );
    expect(cancelled).toMatchObject({ status: 'expired', cancelled_at: expect.any(String) });
    await expect(gateway.bank.pay({ brCode: charge.content })).rejects.toThrow();
    const again = parseSuccess(getPaymentStatus.response, await callApi('POST', `/pix/${charge.id}/cancel`));
    expect(again).toEqual(cancelled);
    await expect.poll(() => receiver.received.length).toBe(1);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
      type: 'payment.expired',
      id: charge.id,
    });
    await receiver.close();
  });

  test('is refused once the charge was paid, even if only the bank knows, and the payment is booked', async () => {
    const paid = await givenPaidPayment(gateway, merchant);
    expect(codeOf(await callApi('POST', `/pix/${paid.id}/cancel`))).toBe('CHARGE_ALREADY_PAID');

    await gateway.bank.setBehaviour({ notifications: 'never' });
    const unnotified = await givenCharge(gateway, merchant);
    await gateway.bank.pay({ brCode: unnotified.content });
    expect(codeOf(await callApi('POST', `/pix/${unnotified.id}/cancel`))).toBe('CHARGE_ALREADY_PAID');
    expect(await readStatus(unnotified.id)).toMatchObject({ status: 'paid', cancelled_at: null });
    await gateway.bank.setBehaviour({});
  });

  test('is refused for an ended, a foreign or an unknown charge', async () => {
    const charge = await givenCharge(gateway, merchant);
    expect(codeOf(await callApi('POST', `/pix/${charge.id}/cancel`, undefined, other))).toBe(
      'PAYMENT_NOT_FOUND',
    );
    await gateway.deps.db
      .updateTable('charges')
      .set({ status: 'expired' })
      .where('id', '=', charge.id)
      .execute();
    expect(codeOf(await callApi('POST', `/pix/${charge.id}/cancel`))).toBe('CHARGE_ENDED');
  });

  test('leaves the charge unchanged if the bank does not confirm the removal', async () => {
    const charge = await givenCharge(gateway, merchant);
    await gateway.bank.setBehaviour({ charges: 'down' });
    const response = await callApi('POST', `/pix/${charge.id}/cancel`);
    expect(codeOf(response)).toBe('PAYMENT_PROCESSING_ERROR');
    await gateway.bank.setBehaviour({});
    expect(await readStatus(charge.id)).toMatchObject({ status: 'pending', cancelled_at: null });
    expect((await callApi('POST', `/pix/${charge.id}/cancel`)).status).toBe(200);
  });
});

test('the payer is shown as named by the bank, with only the middle of a CPF', async () => {
  const charge = parseSuccess(createdPayment, await callApi('POST', '/pix/new', { amount: 12.5 }));
  const payer = { name: 'Helena Prado', document: '39053344705' };
  await gateway.bank.pay({ brCode: charge.content, payer });
  await expect.poll(async () => (await readStatus(charge.id)).status).toBe('paid');
  const shown = { name: 'Helena Prado', document: '***.533.447-**' };
  expect(await readStatus(charge.id)).toMatchObject({ payer: shown });
  expect((await listCharges('status=paid&limit=1')).data).toMatchObject([{ id: charge.id, payer: shown }]);
});

test('one timeline has the creation, the payment, its credit, the refund and each webhook, for the owner only', async () => {
  const receiver = await startWebhookReceiver();
  const fields = { external_id: 'pedido-7', callback_url: `${receiver.url}/pix` };
  const { id } = await givenPaidPayment(gateway, merchant, fields);
  await expect.poll(() => receiver.received.length).toBe(1);
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ external_id: 'pedido-7' });
  const refundResponse = await callApi('POST', `/pix/${id}/refund`, { amount: 10, reason: 'Faltou um item' });
  expect(refundResponse.status).toBeLessThan(300);
  const timeline = async () =>
    parseSuccess(paymentTimeline.response, await callApi('GET', `/pix/${id}/timeline`)).data;
  await expect.poll(async () => (await timeline()).filter(({ kind }) => kind === 'webhook').length).toBe(2);
  const entries = await timeline();
  expect(entries.map(({ kind, ok }) => `${kind} ${ok}`)).toEqual([
    'created true',
    'paid true',
    'credited true',
    'webhook true',
    'refund true',
    'refund true',
    'webhook true',
  ]);
  expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).toSorted());
  expect(entries[0]?.facts).toEqual(
    expect.arrayContaining([
      { label: 'Feita', value: 'pela API, com a chave da conta' },
      { label: 'requestId', value: expect.stringMatching(/./) },
      { label: 'external_id', value: 'pedido-7' },
    ]),
  );
  expect(entries[2]?.facts).toMatchObject([{ value: 'R$\u00a0100,00' }]);
  expect(codeOf(await callApi('GET', `/pix/${id}/timeline`, undefined, other))).toBe('PAYMENT_NOT_FOUND');
  await receiver.close();
});
