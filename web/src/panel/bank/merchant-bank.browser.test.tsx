// What other screens show to a merchant who is paid into an own bank account.

import {
  accountTaxes,
  apiKeyStatus,
  checkWithdrawalPin,
  createPayment,
  getWalletStats,
  ownBank,
  profile,
  publicSettings,
  transactionFeed,
  withdraw,
} from '@jangada/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { ownBankQuery, profileQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { refetchOwnAccounts } from '../../app/live/refetch-own-accounts.ts';
import { DashboardPage } from '../../features/dashboard/dashboard-page.tsx';
import { PixPaymentPage } from '../../features/pix-payment/pix-payment-page.tsx';
import { WithdrawalsPage } from '../../features/withdrawals/withdrawals-page.tsx';
import { paidIntoOwnBank } from '../../testing/connection-samples.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { apiKey, feedOf, settings, taxes, user, walletOf } from '../../testing/samples.ts';
import { stubGateway } from '../../testing/stub-gateway.ts';
import { pinSet } from '../../testing/withdrawal-samples.ts';
import {
  confirmWithPin,
  fillInAndSubmit,
  openForm,
  openScreen,
  stubWithdrawalGateway,
} from '../../testing/withdrawal-screen.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function openDashboard() {
  await page.viewport(1440, 900);
  const gateway = stubGateway();
  gateway.answer(profile, { user });
  gateway.answer(apiKeyStatus, apiKey);
  gateway.answer(publicSettings, settings);
  gateway.answer(checkWithdrawalPin, pinSet);
  gateway.answer(getWalletStats, walletOf({ available: 0, earned: 0, gross: 0, deposits: 0 }));
  gateway.answer(transactionFeed, feedOf([]));
  return gateway;
}
const Dashboard = () => <DashboardPage apiKeyCard={null} />;

test('the start page leads a merchant without an active own account to Banco, and counts it as a step', async () => {
  const gateway = await openDashboard();
  gateway.answer(ownBank, { ...paidIntoOwnBank, must_connect: true });
  const { screen, currentUrl } = await renderScreen('/dashboard', Dashboard);
  await expect.element(screen.getByText('Nenhuma conta bancária ativa.')).toBeVisible();
  await expect.element(screen.getByText('Conectar o seu banco')).toBeVisible();
  await expect.element(screen.getByText('Faltam dois passos para o primeiro Pix.')).toBeVisible();
  await screen.getByRole('link', { name: 'Abrir Banco' }).click();
  await expect.poll(currentUrl).toBe('/bank');
});

test('the start page of other merchants says nothing of it, whether or not the gateway answers', async () => {
  const gateway = await openDashboard();
  for (const answer of [
    () => gateway.answer(ownBank, paidIntoOwnBank),
    () => gateway.answer(ownBank, { ...paidIntoOwnBank, is_paid_into_own: false, has_own_accounts: false }),
    () => gateway.fail(ownBank),
  ]) {
    answer();
    const { screen } = await renderScreen('/dashboard', Dashboard);
    await expect.element(screen.getByText('Criar o primeiro pagamento')).toBeVisible();
    expect(screen.getByText('Nenhuma conta bancária ativa.').elements()).toEqual([]);
    await screen.unmount();
  }
});

test('the start page and Criar Pagamento tell of a suspended last account while they are open', async () => {
  const gateway = await openDashboard();
  gateway.answer(accountTaxes, { success: true, data: taxes });
  for (const Screen of [Dashboard, PixPaymentPage]) {
    gateway.answer(ownBank, paidIntoOwnBank);
    const { screen } = await renderScreen('/dashboard', Screen);
    await expect.poll(() => queryClient.getQueryData(ownBankQuery.queryKey)).toBeDefined();
    expect(screen.getByText('Nenhuma conta bancária ativa.').elements()).toEqual([]);
    gateway.answer(ownBank, { ...paidIntoOwnBank, must_connect: true });
    refetchOwnAccounts();
    await expect.element(screen.getByText('Nenhuma conta bancária ativa.')).toBeVisible();
    await expect.element(screen.getByRole('link', { name: 'Abrir Banco' })).toBeVisible();
    await screen.unmount();
  }
});

test('a charge that is refused for lack of a bank leads to Banco', async () => {
  await page.viewport(1440, 900);
  const gateway = stubGateway();
  gateway.answer(accountTaxes, { success: true, data: taxes });
  gateway.answer(publicSettings, settings);
  gateway.answer(apiKeyStatus, apiKey);
  gateway.refuse(createPayment, 'BANK_NOT_CONNECTED');
  const { screen, currentUrl } = await renderScreen('/pix-payment', PixPaymentPage);
  await screen.getByLabelText('Valor').click();
  await userEvent.keyboard('125000');
  await screen.getByRole('button', { name: 'Gerar Pagamento' }).click();
  await expect.element(screen.getByText(/Conecte a sua conta bancária/)).toBeVisible();
  await screen.getByRole('link', { name: 'Abrir Banco' }).click();
  await expect.poll(currentUrl).toBe('/bank');
});

test('a refused withdrawal of money that is at the merchant’s own bank says where it is, not that it failed', async () => {
  const gateway = await stubWithdrawalGateway();
  gateway.refuse(withdraw, 'MONEY_AT_OWN_BANK');
  const { screen } = await openForm(gateway);
  await fillInAndSubmit(screen);
  await confirmWithPin(screen);
  const dialog = screen.getByRole('alertdialog', { name: 'Não há o que sacar' });
  await expect.element(dialog.getByText(/já está na sua conta bancária/)).toBeVisible();
});

test('where the own banks send no payouts, the withdrawal form is shown only for what is left at the operator', async () => {
  const gateway = await stubWithdrawalGateway();
  gateway.answer(ownBank, { ...paidIntoOwnBank, is_without_payouts: true });
  const left = await openScreen(gateway);
  await expect.element(left.screen.getByLabelText('Valor')).toBeVisible();
  await left.screen.unmount();
  gateway.answer(profile, { user: { ...user, balance: 0 } });
  const { screen } = await renderScreen('/withdrawals', WithdrawalsPage);
  await queryClient.fetchQuery(profileQuery);
  await expect.element(screen.getByText('Não há o que sacar')).toBeVisible();
  expect(screen.getByLabelText('Valor').elements()).toEqual([]);
});
