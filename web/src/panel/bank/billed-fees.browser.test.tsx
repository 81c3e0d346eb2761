// Screens of a merchant who is paid into an own bank account say that the whole amount arrives there, and that its fee is billed.

import {
  accountTaxes,
  apiKeyStatus,
  createPayment,
  getPaymentStatus,
  getWithdrawal,
  listRefunds,
  listWithdrawals,
  ownBank,
  profile,
  publicSettings,
  transactionFeed,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { profileQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { PixPaymentPage } from '../../features/pix-payment/pix-payment-page.tsx';
import { TransactionsPage } from '../../features/transactions/transactions-page.tsx';
import { WithdrawalHistoryPage } from '../../features/withdrawal-history/withdrawal-history-page.tsx';
import { paidIntoOwnBank } from '../../testing/connection-samples.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { apiKey, feedOf, refundsOf, settings, taxes, transaction, user } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { withdrawal, withdrawalsOf } from '../../testing/withdrawal-samples.ts';

const atOwnBank = { ...transaction, amount: 5, credited_amount: 5, fee: 0.05, fee_billed: true };
const BILLED = 'R$ 0,05 na fatura do mês';

let gateway: StubbedGateway;
beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(publicSettings, settings);
  gateway.answer(apiKeyStatus, apiKey);
  gateway.answer(ownBank, paidIntoOwnBank);
  gateway.answer(accountTaxes, { success: true, data: taxes });
  gateway.answer(transactionFeed, feedOf([atOwnBank]));
  gateway.answer(listRefunds, refundsOf(atOwnBank));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('the form of a charge and the created charge show the whole amount, and the fee on the statement', async () => {
  const pending = {
    ...atOwnBank,
    status: 'pending',
    paid_at: null,
    expires_at: '2099-11-21T17:27:00.000Z',
  } as const;
  gateway.answer(createPayment, { ...pending, text: pending.content, image: '' });
  gateway.answer(getPaymentStatus, pending);
  const { screen } = await renderScreen('/pix-payment', PixPaymentPage);
  await screen.getByLabelText('Valor').click();
  await userEvent.keyboard('500');
  const summary = screen.getByRole('complementary', { name: 'Resumo' });
  await expect.element(summary.getByText('Cai na sua conta')).toBeVisible();
  await expect.element(summary.getByText(BILLED)).toBeVisible();
  expect(summary.getByText('R$ 5,00').elements()).toHaveLength(2);
  await screen.getByRole('button', { name: 'Gerar Pagamento' }).click();
  await expect.element(screen.getByText('Aguardando o Pix')).toBeVisible();
  await expect.element(screen.getByText('Cai na sua conta')).toBeVisible();
  await expect.element(screen.getByText(BILLED)).toBeVisible();
});

test('the details of a payment show the fee on the statement, and a refund is not limited by another account', async () => {
  gateway.answer(profile, { user: { ...user, balance: 1, at_operator: 0, at_own_bank: 1 } });
  const { screen } = await renderScreen(`/transactions?id=${transaction.id}`, TransactionsPage);
  await queryClient.fetchQuery(profileQuery);
  await expect.element(screen.getByText('Caiu na sua conta')).toBeVisible();
  await expect.element(screen.getByText(BILLED)).toBeVisible();
  await screen.getByRole('button', { name: 'Estornar' }).click();
  await expect.element(screen.getByText(/O dinheiro sai da sua conta no banco/)).toBeVisible();
  expect(screen.getByText(/não cobre este estorno/).elements()).toEqual([]);
});

test('a refund of a payment at the operator is checked against what is there', async () => {
  gateway.answer(transactionFeed, feedOf([transaction]));
  gateway.answer(listRefunds, refundsOf(transaction));
  gateway.answer(profile, { user: { ...user, balance: 5010, at_operator: 10, at_own_bank: 5000 } });
  const { screen } = await renderScreen(`/transactions?id=${transaction.id}`, TransactionsPage);
  await queryClient.fetchQuery(profileQuery);
  await screen.getByRole('button', { name: 'Estornar' }).click();
  await expect.element(screen.getByText(/não cobre este estorno/)).toBeVisible();
});

test('the details of a withdrawal from an own account show its fee on the statement', async () => {
  const billed = { ...withdrawal, fee_billed: true };
  gateway.answer(listWithdrawals, withdrawalsOf([billed]));
  gateway.answer(getWithdrawal, billed);
  const { screen } = await renderScreen(`/withdrawal-history?id=${withdrawal.id}`, WithdrawalHistoryPage);
  await expect.element(screen.getByText('R$ 1,50 na fatura do mês')).toBeVisible();
});
