import { expect, test } from 'vitest';
import { givenBank } from '../test/bank.ts';

const event = { type: 'payment.confirmed', id: '6f1c', note: '<b>9</b>' };
const signedHeaders = { 'webhook-id': '6f1c_paid', 'webhook-signature': 'v1,c2lnbmVk' };

test('the shop’s system accepts webhooks and shows them as received, newest first', async () => {
  const bank = await givenBank();
  expect((await bank.call('GET', '/loja/webhooks')).body).toContain('Nenhum webhook chegou ainda');
  const response = await bank.call('POST', '/loja/webhooks', event, signedHeaders);
  expect(response).toMatchObject({ status: 200, body: { received: true } });
  await bank.call('POST', '/loja/webhooks', { type: 'payment.refunded' }, signedHeaders);
  const { body: page } = await bank.call('GET', '/loja/webhooks');
  for (const text of ['6f1c_paid', 'v1,c2lnbmVk', '&lt;b&gt;9&lt;/b&gt;']) expect(page).toContain(text);
  expect(page.indexOf('payment.refunded')).toBeLessThan(page.indexOf('payment.confirmed'));
});

test('the shop’s system is down if the behaviour says so, and its page shows the refused webhooks', async () => {
  const bank = await givenBank();
  await bank.call('PUT', '/sandbox/behaviour', { shopSystem: 'down' });
  expect((await bank.call('POST', '/loja/webhooks', event, signedHeaders)).status).toBe(503);
  expect((await bank.call('GET', '/loja/webhooks')).body).toContain('503');
});

test('the shop’s system keeps only the last fifty webhooks and refuses large ones', async () => {
  const bank = await givenBank();
  for (let index = 0; index < 52; index += 1)
    await bank.call('POST', '/loja/webhooks', { type: `event.${index}.` });
  const { body: page } = await bank.call('GET', '/loja/webhooks');
  expect(page).toContain('event.51.');
  expect(page).toContain('event.2.');
  expect(page).not.toContain('event.1.');
  const big = { type: 'big', text: 'x'.repeat(70_000) };
  expect((await bank.call('POST', '/loja/webhooks', big)).status).toBe(400);
});
