import {
  accountTaxes,
  apiKeyStatus,
  checkWithdrawalPin,
  getChargeStats,
  getDailyStats,
  getReserves,
  getWalletStats,
  profile,
  publicSettings,
  transactionFeed,
} from '@jangada/contract';
import { type ReactElement, useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '../api/query.ts';
import { DashboardPage } from '../features/dashboard/dashboard-page.tsx';
import { TransactionsPage } from '../features/transactions/transactions-page.tsx';
import { WalletPage } from '../features/wallet/wallet-page.tsx';
import { renderScreen } from '../testing/render-screen.tsx';
import { settings, user } from '../testing/samples.ts';
import { stubGateway } from '../testing/stub-gateway.ts';
import { pinSet } from '../testing/withdrawal-samples.ts';
import { paths } from './paths.ts';
import { prefetchScreen } from './screen-queries.ts';

afterEach(() => vi.unstubAllGlobals());

/** A screen whose code arrives after its prefetch has failed; it can be closed and reopened. */
function lateScreen(Page: () => ReactElement) {
  return function Later() {
    const [isOpen, setIsOpen] = useState(false);
    return (
      <>
        <button type="button" onClick={() => setIsOpen(!isOpen)}>
          Abrir ou sair
        </button>
        {isOpen && <Page />}
      </>
    );
  };
}

test.each([
  [paths.transactions, TransactionsPage, [transactionFeed]],
  [paths.wallet, WalletPage, [getWalletStats, accountTaxes]],
  [paths.dashboard, () => <DashboardPage apiKeyCard={null} />, [getWalletStats, transactionFeed]],
] as const)(
  'a failed first call of %s is sent once, and again when the screen is reopened',
  async (path, Page, calls) => {
    const gateway = stubGateway();
    gateway.answer(publicSettings, settings);
    gateway.answer(profile, { user });
    gateway.answer(checkWithdrawalPin, pinSet);
    for (const call of [
      accountTaxes,
      apiKeyStatus,
      getChargeStats,
      getDailyStats,
      getReserves,
      getWalletStats,
      transactionFeed,
    ])
      gateway.fail(call);
    const { screen } = await renderScreen(path, lateScreen(Page));
    const openOrLeave = () => screen.getByRole('button', { name: 'Abrir ou sair' }).click();
    const callCounts = () => calls.map((call) => gateway.calls(call).length);
    const untilSettled = () => expect.poll(() => queryClient.isFetching()).toBe(0);

    prefetchScreen({ pathname: path, search: '' });
    await untilSettled();
    await openOrLeave();
    await expect.element(screen.getByText(/^Erro ao buscar/).first()).toBeVisible();
    await untilSettled();
    expect(callCounts()).toEqual(calls.map(() => 1));

    await openOrLeave();
    await openOrLeave();
    await expect.element(screen.getByText(/^Erro ao buscar/).first()).toBeVisible();
    await untilSettled();
    expect(callCounts()).toEqual(calls.map(() => 2));
  },
);
