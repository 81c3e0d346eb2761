import {
  type Customer,
  createCustomer,
  type Endpoint,
  getCustomer,
  getReminders,
  listCustomers,
  listPayments,
  listSubscriptions,
  profile,
  publicSettings,
  renewCustomerPage,
  setReminders,
  updateCustomer,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { customer, reminders } from '../../testing/customer-samples.ts';
import { shopAccount } from '../../testing/member-samples.ts';
import { renderScreen, spyClipboard } from '../../testing/render-screen.tsx';
import { settings, transaction, user } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { pastDueSubscription } from '../../testing/subscription-samples.ts';
import { CustomersPage } from './customers-page.tsx';
import { RemindersPage } from './reminders-page.tsx';

const totals = {
  open: { count: 2, amount: 180 },
  overdue: { count: 1, amount: 92.4 },
  paid: { count: 5, amount: 450 },
};

let gateway: StubbedGateway;
const bodiesOf = (endpoint: Endpoint) => gateway.calls(endpoint).map(({ body }) => body);
const stubCustomers = (...data: Customer[]) => gateway.answer(listCustomers, { data, next: null });
beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(publicSettings, settings);
  gateway.answer(profile, { user });
  gateway.answer(listPayments, { data: [], next: null });
  gateway.answer(listSubscriptions, { data: [], next: null });
  gateway.answer(getCustomer, { ...customer, totals });
  gateway.answer(getReminders, reminders);
  stubCustomers(customer);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const openList = () => renderScreen('/clientes', CustomersPage);
const openCustomer = () => renderScreen(`/clientes?id=${customer.id}`, CustomersPage);
const openReminders = () => renderScreen('/clientes/lembretes', RemindersPage);

test('the list shows each customer, at any width', async () => {
  stubCustomers(customer, { ...customer, id: 'b', name: 'Academia do Recife Antigo Ltda.', email: null });
  const { screen } = await openList();
  const row = screen.getByRole('row', { name: /Maria Souza.*529\.982\.247-25.*maria@example\.com/ });
  await expect.element(row).toBeVisible();
  await page.viewport(390, 844);
  const items = screen.getByRole('list', { name: 'Clientes' }).getByRole('listitem');
  await expect.element(items.filter({ hasText: 'Academia do Recife' })).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
});

test('the search finds by what was typed, and says when there is nothing', async () => {
  const { screen, currentUrl } = await openList();
  await expect.element(screen.getByText('Maria Souza')).toBeVisible();
  stubCustomers();
  await userEvent.fill(screen.getByRole('searchbox'), 'joana');
  await expect.element(screen.getByText('Nenhum cliente encontrado')).toBeVisible();
  expect(currentUrl()).toContain('search=joana');
});

test('an account without customers is told what they are for', async () => {
  stubCustomers();
  const { screen } = await openList();
  await expect.element(screen.getByText('Nenhum cliente ainda')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Cadastrar cliente' })).toBeVisible();
});

test('a list that does not load says so', async () => {
  gateway.refuse(listCustomers, 'INTERNAL');
  const { screen } = await openList();
  await expect.element(screen.getByText('Erro ao buscar os clientes')).toBeVisible();
});

test('a customer is entered, after what is wrong was said beside its field', async () => {
  stubCustomers();
  gateway.answer(createCustomer, customer);
  const { screen, currentUrl } = await openList();
  await screen.getByRole('button', { name: 'Cadastrar cliente' }).click();
  await screen.getByLabelText('CPF ou CNPJ').fill('111.111.111-11');
  await screen.getByLabelText('Cidade').fill('Recife');
  await screen.getByRole('button', { name: 'Cadastrar', exact: true }).click();
  await expect.element(screen.getByText('Informe o nome.')).toBeVisible();
  await expect.element(screen.getByText('Informe um CPF ou CNPJ válido.')).toBeVisible();
  await expect.element(screen.getByText('Complete o endereço, ou deixe-o vazio.').first()).toBeVisible();
  await screen.getByLabelText('Nome', { exact: true }).fill('Maria Souza');
  await screen.getByLabelText('CPF ou CNPJ').fill('529.982.247-25');
  await screen.getByLabelText('Cidade').fill('');
  await screen.getByRole('button', { name: 'Cadastrar', exact: true }).click();
  await expect.poll(currentUrl).toContain(`id=${customer.id}`);
  expect(bodiesOf(createCustomer)).toEqual([
    expect.objectContaining({ name: 'Maria Souza', document: '529.982.247-25', email: null, address: null }),
  ]);
});

test('a customer that exists already is refused beside the document', async () => {
  stubCustomers();
  const message = 'Já há um cliente com este documento.';
  gateway.refuse(createCustomer, 'CUSTOMER_EXISTS', { fields: [{ field: 'document', message }] });
  const { screen } = await openList();
  await screen.getByRole('button', { name: 'Cadastrar cliente' }).click();
  await screen.getByLabelText('Nome', { exact: true }).fill('Maria Souza');
  await screen.getByLabelText('CPF ou CNPJ').fill('529.982.247-25');
  await screen.getByRole('button', { name: 'Cadastrar', exact: true }).click();
  await expect.element(screen.getByText(message)).toBeVisible();
});

test('the detail shows what is owed, who stopped reminders, and gives the address of the page', async () => {
  const written = spyClipboard();
  const stopped = { ...customer, reminders_stopped_at: '2026-11-21T15:00:00.000Z', totals };
  gateway.answer(getCustomer, stopped);
  gateway.answer(listPayments, { data: [transaction], next: null });
  const { screen } = await openCustomer();
  for (const text of ['R$ 180,00', 'R$ 92,40', 'R$ 450,00'])
    await expect.element(screen.getByText(text.replace(' ', '\u00a0'))).toBeVisible();
  await expect.element(screen.getByText('Parados pelo cliente em 21/11/2026')).toBeVisible();
  await screen.getByRole('button', { name: 'Copiar link' }).click();
  expect(written).toEqual([customer.page_url]);
});

test('the address of the page is exchanged, and a customer archived, only when asked twice', async () => {
  gateway.answer(renewCustomerPage, customer);
  gateway.answer(updateCustomer, { ...customer, archived_at: customer.created_at });
  const { screen } = await openCustomer();
  await screen.getByRole('button', { name: 'Trocar endereço' }).click();
  await screen.getByRole('button', { name: 'Trocar', exact: true }).click();
  await expect.poll(() => gateway.calls(renewCustomerPage).length).toBe(1);
  await screen.getByRole('button', { name: 'Arquivar' }).click();
  await screen.getByRole('button', { name: 'Arquivar' }).click();
  await expect
    .poll(() => bodiesOf(updateCustomer))
    .toEqual([expect.objectContaining({ archived: true, version: 3, note: null })]);
});

test('an archived customer has no page to send, and gets no subscription', async () => {
  gateway.answer(getCustomer, { ...customer, archived_at: customer.created_at, totals });
  const { screen } = await openCustomer();
  await expect.element(screen.getByText(/a página dele está fechada/)).toBeVisible();
  await expect.element(screen.getByText('Nenhuma.')).toBeVisible();
  await expect.element(screen.getByText('(81) 99999-8888')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Copiar link' }).elements()).toEqual([]);
  expect(screen.getByRole('link', { name: 'Criar assinatura' }).elements()).toEqual([]);
});

test('a cashier sees customers masked, and changes none', async () => {
  const masked = { ...customer, document: '***.982.247-**', address: null, page_url: null };
  stubCustomers(masked);
  gateway.answer(getCustomer, { ...masked, totals: null });
  const { screen } = await renderScreen(`/clientes?id=${customer.id}`, CustomersPage, {
    account: { ...shopAccount, role: 'cashier' },
  });
  await expect.element(screen.getByRole('heading', { name: 'Maria Souza' })).toBeVisible();
  for (const name of ['Editar', 'Arquivar', 'Trocar endereço', 'Copiar link', 'Cadastrar cliente'])
    expect(screen.getByRole('button', { name }).elements()).toEqual([]);
  expect(screen.getByText('Lembretes').elements()).toEqual([]);
});

test('a cashier is told that the search goes by names', async () => {
  const { screen } = await renderScreen('/clientes', CustomersPage, {
    account: { ...shopAccount, role: 'cashier' },
  });
  await expect.element(screen.getByRole('searchbox', { name: 'Buscar por nome', exact: true })).toBeVisible();
});

test('reminders are switched on with the chosen days and words', async () => {
  gateway.answer(setReminders, { ...reminders, active: true, version: 1 });
  const { screen } = await openReminders();
  await screen.getByLabelText(/^Enviar lembretes/).click();
  await screen.getByLabelText('1 dia antes').click();
  await screen.getByLabelText('3 dias depois').click();
  await screen.getByLabelText('Assunto').fill('Oi, {nome}');
  await screen.getByRole('button', { name: 'Salvar' }).click();
  await expect
    .poll(() => bodiesOf(setReminders))
    .toEqual([
      expect.objectContaining({ active: true, days: [-3, 0, -1], subject: 'Oi, {nome}', version: 0 }),
    ]);
});

test('more days than a charge may have reminders are not sent, and a refused text is explained', async () => {
  gateway.refuse(setReminders, 'INVALID_BODY');
  const { screen } = await openReminders();
  for (const day of ['7 dias antes', '5 dias antes', '2 dias antes'])
    await screen.getByLabelText(day).click();
  await expect.element(screen.getByText('Escolha no máximo 5 dias.')).toBeVisible();
  await screen.getByRole('button', { name: 'Salvar' }).click();
  expect(bodiesOf(setReminders)).toEqual([]);
  await screen.getByLabelText('7 dias antes').click();
  await screen.getByRole('button', { name: 'Salvar' }).click();
  await expect.element(screen.getByRole('alert')).toBeVisible();
});

test('a customer leads to their subscriptions, and without any to a new one for them', async () => {
  gateway.answer(listSubscriptions, { data: [pastDueSubscription], next: null });
  const { screen } = await openCustomer();
  const list = screen.getByRole('region', { name: 'Assinaturas' });
  await expect.element(list).toMatchTextContent(/com cobrança não paga/);
  await expect
    .element(list.getByRole('link'))
    .toHaveAttribute('href', `/assinaturas?id=${pastDueSubscription.id}`);
  expect(gateway.calls(listSubscriptions).at(-1)?.query.get('customer_id')).toBe(customer.id);
  await screen.unmount();
  gateway.answer(listSubscriptions, { data: [], next: null });
  const { screen: without } = await openCustomer();
  await expect
    .element(without.getByRole('link', { name: 'Criar assinatura' }))
    .toHaveAttribute('href', `/assinaturas/nova?customer=${customer.id}`);
});

test('requests to authorise are off, and show their words once they are on', async () => {
  gateway.answer(setReminders, { ...reminders, version: 1 });
  const { screen } = await openReminders();
  const request = screen.getByRole('checkbox', { name: /^Pedir a autorização/ });
  await expect.element(request).not.toBeChecked();
  expect(screen.getByLabelText('Assunto do pedido de autorização').elements()).toEqual([]);
  await request.click();
  await userEvent.fill(screen.getByLabelText('Assunto do pedido de autorização'), 'Autorize {assinatura}');
  await screen.getByRole('button', { name: 'Salvar' }).click();
  await expect
    .poll(() => bodiesOf(setReminders).at(-1))
    .toMatchObject({
      active: false,
      failed_debits: reminders.failed_debits,
      authorization_requests: { active: true, subject: 'Autorize {assinatura}' },
    });
});

test('mails about failed debits are off, and each shows its words once it is on', async () => {
  const saved = { ...reminders, version: 1 };
  gateway.answer(setReminders, saved);
  const { screen } = await openReminders();
  await expect.element(screen.getByRole('checkbox', { name: /^Enviar um Pix/ })).not.toBeChecked();
  expect(screen.getByLabelText('Assunto do débito que falhou').elements()).toEqual([]);
  await screen.getByRole('checkbox', { name: /^Enviar um Pix/ }).click();
  await userEvent.fill(screen.getByLabelText('Assunto do débito que falhou'), 'Faltou {valor}');
  await screen.getByRole('checkbox', { name: /^Avisar já/ }).click();
  await expect
    .element(screen.getByLabelText('Texto da nova tentativa'))
    .toHaveAccessibleDescription(/\{tentativa\}/);
  await screen.getByRole('button', { name: 'Salvar' }).click();
  await expect
    .poll(() => bodiesOf(setReminders).at(-1))
    .toMatchObject({
      active: false,
      failed_debits: { active: true, subject: 'Faltou {valor}', warns: true },
    });
});
