// The administrators' page of merchants' own bank accounts.

import {
  adminConnections,
  adminResumeConnection,
  adminSetAddresses,
  adminSuspendConnection,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import {
  activeConnection,
  adminConnection,
  adminConnectionsOf,
  draftConnection,
  operatorSuspended,
} from '../../testing/connection-samples.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { AdminConnectionsPage } from './connections-page.tsx';

let gateway: StubbedGateway;
beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(adminConnections, adminConnectionsOf([adminConnection]));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const { merchant, api_url, token_url } = adminConnection;
const asAdmin = { merchant, api_url, token_url };
const open = (address = '/admin/connections') =>
  renderScreen(address, AdminConnectionsPage, { id: 'u2', role: 'ADMIN' });

test('each account shows its merchant, bank, state and since when nothing works, at any width', async () => {
  const { screen } = await open();
  await expect.element(screen.getByText('Em 1 conta nada funciona agora.')).toBeVisible();
  await expect
    .element(screen.getByRole('row', { name: /Maria da Conceição.*Efí.*Com falha ?desde 22\/11\/2026/ }))
    .toBeVisible();
  await page.viewport(390, 844);
  const item = screen.getByRole('list', { name: 'Contas bancárias' }).getByRole('listitem');
  await expect.element(item.getByText('desde 22/11/2026')).toBeVisible();
});

test('the list is filtered by state, by fault and by search, turned page by page, and all of it is in the URL', async () => {
  gateway.answer(adminConnections, adminConnectionsOf([adminConnection], 45));
  const { screen, currentUrl } = await open();
  await screen.getByRole('button', { name: 'Página 2' }).click();
  await expect.poll(currentUrl).toBe('/admin/connections?page=2');
  await screen.getByLabelText('Estado').selectOptions('suspended');
  await expect.poll(currentUrl).toBe('/admin/connections?state=suspended');
  await screen
    .getByRole('group', { name: 'Quais' })
    .getByText(/^Com falha/)
    .click();
  await expect.poll(currentUrl).toBe('/admin/connections?state=suspended&broken=true');
  await screen.getByLabelText('Buscar por lojista, banco ou chave').fill('conceicao');
  await expect.poll(currentUrl).toBe('/admin/connections?state=suspended&broken=true&search=conceicao');
  const query = () => Object.fromEntries(gateway.calls(adminConnections).at(-1)?.query ?? []);
  await expect.poll(query).toEqual({ page: '1', state: 'suspended', broken: '1', search: 'conceicao' });
});

test('a filter that finds nothing can be cleared, and without accounts the page says what will be there', async () => {
  gateway.answer(adminConnections, adminConnectionsOf([]));
  const { screen, currentUrl } = await open('/admin/connections?broken=true');
  await screen.getByRole('button', { name: 'Limpar filtros' }).click();
  await expect.poll(currentUrl).toBe('/admin/connections');
  await expect.element(screen.getByText('Nenhuma conta conectada')).toBeVisible();
});

test('an account is suspended with a reason of five letters, and let go on with another', async () => {
  const active = { ...activeConnection, ...asAdmin };
  gateway.answer(adminConnections, adminConnectionsOf([active]));
  const { screen, currentUrl } = await open();
  await screen.getByRole('button', { name: 'Detalhes' }).click();
  await expect.poll(currentUrl).toBe('/admin/connections?id=12');
  const dialog = screen.getByRole('dialog');
  await expect.element(dialog.getByText('EMPORIO CAPIBARIBE LTDA')).toBeVisible();
  await expect.element(dialog.getByText(/^Passou em/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Suspender' }).click();
  await dialog.getByLabelText('Motivo').fill('vish');
  await dialog.getByRole('button', { name: 'Suspender' }).click();
  await expect.element(dialog.getByText('Informe o motivo, com pelo menos 5 letras.')).toBeVisible();
  const suspended = { ...operatorSuspended, ...asAdmin };
  gateway.answer(adminSuspendConnection, suspended);
  gateway.answer(adminConnections, adminConnectionsOf([suspended]));
  await dialog.getByLabelText('Motivo').fill('Pedido do banco');
  await dialog.getByRole('button', { name: 'Suspender' }).click();
  expect(gateway.calls(adminSuspendConnection)[0]?.body).toEqual({ reason: 'Pedido do banco' });
  await expect.element(dialog.getByText('Suspensa por um administrador.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Reativar' }).click();
  gateway.refuse(adminResumeConnection, 'CONNECTION_STATE');
  await dialog.getByLabelText('O que foi conferido').fill('Esclarecido');
  await dialog.getByRole('button', { name: 'Reativar' }).click();
  await expect.element(dialog.getByText('O estado desta conta bancária não permite isto.')).toBeVisible();
});

test('an account that its merchant suspended is not let go on by an administrator', async () => {
  const suspended = {
    ...operatorSuspended,
    ...asAdmin,
    suspended: { by: 'merchant' as const, reason: '' },
  };
  gateway.answer(adminConnections, adminConnectionsOf([suspended]));
  const { screen } = await open('/admin/connections?id=12');
  await expect.element(screen.getByText('Suspensa pelo lojista.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Suspender' }).elements()).toEqual([]);
  expect(screen.getByRole('button', { name: 'Reativar' }).elements()).toEqual([]);
});

test.each([
  ['a draft', draftConnection],
  ['an account that an administrator suspended', operatorSuspended],
])('%s is not offered to be suspended, which the gateway would refuse', async (_, connection) => {
  gateway.answer(adminConnections, adminConnectionsOf([{ ...connection, ...asAdmin }]));
  const { screen } = await open('/admin/connections?id=12');
  await expect.element(screen.getByRole('button', { name: 'Fechar' }).first()).toBeVisible();
  expect(screen.getByRole('button', { name: 'Suspender' }).elements()).toEqual([]);
});

test('the addresses of a bank that is not known are entered, and refused ones are marked', async () => {
  const waiting = { ...draftConnection, ...asAdmin, bank: 'other', awaits_addresses: true, check: null };
  gateway.answer(adminConnections, adminConnectionsOf([waiting]));
  const { screen } = await open('/admin/connections?id=12');
  await screen.getByRole('button', { name: 'Informar endereços' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Endereços do banco' });
  await dialog.getByLabelText('API Pix').fill('http://api.banco.example/v2');
  await dialog.getByRole('button', { name: 'Salvar endereços' }).click();
  await expect.element(dialog.getByText(/^Informe o endereço da API Pix/)).toBeVisible();
  await expect.element(dialog.getByText(/^Informe o endereço do token/)).toBeVisible();
  await dialog.getByLabelText('API Pix').fill('https://10.0.0.1/v2');
  await dialog.getByLabelText('Token (OAuth)').fill('https://10.0.0.1/token');
  await dialog.getByLabelText('De onde vêm os endereços').fill('Documentação, página 4');
  gateway.refuse(adminSetAddresses, 'BANK_ADDRESS_NOT_ALLOWED');
  await dialog.getByRole('button', { name: 'Salvar endereços' }).click();
  await expect.element(dialog.getByLabelText('API Pix')).toHaveAttribute('aria-invalid', 'true');
  const known = { ...waiting, awaits_addresses: false, api_url: 'https://api.banco.example/v2' };
  gateway.answer(adminSetAddresses, known);
  gateway.answer(adminConnections, adminConnectionsOf([known]));
  await dialog.getByLabelText('API Pix').fill('https://api.banco.example/v2');
  await dialog.getByLabelText('Token (OAuth)').fill('https://api.banco.example/token');
  await dialog.getByRole('button', { name: 'Salvar endereços' }).click();
  await expect.element(screen.getByText('https://api.banco.example/v2')).toBeVisible();
  expect(gateway.calls(adminSetAddresses).at(-1)?.body).toEqual({
    api_url: 'https://api.banco.example/v2',
    token_url: 'https://api.banco.example/token',
    reason: 'Documentação, página 4',
  });
});
