import {
  enterAccount,
  getKyc,
  listAccounts,
  listNotifications,
  type MemberRole,
  ownBank,
  profile,
  publicSettings,
  type StoredUser,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { paidIntoOwnBank } from '../../testing/connection-samples.ts';
import { holdNavigation } from '../../testing/hold-navigation.ts';
import { accounts, ownAccount, shopAccount } from '../../testing/member-samples.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { kycNone, settings, user } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { PageHeader } from '../../ui/index.ts';
import { PanelLayout } from './panel-layout.tsx';

let gateway: StubbedGateway;
beforeEach(async () => {
  await page.viewport(1440, 900);
  localStorage.clear();
  sessionStorage.clear();
  gateway = stubGateway();
  gateway.answer(publicSettings, settings);
  gateway.answer(profile, { user });
  gateway.answer(listNotifications, { notifications: [], unread: 0, next: null });
  gateway.answer(getKyc, kycNone);
  gateway.answer(ownBank, { ...paidIntoOwnBank, has_screen: true, has_own_accounts: true });
  gateway.answer(listAccounts, accounts);
});
afterEach(() => vi.unstubAllGlobals());

const Frame = () => (
  <PanelLayout>
    <PageHeader title="Tela" />
  </PanelLayout>
);
const openPanel = (account?: StoredUser['account']) => renderScreen('/dashboard', Frame, { account });

test('whoever has one account sees nothing of accounts, and none are asked for', async () => {
  const { screen } = await openPanel();
  await screen.getByRole('button', { name: 'Conta MA' }).hover();
  await expect.element(screen.getByRole('menuitem', { name: 'Perfil' })).toBeVisible();
  expect(screen.getByRole('group', { name: 'Contas' }).elements()).toEqual([]);
  expect(screen.getByText(/^Conta: /).elements()).toEqual([]);
  expect(gateway.calls(listAccounts)).toHaveLength(0);
});

test('the menu lists the accounts with their roles, marks the current one, and opens no frozen one', async () => {
  const { screen } = await openPanel(shopAccount);
  await screen.getByRole('button', { name: 'Conta MA' }).hover();
  const list = screen.getByRole('group', { name: 'Contas' });
  await expect.element(list.getByRole('menuitem', { name: 'Marina Albuquerque Sua conta' })).toBeVisible();
  const current = list.getByRole('menuitem', { name: 'Empório Capibaribe Financeiro Conta atual' });
  await expect.element(current).toHaveAttribute('aria-current', 'true');
  await expect
    .element(list.getByRole('menuitem', { name: 'Padaria da Aurora Caixa · congelada' }))
    .toBeDisabled();
});

test('the frame says for which account of somebody else one acts, and in which role', async () => {
  const { screen } = await openPanel(shopAccount);
  await expect.element(screen.getByText(/Empório Capibaribe$/).first()).toBeVisible();
  await expect.element(screen.getByText('Financeiro').first()).toBeVisible();
  await screen.unmount();
  const own = await openPanel(ownAccount);
  await expect.element(own.screen.getByText('Tela')).toBeVisible();
  expect(own.screen.getByText(/^Conta: /).elements()).toEqual([]);
});

test('choosing an account enters it, forgets what was kept of the one before, and opens the page anew', async () => {
  const opened = holdNavigation();
  gateway.answer(enterAccount, {
    account: { account_id: 'u1', name: 'Marina', role: 'owner', own: true, current: true, frozen: false },
  });
  const { screen } = await openPanel(shopAccount);
  localStorage.setItem('last-visit', '{}');
  localStorage.setItem('user', '{}');
  await screen.getByRole('button', { name: 'Conta MA' }).hover();
  await screen.getByRole('menuitem', { name: 'Marina Albuquerque Sua conta' }).click();
  await expect.poll(() => opened).toEqual(['/dashboard']);
  expect(gateway.calls(enterAccount).map(({ body }) => body)).toEqual([{ account_id: 'u1' }]);
  expect([localStorage.getItem('last-visit'), localStorage.getItem('user')]).toEqual([null, null]);
});

test('why the page was opened anew is said until the user has read it', async () => {
  sessionStorage.setItem('account-change', 'Você deixou a conta.');
  const { screen } = await openPanel();
  await expect.element(screen.getByRole('alert')).toMatchTextContent(/Você deixou a conta\./);
  await screen.getByRole('button', { name: 'Entendi' }).click();
  expect(screen.getByText('Você deixou a conta.').elements()).toEqual([]);
  await screen.unmount();
  const again = await openPanel();
  await expect.element(again.screen.getByText('Tela')).toBeVisible();
  expect(again.screen.getByText('Você deixou a conta.').elements()).toEqual([]);
});

const read = ['Todas as Transações', 'Cobranças', 'Links de pagamento', 'Assinaturas', 'Clientes'];
const sales = [
  ...['Todas as Transações', 'Cobranças', 'Criar Pagamento', 'Links de pagamento'],
  ...['Assinaturas', 'Clientes'],
];
const money = ['Carteira', 'Extrato', 'Banco', 'Tarifas'];
const systems = ['Chaves de API', 'Documentação API', 'Webhooks'];
const menuByRole: Readonly<Record<MemberRole, readonly string[]>> = {
  owner: [
    ...sales,
    'Disputas',
    ...['Sacar', 'Histórico de Saques', 'Saque pela API'],
    ...money,
    ...systems,
    'Membros',
  ],
  finance: [...read, 'Disputas', ...['Sacar', 'Histórico de Saques', 'Saque pela API'], ...money],
  operator: sales,
  cashier: ['Criar Pagamento', 'Clientes'],
  accountant: [...read, ...['Disputas', 'Histórico de Saques', 'Saque pela API'], ...money],
  developer: systems,
};

test.each(Object.entries(menuByRole))(
  'the menu of the role %s has what it may open, and no more',
  async (role, entries) => {
    const { screen } = await openPanel({ ...shopAccount, role: role as MemberRole });
    const menu = screen.getByRole('navigation', { name: 'Menu' });
    const labels = () =>
      menu
        .getByRole('link')
        .elements()
        .map(({ textContent }) => textContent);
    await expect.poll(labels).toEqual(['Início', ...entries, 'Perfil']);
  },
);

test('the balance is in the top bar of the roles that read money alone', async () => {
  for (const [role, isShown] of [
    ['accountant', true],
    ['operator', false],
    ['cashier', false],
  ] as const) {
    const { screen } = await openPanel({ ...shopAccount, role });
    await expect.element(screen.getByText('Tela')).toBeVisible();
    expect(screen.getByText('Saldo', { exact: true }).elements()).toHaveLength(isShown ? 1 : 0);
    await screen.unmount();
  }
});
