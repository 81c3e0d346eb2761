import {
  adminPayouts,
  adminSuspense,
  adminSystemHealth,
  adminUserBasics,
  adminWithdrawals,
  listApprovals,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { adminWithdrawal, payouts, systemHealth } from '../../testing/admin-money-samples.ts';
import { adminUser } from '../../testing/admin-samples.ts';
import { approvedOwnRequest, openRequest } from '../../testing/approval-samples.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { AdminStartPage } from './start-page.tsx';

let gateway: StubbedGateway;
beforeEach(() => {
  gateway = stubGateway();
  gateway.answer(adminSystemHealth, systemHealth);
  gateway.answer(adminPayouts, payouts);
  gateway.answer(adminWithdrawals, {
    withdrawals: [{ ...adminWithdrawal, held_because: 'ver' }],
    next: null,
  });
  gateway.answer(listApprovals, { open: [approvedOwnRequest, openRequest], ended: [], waiting_for_you: 1 });
  gateway.answer(adminSuspense, { pix: [], total: 0, total_amount: 0, page: 1, limit: 50 });
  gateway.answer(adminUserBasics, { users: [adminUser], total: 4, page: 1, limit: 100 });
});
afterEach(() => vi.unstubAllGlobals());

const openStartPage = () => renderScreen('/dashboard', AdminStartPage, { role: 'ADMIN', name: 'Ana Lima' });

test('an administrator starts with the tasks that wait, and each links to its page', async () => {
  const { screen, currentUrl } = await openStartPage();
  await expect.element(screen.getByRole('heading', { name: 'Olá, Ana' })).toBeVisible();
  const list = screen.getByRole('list', { name: 'Operação' });
  for (const row of [
    /^Envios ao banco.*saindo$/,
    /^Aprovações.*Há pedidos seus já aprovados.*2$/,
    /^Documentos para analisar.*7$/,
    /^Contas em bancos.*2$/,
    /^Itens em aberto.*3$/,
    /^Saques em dúvida.*1$/,
    /^Saques segurados.*1$/,
    /^Pix sem dono.*0$/,
    /^Pedidos de encerramento.*4$/,
    /^Saúde do sistema.*1 aviso$/,
  ])
    await expect.element(list.getByRole('link', { name: row })).toBeVisible();
  await expect.element(screen.getByText('8 assuntos esperam por você.')).toBeVisible();
  expect(gateway.calls(adminUserBasics)[0]?.query.toString()).toBe('closing=true');
  await list.getByRole('link', { name: /^Pedidos/ }).click();
  await expect.poll(currentUrl).toBe('/admin/user-management?closing=true');
});

test('stopped payouts show the reason once', async () => {
  gateway.answer(adminSystemHealth, {
    ...systemHealth,
    payouts_stopped_because: 'o banco tinha R$ 1,00',
    warnings: ['payouts-stopped'],
  });
  const { screen } = await openStartPage();
  await expect.element(screen.getByRole('link', { name: /o banco tinha R\$ 1,00\s*parados$/ })).toBeVisible();
  await expect.element(screen.getByRole('link', { name: /Tudo responde\.\s*bem$/ })).toBeVisible();
});

test('payouts that wait for the bank’s balance are not shown as running', async () => {
  gateway.answer(adminPayouts, { ...payouts, bank_in_doubt: true });
  gateway.answer(adminSystemHealth, { ...systemHealth, warnings: ['bank-balance-unknown'] });
  const { screen } = await openStartPage();
  await expect
    .element(
      screen.getByRole('link', {
        name: /O banco não diz o saldo: nada é enviado até que diga\.\s*esperando$/,
      }),
    )
    .toBeVisible();
  await expect.element(screen.getByRole('link', { name: /Tudo responde\.\s*bem$/ })).toBeVisible();
});

test('a failure to load is shown and can be retried', async () => {
  gateway.fail(adminPayouts);
  const { screen } = await openStartPage();
  await expect.element(screen.getByText('Erro ao buscar o que espera por você.')).toBeVisible();
  gateway.answer(adminPayouts, payouts);
  await screen.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(screen.getByRole('list', { name: 'Operação' })).toBeVisible();
});
