import { accountTaxes, getDailyStats, getWalletStats, profile } from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { dayOf, shiftDay } from '../../format/date.ts';
import { hideBalance } from '../../session/balance-privacy.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { taxes, user, walletOf } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { WalletPage } from './wallet-page.tsx';

let gateway: StubbedGateway;
const full = walletOf({ available: 12_480.37, earned: 1_284_906.53, gross: 1_290_000, deposits: 34_003 });

beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(profile, { user });
  gateway.answer(accountTaxes, {
    success: true,
    data: { ...taxes, reserve: { enabled: true, percentage: 5, liberationTime: 30 } },
  });
  gateway.answer(getDailyStats, ({ query }) => {
    const count = Number(query.get('days'));
    const today = dayOf(new Date());
    const day = (at: number) => ({
      day: shiftDay(today, at + 1 - count),
      received: 0,
      count: 0,
      balance: 100 * at,
    });
    return { days: Array.from({ length: count }, (_, at) => day(at)) };
  });
});
afterEach(() => {
  hideBalance(false);
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const wallet = () => renderScreen('/wallet', WalletPage);

test('the wallet tells what is available, kept and blocked, and what that means', async () => {
  gateway.answer(getWalletStats, {
    ...full,
    data: {
      ...full.data,
      stats: { ...full.data.stats, reservedAmount: 3052.18, blockedByDisputes: 418 },
    },
  });
  const { screen } = await wallet();
  for (const text of ['R$ 12.480,37', 'R$ 1.284.906,53', 'R$ 418,00', 'R$ 3.052,18', 'R$ 15.950,55'])
    await expect.element(screen.getByText(text, { exact: true })).toBeVisible();
  await expect.element(screen.getByText('última em 21/11/2026 14:32')).toBeVisible();
  await expect
    .element(screen.getByText('Uma parte de cada Pix, guardada por 30 dias como garantia.'))
    .toBeVisible();
  await expect.element(screen.getByRole('row', { name: 'Depósitos 34.003' })).toBeVisible();
});

test('hidden balances are hidden in every figure, on the axis and in the table', async () => {
  gateway.answer(getWalletStats, full);
  hideBalance(true);
  const { screen } = await wallet();
  const chart = screen.getByRole('slider', { name: 'Saldo por dia' });
  await expect.element(chart).toHaveAttribute('aria-valuetext', expect.stringMatching(/, escondido$/));
  await expect.element(screen.getByText('34.003').first()).toBeVisible();
  expect(document.querySelector('main')?.textContent).not.toMatch(/R\$\s\d|\dmil|\d\smil/);
  hideBalance(false);
  await expect.element(screen.getByText('R$ 1.284.906,53')).toBeVisible();
  await expect.element(screen.getByText(/\d\smil$/).first()).toBeInTheDocument();
});

test('failed and expired payments are counted as one, without alarm', async () => {
  gateway.answer(getWalletStats, full);
  const { screen } = await wallet();
  await expect.element(screen.getByRole('row', { name: 'Falhos ou expirados 0' })).toBeVisible();
});

test('both shapes of the figures are read', async () => {
  gateway.answer(getWalletStats, full);
  vi.stubGlobal('fetch', flatOnly(globalThis.fetch));
  const { screen } = await wallet();
  await expect.element(screen.getByText('R$ 1.284.906,53')).toBeVisible();
});

/** Another provider: the flat shape only. */
function flatOnly(next: typeof fetch): typeof fetch {
  return async (address, init) => {
    const response = await next(address, init);
    if (!String(address).includes('wallet/stats')) return response;
    const { data: _nested, ...flat } = await response.json();
    return Response.json(flat);
  };
}

test('an empty wallet keeps its frame', async () => {
  gateway.answer(getWalletStats, walletOf({ available: 0, earned: 0, gross: 0, deposits: 0 }));
  const { screen } = await wallet();
  await expect.element(screen.getByText('Nenhum saldo ainda')).toBeVisible();
  await expect.element(screen.getByRole('row', { name: 'Depósitos 0', exact: true })).toBeVisible();
});

test('figures that cannot be loaded say so, with the server’s sentence and the request’s id', async () => {
  gateway.refuse(getWalletStats, 'OVERLOADED');
  const { screen } = await wallet();
  await expect.element(screen.getByText('Erro ao buscar estatísticas da carteira.')).toBeVisible();
  await expect.element(screen.getByText('O serviço está ocupado. Tente de novo em instantes.')).toBeVisible();
  await expect.element(screen.getByText('req_1')).toBeVisible();
});

test('a refresh that fails keeps what stands and says so', async () => {
  gateway.answer(getWalletStats, full);
  const { screen } = await wallet();
  await expect.element(screen.getByText('R$ 1.284.906,53')).toBeVisible();
  gateway.fail(getWalletStats);
  await screen.getByRole('button', { name: 'Atualizar' }).click();
  await expect.element(screen.getByText('Erro ao atualizar estatísticas da carteira.')).toBeVisible();
  await expect.element(screen.getByText('R$ 1.284.906,53')).toBeVisible();
});
