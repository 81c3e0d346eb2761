// The import of subscriptions from a CSV file: what each line asks for is checked and shown before anything is created.
import {
  accountTaxes,
  createCustomer,
  createSubscription,
  listCustomers,
  listSubscriptions,
  publicSettings,
  type Subscription,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { dayOf, formatCalendarDay, shiftDay } from '../../format/date.ts';
import { customer } from '../../testing/customer-samples.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { settings, taxes } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { waitingSubscription } from '../../testing/subscription-samples.ts';
import { ImportSubscriptionsPage } from './import-subscriptions-page.tsx';

let gateway: StubbedGateway;
beforeEach(async () => {
  await page.viewport(390, 844);
  gateway = stubGateway();
  gateway.answer(publicSettings, settings);
  gateway.answer(accountTaxes, { success: true, data: taxes });
  gateway.answer(listCustomers, { data: [], next: null });
  gateway.answer(createCustomer, customer);
  gateway.answer(listSubscriptions, { data: [], next: null });
  gateway.answer(createSubscription, waitingSubscription);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const day = formatCalendarDay(shiftDay(dayOf(new Date()), 20));
const heads = 'Aluno;CPF;Mensalidade;Início;E-mail;Matrícula';
async function choose(...lines: readonly string[]) {
  const { screen } = await renderScreen('/assinaturas/nova?from=file', ImportSubscriptionsPage);
  const file = new File([[heads, ...lines].join('\r\n')], 'alunos.csv', { type: 'text/csv' });
  await userEvent.upload(screen.getByLabelText(/^Escolher arquivo CSV/), file);
  return screen;
}
const ana = `Ana Souza;529.982.247-25;99,90;${day};ana@example.com;aluno-1`;
const bruno = `Bruno Lima;111.444.777-35;1.120,00;${day};;aluno-2`;

test('each line is shown with what is wrong, and nothing is created', async () => {
  const screen = await choose(
    ana,
    `Bia;123;zero;31/02/2030;bia;aluno-2`,
    `Ana de novo;52998224725;10;${day};;aluno-1`,
  );
  const list = screen.getByRole('list', { name: 'Linhas do arquivo' });
  await expect.element(list).toMatchTextContent(/Ana Souza.*Pronta.*99,90/);
  const last = list.getByRole('listitem').last();
  await expect.element(last, { message: 'lines with problems come first' }).toMatchTextContent(/Pronta/);
  await expect.element(list).toMatchTextContent(/O CPF ou CNPJ não é válido\. O e-mail não é válido/);
  await expect.element(list).toMatchTextContent(/Escreva o valor como 99,90\. O dia 31\/02\/2030 não existe/);
  await expect.element(list).toMatchTextContent(/O mesmo código está na linha 2/);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  expect(gateway.calls(createSubscription)).toEqual([]);
});

test('one confirmation registers each customer and creates each subscription, with a link to send', async () => {
  const screen = await choose(ana, bruno);
  await screen.getByRole('button', { name: 'Criar 2 assinaturas' }).click();
  await screen.getByRole('button', { name: 'Criar', exact: true }).click();
  await expect.element(screen.getByText('2 criadas, 0 já existiam, 0 falharam').first()).toBeVisible();
  expect(gateway.calls(createCustomer).map(({ body }) => body)).toMatchObject([
    { name: 'Ana Souza', document: '52998224725', email: 'ana@example.com' },
    { name: 'Bruno Lima', document: '11144477735', email: null },
  ]);
  expect(gateway.calls(createSubscription).map(({ body }) => body)).toMatchObject([
    { customer_id: customer.id, amount: 99.9, period: 'monthly', external_id: 'aluno-1' },
    { amount: 1120, description: 'Mensalidade', external_id: 'aluno-2' },
  ]);
  await expect.element(screen.getByRole('button', { name: /Copiar link/ }).first()).toBeVisible();
  await expect
    .element(screen.getByText(/A quem não o recebe, envie o link/))
    .toMatchTextContent(/Clientes com e-mail cadastrado podem receber o pedido de autorização/);
  await expect
    .element(screen.getByRole('link', { name: 'Lembretes' }))
    .toHaveAttribute('href', '/clientes/lembretes');
  await expect.element(screen.getByRole('button', { name: 'Baixar resultado (CSV)' })).toBeVisible();
});

test('what exists already is not created again, and a failure of one line does not stop the others', async () => {
  const existing: Subscription = { ...waitingSubscription, external_id: 'aluno-1' };
  gateway.answer(listSubscriptions, { data: [existing], next: null });
  const screen = await choose(ana);
  await screen.getByRole('button', { name: 'Criar 1 assinatura' }).click();
  await screen.getByRole('button', { name: 'Criar', exact: true }).click();
  await expect.element(screen.getByText('0 criadas, 1 já existia, 0 falharam').first()).toBeVisible();
  expect(gateway.calls(listSubscriptions)[0]?.query.get('external_id')).toBe('aluno-1');
  expect([...gateway.calls(createCustomer), ...gateway.calls(createSubscription)]).toEqual([]);
  const message = 'nobody is asked about what was not created now';
  await expect.element(screen.getByRole('link', { name: 'Lembretes' }), { message }).not.toBeInTheDocument();
});

test('a registered customer is used, and a failed line says why', async () => {
  gateway.answer(listCustomers, { data: [customer], next: null });
  gateway.fail(createSubscription);
  const screen = await choose(ana, bruno);
  await screen.getByRole('button', { name: 'Criar 2 assinaturas' }).click();
  await screen.getByRole('button', { name: 'Criar', exact: true }).click();
  await expect.element(screen.getByText('0 criadas, 0 já existiam, 2 falharam').first()).toBeVisible();
  expect(gateway.calls(createCustomer)).toHaveLength(1);
});

test('a file without a needed column is refused in words', async () => {
  const { screen } = await renderScreen('/assinaturas/nova?from=file', ImportSubscriptionsPage);
  const file = new File(['Nome;CPF\r\nAna;52998224725'], 'a.csv');
  await userEvent.upload(screen.getByLabelText(/^Escolher arquivo CSV/), file);
  await expect.element(screen.getByText(/Não achamos “Valor” e “Primeira cobrança”/)).toBeVisible();
});

test('a line without a code is known by its customer, and the document stands in no external id', async () => {
  gateway.answer(listCustomers, { data: [customer], next: null });
  const screen = await choose(`Ana Souza;529.982.247-25;99,90;${day};;`);
  await screen.getByRole('button', { name: 'Criar 1 assinatura' }).click();
  await screen.getByRole('button', { name: 'Criar', exact: true }).click();
  await expect.element(screen.getByText('1 criada, 0 já existiam, 0 falharam').first()).toBeVisible();
  const message = 'a registered customer may have an e-mail that the file does not name';
  await expect.element(screen.getByRole('link', { name: 'Lembretes' }), { message }).toBeVisible();
  const external_id = `${customer.id} Mensalidade`;
  expect(gateway.calls(listSubscriptions)[0]?.query.get('external_id')).toBe(external_id);
  expect(gateway.calls(createSubscription)[0]?.body).toMatchObject({ external_id });
});
