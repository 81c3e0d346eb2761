// A subscription for a customer of the register: chosen in the form, or named by the URL; and their list of them.
import {
  accountTaxes,
  createSubscription,
  getCustomer,
  getSubscription,
  listCustomers,
  listCycles,
  publicSettings,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { dayOf, shiftDay } from '../../format/date.ts';
import { customer } from '../../testing/customer-samples.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { settings, taxes } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { waitingSubscription } from '../../testing/subscription-samples.ts';
import { NewSubscriptionPage } from './new-subscription-page.tsx';

let gateway: StubbedGateway;
beforeEach(async () => {
  await page.viewport(390, 844);
  gateway = stubGateway();
  gateway.answer(publicSettings, settings);
  gateway.answer(accountTaxes, { success: true, data: taxes });
  gateway.answer(createSubscription, { ...waitingSubscription, customer_id: customer.id });
  gateway.answer(getSubscription, waitingSubscription);
  gateway.answer(listCycles, { data: [] });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

type Opened = Awaited<ReturnType<typeof renderScreen>>['screen'];
const firstDay = shiftDay(dayOf(new Date()), 20);

async function fillOthers(screen: Opened) {
  await userEvent.fill(screen.getByLabelText('O que é'), 'Mensalidade');
  await userEvent.fill(screen.getByLabelText('Primeira cobrança'), firstDay);
  await userEvent.fill(screen.getByLabelText('Valor de cada cobrança'), '99,90');
  await screen.getByRole('button', { name: 'Conferir assinatura' }).click();
}

test('a registered customer is found, chosen and confirmed, and the subscription is made for them', async () => {
  gateway.answer(listCustomers, { data: [customer], next: null });
  const { screen } = await renderScreen('/assinaturas/nova', NewSubscriptionPage);
  await screen.getByRole('button', { name: 'Escolher um cliente cadastrado' }).click();
  await userEvent.type(screen.getByRole('searchbox', { name: 'Buscar cliente' }), 'maria');
  await expect.poll(() => gateway.calls(listCustomers).at(-1)?.query.get('search')).toBe('maria');
  await screen.getByRole('button', { name: /Maria Souza/ }).click();
  expect(screen.getByLabelText('Nome de quem paga').elements()).toEqual([]);
  await fillOthers(screen);
  await expect.element(screen.getByRole('dialog')).toMatchTextContent(/Maria Souza/);
  await screen.getByRole('button', { name: 'Criar assinatura' }).click();
  await expect
    .poll(() => gateway.calls(createSubscription).at(-1)?.body)
    .toMatchObject({ customer_id: customer.id, amount: 99.9 });
  expect(gateway.calls(createSubscription).at(-1)?.body).not.toHaveProperty('payer');
});

test('the customer whom the URL names is chosen already, and can be dropped', async () => {
  gateway.answer(getCustomer, { ...customer, totals: null });
  const { screen } = await renderScreen(`/assinaturas/nova?customer=${customer.id}`, NewSubscriptionPage);
  await expect.element(screen.getByRole('region', { name: 'Quem paga' })).toMatchTextContent(/Maria Souza/);
  await screen.getByRole('button', { name: 'Não usar este cliente' }).click();
  await expect.element(screen.getByLabelText('Nome de quem paga')).toHaveValue('');
});

test('an archived customer is not chosen', async () => {
  gateway.answer(getCustomer, { ...customer, archived_at: '2026-11-20T15:00:00.000Z', totals: null });
  const { screen } = await renderScreen(`/assinaturas/nova?customer=${customer.id}`, NewSubscriptionPage);
  await expect.element(screen.getByLabelText('Nome de quem paga')).toHaveValue('');
});
