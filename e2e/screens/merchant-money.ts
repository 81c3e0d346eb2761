import {
  apiKeyStatus,
  checkWithdrawalPin,
  getDailyStats,
  getReserves,
  getStatement,
  getWalletStats,
  listDisputes,
  setWithdrawalPin,
  transactionFeed,
} from '@jangada/contract';
import type { Page } from 'playwright-core';
import { disputesOf, openDispute, walletOf } from '../../web/src/testing/samples.ts';
import { pinSet } from '../../web/src/testing/withdrawal-samples.ts';
import { answer, fail, hold, intercept, refuse, type Screen } from './screen.ts';

const soon = new Date(Date.now() + 49 * 3_600_000).toISOString();
export const fresh = walletOf({ available: 0, earned: 0, gross: 0, deposits: 0 });
const waiting = { ...openDispute, deadline: soon };

async function fillPin(page: Page, pin: string, again = pin): Promise<void> {
  await page.getByRole('button', { name: 'Definir PIN' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Senha atual').fill('lojista-demo');
  await dialog.getByLabel('Novo PIN', { exact: true }).fill(pin);
  await dialog.getByLabel('Confirmar PIN', { exact: true }).fill(again);
  await dialog.getByRole('button', { name: 'Definir PIN' }).click();
}

export const noPin = answer(checkWithdrawalPin, { ...pinSet, has_pin: false });

const dashboard: readonly Screen[] = [
  { name: 'dashboard', who: 'merchant', at: '/dashboard', shows: 'Transações recentes' },
  {
    name: 'dashboard-loading',
    who: 'merchant',
    at: '/dashboard',
    answers: [hold(getWalletStats), hold(transactionFeed), hold(getDailyStats), hold(apiKeyStatus)],
    shows: (page) => page.locator('main .skeleton'),
    loading: true,
  },
  {
    name: 'dashboard-error',
    who: 'merchant',
    at: '/dashboard',
    answers: [fail(getWalletStats)],
    shows: 'Erro ao buscar estatísticas da carteira.',
  },
  {
    name: 'dashboard-days-error',
    who: 'merchant',
    at: '/dashboard',
    answers: [fail(getDailyStats), fail(apiKeyStatus)],
    shows: 'Erro ao buscar o recebido por dia.',
  },
  {
    name: 'dashboard-refresh-failed',
    who: 'merchant',
    at: '/dashboard',
    steps: async (page) => {
      await page.getByText(/por pagamento/).waitFor();
      await intercept(page, fail(getWalletStats));
      // The message is kept from closing after three seconds, since a busy machine may look later.
      await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
      await page.getByRole('button', { name: 'Atualizar' }).click();
    },
    shows: (page) => page.locator('.toast-card'),
    passing: true,
  },
  {
    name: 'dashboard-no-pin',
    who: 'merchant',
    at: '/dashboard',
    answers: [noPin, answer(listDisputes, disputesOf([]))],
    shows: 'Defina seu PIN de saque.',
  },
  {
    name: 'dashboard-dispute',
    who: 'merchant',
    at: '/dashboard',
    answers: [answer(listDisputes, disputesOf([waiting]))],
    shows: 'Uma disputa espera a sua defesa.',
  },
  {
    name: 'dashboard-pin-unknown',
    who: 'merchant',
    at: '/dashboard',
    answers: [fail(checkWithdrawalPin)],
    shows: /Erro ao verificar status do PIN/,
  },
  { name: 'dashboard-new', who: 'newcomer', at: '/dashboard', shows: 'Primeiros passos' },
  { name: 'dashboard-approved-empty', who: 'approved', at: '/dashboard', shows: 'Primeiros passos' },
  { name: 'dashboard-rejected', who: 'rejected', at: '/dashboard', shows: 'Primeiros passos' },
  { name: 'dashboard-company', who: 'company', at: '/dashboard', shows: 'Primeiros passos' },
  { name: 'dashboard-large', who: 'longNamed', at: '/dashboard', shows: 'Transações recentes' },
  {
    name: 'pin-dialog',
    who: 'merchant',
    at: '/dashboard',
    answers: [noPin],
    steps: (page) => page.getByRole('button', { name: 'Definir PIN' }).click(),
    shows: 'Definir PIN de saque',
  },
  {
    name: 'pin-dialog-errors',
    who: 'merchant',
    at: '/dashboard',
    answers: [noPin],
    steps: (page) => fillPin(page, '48', '4'),
    shows: 'PIN deve ter exatamente 4 dígitos numéricos.',
  },
  {
    name: 'pin-dialog-refused',
    who: 'merchant',
    at: '/dashboard',
    answers: [noPin, refuse(setWithdrawalPin, 'PIN_TOO_SIMPLE')],
    steps: (page) => fillPin(page, '1234'),
    shows: /Escolha um PIN menos óbvio/,
  },
];

const wallet: readonly Screen[] = [
  { name: 'wallet', who: 'merchant', at: '/wallet', shows: 'Bloqueado por disputas' },
  {
    name: 'wallet-loading',
    who: 'merchant',
    at: '/wallet',
    answers: [hold(getWalletStats), hold(getDailyStats), hold(getReserves)],
    shows: (page) => page.locator('main .skeleton'),
    loading: true,
  },
  {
    name: 'wallet-error',
    who: 'merchant',
    at: '/wallet',
    answers: [fail(getWalletStats)],
    shows: 'Erro ao buscar estatísticas da carteira.',
  },
  { name: 'wallet-empty', who: 'approved', at: '/wallet', shows: 'Nenhum saldo ainda' },
  { name: 'wallet-large', who: 'longNamed', at: '/wallet', shows: 'Bloqueado por disputas' },
  {
    name: 'wallet-owing',
    who: 'merchant',
    at: '/wallet',
    answers: [answer(getWalletStats, { ...fresh, owed_to_disputes: 120.5 })],
    shows: /que entrarem cobrem disputas/,
  },
  {
    name: 'wallet-releases',
    who: 'merchant',
    at: '/wallet',
    answers: [
      answer(getReserves, {
        total: 3052.18,
        releases: Array.from({ length: 7 }, (_, at) => ({
          day: `2026-12-0${at + 1}`,
          amount: 410.5 + at,
          payments: 2 + at,
        })),
      }),
    ],
    shows: /Ver todos os dias/,
  },
  {
    name: 'wallet-hidden',
    who: 'merchant',
    at: '/wallet',
    steps: async (page) => {
      await page.getByText('Bloqueado por disputas').first().waitFor();
      await page.getByRole('button', { name: /^Esconder saldo/ }).click();
    },
    shows: 'Bloqueado por disputas',
  },
];

const statement: readonly Screen[] = [
  { name: 'statement', who: 'merchant', at: '/statement', shows: 'Pagamento recebido' },
  {
    name: 'statement-loading',
    who: 'merchant',
    at: '/statement',
    answers: [hold(getStatement)],
    shows: (page) => page.locator('main .skeleton'),
    loading: true,
  },
  {
    name: 'statement-error',
    who: 'merchant',
    at: '/statement',
    answers: [refuse(getStatement, 'OVERLOADED')],
    shows: 'Erro ao buscar o extrato',
  },
  { name: 'statement-empty', who: 'approved', at: '/statement', shows: 'Nenhum movimento no período' },
  { name: 'statement-large', who: 'longNamed', at: '/statement', shows: 'Pagamento recebido' },
  {
    name: 'statement-no-result',
    who: 'merchant',
    at: '/statement?account=reserved&kind=refund',
    shows: 'Nada com esse filtro',
  },
  { name: 'statement-blocked', who: 'merchant', at: '/statement?account=blocked', shows: 'Bloqueado' },
  {
    name: 'statement-period',
    who: 'merchant',
    at: '/statement',
    steps: (page) => page.getByRole('button', { name: /^Período/ }).click(),
    shows: (page) => page.getByRole('button', { name: 'Aplicar' }),
  },
  {
    name: 'statement-period-wrong',
    who: 'merchant',
    at: '/statement',
    steps: async (page) => {
      await page.getByRole('button', { name: /^Período/ }).click();
      await page.getByLabel('De', { exact: true }).fill('2024-01-01');
      await page.getByRole('button', { name: 'Aplicar' }).click();
    },
    shows: 'O período vai até um ano.',
  },
];

export const merchantMoney: readonly Screen[] = [...dashboard, ...wallet, ...statement];
