import { adminGetUser, adminLookIn, adminUserBasics, adminUserTransactions } from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { adminUser } from '../../testing/admin-samples.ts';
import { holdNavigation } from '../../testing/hold-navigation.ts';
import { lookedIntoAccount } from '../../testing/member-samples.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { transaction } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { SupportPage } from './support-page.tsx';
import { SupportStartPage } from './support-start-page.tsx';

const maskedUser = {
  ...adminUser,
  document: '•••982247••',
  email: 's•••••••@example.com',
  apiKey: '•••••••',
};
const { content: _content, ...listedTransaction } = transaction;

let gateway: StubbedGateway;
beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(adminUserBasics, { users: [maskedUser], total: 1, page: 1, limit: 100 });
  gateway.answer(adminGetUser, { user: maskedUser });
  gateway.answer(adminUserTransactions, { transactions: [listedTransaction], next: null });
});
afterEach(() => vi.unstubAllGlobals());

const openSupport = (url = '/support') => renderScreen(url, SupportPage, { role: 'SUPPORT' });

test('the support sees users and their charges as the gateway masks them, and can change nothing', async () => {
  const { screen, currentUrl } = await openSupport();
  await expect.element(screen.getByText('•••982247••')).toBeVisible();
  await screen.getByRole('button', { name: 'Ver', exact: true }).click();
  expect(currentUrl()).toBe('/support?id=12');
  const dialog = screen.getByRole('dialog', { name: 'Severino Maranhão' });
  await expect.element(dialog.getByText('s•••••••@example.com')).toBeVisible();
  await expect
    .element(dialog.getByRole('table', { name: 'Transações do usuário' }).getByText('R$ 412,90'))
    .toBeVisible();
  expect(dialog.getByRole('textbox').elements()).toHaveLength(0);
  expect(dialog.getByRole('checkbox').elements()).toHaveLength(0);
  expect(
    dialog
      .getByRole('button')
      .elements()
      .map((button) => button.textContent),
  ).toEqual(['', 'Olhar a conta', 'Fechar']);
});

test('charges are searched on the server, and a failure is shown', async () => {
  const { screen } = await openSupport('/support?id=12');
  const search = screen.getByLabelText('Buscar por ID, EndToEndId ou valor');
  await search.fill('5e92');
  await expect.poll(() => gateway.calls(adminUserTransactions).at(-1)?.query.toString()).toBe('search=5e92');
  gateway.refuse(adminUserTransactions, 'UNAVAILABLE');
  await search.fill('77');
  await expect.element(screen.getByText('Erro ao buscar transações')).toBeVisible();
});

test('the empty result of a search is not shown while the next search loads', async () => {
  gateway.answer(adminUserTransactions, { transactions: [], next: null });
  const { screen } = await openSupport('/support?id=12');
  const search = screen.getByLabelText('Buscar por ID, EndToEndId ou valor');
  await search.fill('5e92');
  await expect.element(screen.getByText('Nenhuma transação combina com a busca.')).toBeVisible();
  gateway.stall(adminUserTransactions);
  await search.fill('77');
  await expect.element(screen.getByText('Nenhuma transação combina com a busca.')).not.toBeInTheDocument();
  await expect.element(screen.getByRole('table', { name: 'Transações do usuário' })).toBeInTheDocument();
});

test('the start page of the support searches for a user', async () => {
  const { screen, currentUrl } = await renderScreen('/dashboard', SupportStartPage, { role: 'SUPPORT' });
  await expect.element(screen.getByRole('heading', { name: 'Olá, Marina' })).toBeVisible();
  await screen.getByLabelText('Buscar um usuário').fill('severino');
  await expect.poll(currentUrl).toBe('/support?search=severino');
});

test('support looks into an account only with a reason, and reads why it may not', async () => {
  const opened = holdNavigation();
  gateway.refuse(adminLookIn, 'SUPPORT_NOT_ALLOWED');
  const { screen } = await openSupport('/support?id=12');
  await screen.getByRole('button', { name: 'Olhar a conta' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Olhar a conta' });
  await dialog.getByRole('button', { name: 'Olhar a conta' }).click();
  expect(gateway.calls(adminLookIn)).toHaveLength(0);
  await dialog.getByLabelText('Motivo').fill(' Chamado 4711. ');
  await dialog.getByRole('button', { name: 'Olhar a conta' }).click();
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(/Nenhum dono desta conta deixou/);
  expect(opened).toEqual([]);
  gateway.answer(adminLookIn, lookedIntoAccount);
  await dialog.getByRole('button', { name: 'Olhar a conta' }).click();
  await expect.poll(() => opened).toEqual(['/dashboard']);
  expect(gateway.calls(adminLookIn).at(-1)?.body).toEqual({ reason: 'Chamado 4711.' });
});
