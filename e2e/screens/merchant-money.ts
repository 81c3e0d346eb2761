import {
  apiKeyStatus,
  checkWithdrawalPin,
  getDailyStats,
  getReserves,
  getStatement,
  getWalletStats,
  listDisputes,
  profile,
  setWithdrawalPin,
  transactionFeed,
} from '@jangada/contract';
import type { Page } from 'playwright-core';
import {
  balanceParts,
  disputesOf,
  openDispute,
  userWithParts,
  walletOf,
} from '../../web/src/testing/samples.ts';
import { pinSet } from '../../web/src/testing/withdrawal-samples.ts';
import { answer, fail, intercept, refuse, type Screen, stall } from './screen.ts';

const inTwoDays = new Date(Date.now() + 49 * 3_600_000).toISOString();
export const emptyWallet = walletOf({ available: 0, earned: 0, gross: 0, deposits: 0 });
const pendingDispute = { ...openDispute, deadline: inTwoDays };

async function fillPin(page: Page, pin: string, repeatedPin = pin): Promise<void> {
  await page.getByRole('button', { name: 'Definir PIN' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Senha atual').fill('lojista-demo');
  await dialog.getByLabel('Novo PIN', { exact: true }).fill(pin);
  await dialog.getByLabel('Confirmar PIN', { exact: true }).fill(repeatedPin);
  await dialog.getByRole('button', { name: 'Definir PIN' }).click();
}

/** The response for a merchant who has not set a PIN yet. */
export const noPin = answer(checkWithdrawalPin, { ...pinSet, has_pin: false });

const dashboard: readonly Screen[] = [
  { name: 'dashboard', visitor: 'merchant', path: '/dashboard', shows: 'Transações recentes' },
  {
    name: 'dashboard-balance-parts',
    visitor: 'merchant',
    path: '/dashboard',
    stubs: [answer(profile, { user: userWithParts })],
    shows: /Seu saldo:/,
  },
  {
    name: 'dashboard-loading',
    visitor: 'merchant',
    path: '/dashboard',
    stubs: [stall(getWalletStats), stall(transactionFeed), stall(getDailyStats), stall(apiKeyStatus)],
    shows: (page) => page.locator('main .skeleton'),
    isLoading: true,
  },
  {
    name: 'dashboard-error',
    visitor: 'merchant',
    path: '/dashboard',
    stubs: [fail(getWalletStats)],
    shows: 'Erro ao buscar estatísticas da carteira.',
  },
  {
    name: 'dashboard-days-error',
    visitor: 'merchant',
    path: '/dashboard',
    stubs: [fail(getDailyStats), fail(apiKeyStatus)],
    shows: 'Erro ao buscar o recebido por dia.',
  },
  {
    name: 'dashboard-refresh-failed',
    visitor: 'merchant',
    path: '/dashboard',
    steps: async (page) => {
      await page.getByText(/por pagamento/).waitFor();
      await intercept(page, fail(getWalletStats));
      // The message would close after three seconds, before a busy machine has checked it, so it is kept open.
      await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
      await page.getByRole('button', { name: 'Atualizar' }).click();
    },
    shows: (page) => page.locator('.toast-card'),
    isTransient: true,
  },
  {
    name: 'dashboard-no-pin',
    visitor: 'merchant',
    path: '/dashboard',
    stubs: [noPin, answer(listDisputes, disputesOf([]))],
    shows: 'Defina seu PIN de saque.',
  },
  {
    name: 'dashboard-dispute',
    visitor: 'merchant',
    path: '/dashboard',
    stubs: [answer(listDisputes, disputesOf([pendingDispute]))],
    shows: 'Uma disputa espera a sua defesa.',
  },
  {
    name: 'dashboard-pin-unknown',
    visitor: 'merchant',
    path: '/dashboard',
    stubs: [fail(checkWithdrawalPin)],
    shows: /Erro ao verificar status do PIN/,
  },
  { name: 'dashboard-new', visitor: 'newcomer', path: '/dashboard', shows: 'Primeiros passos' },
  { name: 'dashboard-approved-empty', visitor: 'approved', path: '/dashboard', shows: 'Primeiros passos' },
  { name: 'dashboard-rejected', visitor: 'rejected', path: '/dashboard', shows: 'Primeiros passos' },
  { name: 'dashboard-company', visitor: 'company', path: '/dashboard', shows: 'Primeiros passos' },
  { name: 'dashboard-large', visitor: 'longNamed', path: '/dashboard', shows: 'Transações recentes' },
  {
    name: 'pin-dialog',
    visitor: 'merchant',
    path: '/dashboard',
    stubs: [noPin],
    steps: (page) => page.getByRole('button', { name: 'Definir PIN' }).click(),
    shows: 'Definir PIN de saque',
  },
  {
    name: 'pin-dialog-errors',
    visitor: 'merchant',
    path: '/dashboard',
    stubs: [noPin],
    steps: (page) => fillPin(page, '48', '4'),
    shows: 'PIN deve ter exatamente 4 dígitos numéricos.',
  },
  {
    name: 'pin-dialog-refused',
    visitor: 'merchant',
    path: '/dashboard',
    stubs: [noPin, refuse(setWithdrawalPin, 'PIN_TOO_SIMPLE')],
    steps: (page) => fillPin(page, '1234'),
    shows: /Escolha um PIN menos óbvio/,
  },
];

const wallet: readonly Screen[] = [
  { name: 'wallet', visitor: 'merchant', path: '/wallet', shows: 'Bloqueado por disputas' },
  {
    name: 'wallet-loading',
    visitor: 'merchant',
    path: '/wallet',
    stubs: [stall(getWalletStats), stall(getDailyStats), stall(getReserves)],
    shows: (page) => page.locator('main .skeleton'),
    isLoading: true,
  },
  {
    name: 'wallet-error',
    visitor: 'merchant',
    path: '/wallet',
    stubs: [fail(getWalletStats)],
    shows: 'Erro ao buscar estatísticas da carteira.',
  },
  { name: 'wallet-empty', visitor: 'approved', path: '/wallet', shows: 'Nenhum saldo ainda' },
  { name: 'wallet-large', visitor: 'longNamed', path: '/wallet', shows: 'Bloqueado por disputas' },
  {
    name: 'wallet-balance-parts',
    visitor: 'merchant',
    path: '/wallet',
    stubs: [
      answer(profile, { user: userWithParts }),
      answer(getWalletStats, {
        ...walletOf({ available: 4108.61, earned: 4108.61, gross: 4200, deposits: 40 }),
        ...balanceParts,
      }),
    ],
    shows: (page) => page.getByRole('main').getByText(/No operador/),
  },
  {
    name: 'wallet-owing',
    visitor: 'merchant',
    path: '/wallet',
    stubs: [answer(getWalletStats, { ...emptyWallet, owed_to_disputes: 120.5 })],
    shows: /que entrarem cobrem disputas/,
  },
  {
    name: 'wallet-releases',
    visitor: 'merchant',
    path: '/wallet',
    stubs: [
      answer(getReserves, {
        total: 3052.18,
        releases: Array.from({ length: 7 }, (_, index) => ({
          day: `2026-12-0${index + 1}`,
          amount: 410.5 + index,
          payments: 2 + index,
        })),
      }),
    ],
    shows: /Ver todos os dias/,
  },
  {
    name: 'wallet-hidden',
    visitor: 'merchant',
    path: '/wallet',
    steps: async (page) => {
      await page.getByText('Bloqueado por disputas').first().waitFor();
      await page.getByRole('button', { name: /^Esconder saldo/ }).click();
    },
    shows: 'Bloqueado por disputas',
  },
];

const statement: readonly Screen[] = [
  { name: 'statement', visitor: 'merchant', path: '/statement', shows: 'Pagamento recebido' },
  {
    name: 'statement-loading',
    visitor: 'merchant',
    path: '/statement',
    stubs: [stall(getStatement)],
    shows: (page) => page.locator('main .skeleton'),
    isLoading: true,
  },
  {
    name: 'statement-error',
    visitor: 'merchant',
    path: '/statement',
    stubs: [refuse(getStatement, 'OVERLOADED')],
    shows: 'Erro ao buscar o extrato',
  },
  { name: 'statement-empty', visitor: 'approved', path: '/statement', shows: 'Nenhum movimento no período' },
  { name: 'statement-large', visitor: 'longNamed', path: '/statement', shows: 'Pagamento recebido' },
  {
    name: 'statement-no-result',
    visitor: 'merchant',
    path: '/statement?account=reserved&kind=refund',
    shows: 'Nada com esse filtro',
  },
  { name: 'statement-blocked', visitor: 'merchant', path: '/statement?account=blocked', shows: 'Bloqueado' },
  {
    name: 'statement-period',
    visitor: 'merchant',
    path: '/statement',
    steps: (page) => page.getByRole('button', { name: /^Período/ }).click(),
    shows: (page) => page.getByRole('button', { name: 'Aplicar' }),
  },
  {
    name: 'statement-period-wrong',
    visitor: 'merchant',
    path: '/statement',
    steps: async (page) => {
      await page.getByRole('button', { name: /^Período/ }).click();
      await page.getByLabel('De', { exact: true }).fill('2024-01-01');
      await page.getByRole('button', { name: 'Aplicar' }).click();
    },
    shows: 'O período vai até um ano.',
  },
];

export const merchantMoney: readonly Screen[] = [...dashboard, ...wallet, ...statement];
