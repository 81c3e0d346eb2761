import {
  accountTaxes,
  getDailyStats,
  getReserves,
  getWalletStats,
  listDisputes,
  ownBank,
  profile,
  publicSettings,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { queryClient } from '../../api/query.ts';
import { dayOf, shiftDay } from '../../format/date.ts';
import { setBalanceHidden } from '../../session/balance-privacy.ts';
import { paidIntoOwnBank } from '../../testing/connection-samples.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import {
  balanceParts,
  disputesOf,
  openDispute,
  settings,
  taxes,
  user,
  walletOf,
} from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { partColours } from './split-bar.tsx';
import { WalletPage } from './wallet-page.tsx';

let gateway: StubbedGateway;
const fullWallet = walletOf({
  available: 12_480.37,
  earned: 1_284_906.53,
  gross: 1_290_000,
  deposits: 34_003,
});

beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(profile, { user });
  gateway.answer(publicSettings, settings);
  gateway.answer(listDisputes, disputesOf([]));
  gateway.answer(getReserves, { total: 0, releases: [] });
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
  setBalanceHidden(false);
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const openWallet = () => renderScreen('/wallet', WalletPage);

test('the wallet shows what is available, reserved and blocked, and explains it', async () => {
  gateway.answer(getWalletStats, {
    ...fullWallet,
    data: {
      ...fullWallet.data,
      stats: { ...fullWallet.data.stats, reservedAmount: 3052.18, blockedByDisputes: 418 },
    },
  });
  const { screen } = await openWallet();
  for (const text of ['R$ 12.480,37', 'R$ 1.284.906,53', 'R$ 418,00', 'R$ 3.052,18', 'R$ 15.950,55'])
    await expect.element(screen.getByText(text, { exact: true })).toBeVisible();
  await expect.element(screen.getByText('última em 21/11/2026 14:32')).toBeVisible();
  await expect
    .element(screen.getByText('Uma parte de cada Pix, guardada por 30 dias como garantia.'))
    .toBeVisible();
  // A square in the colour of the bar stands before the two parts of the balance that the bar shows.
  const squareOf = (label: string) =>
    [...document.querySelectorAll('p')].find((p) => p.textContent === label)?.querySelector('.bg-current');
  expect(squareOf('Bloqueado por disputas')).toHaveClass(partColours.blocked);
  expect(squareOf('Valor reservado')).toHaveClass(partColours.reserved);
  await expect.element(screen.getByRole('row', { name: 'Depósitos 34.003 (ver no extrato)' })).toBeVisible();
});

test('a balance at the operator and at an own bank is shown whole and in its parts, others without parts', async () => {
  const whole = walletOf({ available: 4108.61, earned: 4108.61, gross: 4200, deposits: 40 });
  gateway.answer(getWalletStats, { ...whole, ...balanceParts });
  const { screen } = await openWallet();
  await expect.element(screen.getByText('R$ 4.108,61', { exact: true }).first()).toBeVisible();
  await expect.element(screen.getByText(/No operador R\$\s4\.103,61 · No seu banco R\$\s5,00/)).toBeVisible();
  await screen.unmount();
  queryClient.clear();
  gateway.answer(getWalletStats, whole);
  const other = await openWallet();
  await expect.element(other.screen.getByText('R$ 4.108,61', { exact: true }).first()).toBeVisible();
  expect(other.screen.getByText(/No seu banco/).elements()).toEqual([]);
});

test('amounts and counts link to their lines of the statement', async () => {
  gateway.answer(getWalletStats, fullWallet);
  const { screen } = await openWallet();
  await expect.element(screen.getByText('R$ 1.284.906,53')).toBeVisible();
  const year = `from=${dayOf(new Date(user.created_at))}&to=${dayOf(new Date())}`;
  const hrefsOf = (name: string) =>
    screen
      .getByRole('link', { name })
      .elements()
      .map((link) => link.getAttribute('href'));
  expect(hrefsOf('R$ 12.480,37 (ver no extrato)')).toEqual(['/statement?account=available']);
  expect(hrefsOf('R$ 1.284.906,53 (ver no extrato)')).toEqual([
    `/statement?account=available&kind=payment&${year}`,
  ]);
  expect(hrefsOf('R$ 0,00 (ver no extrato)')).toEqual([
    `/statement?account=blocked&${year}`,
    `/statement?account=reserved&${year}`,
  ]);
  expect(hrefsOf('34.003 (ver no extrato)')).toEqual([
    `/statement?account=available&${year}`,
    `/statement?account=available&kind=payment&${year}`,
  ]);
  expect(hrefsOf('Ver transações')).toEqual(['/transactions']);
  expect(hrefsOf('Sacar')).toEqual(['/withdrawals']);
});

test('what is in several accounts links to no statement of one of them, and each part to its own', async () => {
  gateway.answer(ownBank, paidIntoOwnBank);
  gateway.answer(getWalletStats, {
    ...walletOf({ available: 4108.61, earned: 1_284_906.53, gross: 1_290_000, deposits: 34_003 }),
    ...balanceParts,
  });
  const { screen } = await openWallet();
  const linkTo = (name: RegExp) => screen.getByRole('link', { name });
  await expect
    .element(linkTo(/^No operador R\$.4\.103,61$/))
    .toHaveAttribute('href', '/statement?account=available');
  await expect.element(linkTo(/^No seu banco R\$.5,00$/)).toHaveAttribute('href', '/statement?account=own');
  expect(linkTo(/^R\$.4\.108,61/).elements()).toEqual([]);
  await expect.element(linkTo(/^R\$.1\.284\.906,53/)).toHaveAttribute('href', '/transactions?status=paid');
  await screen.unmount();
  queryClient.clear();
  gateway.answer(getWalletStats, fullWallet);
  const other = await openWallet();
  await expect
    .element(other.screen.getByRole('link', { name: 'R$ 12.480,37 (ver no extrato)' }))
    .toHaveAttribute('href', '/statement?account=own');
});

test('reserves are listed by their release days', async () => {
  gateway.answer(getWalletStats, fullWallet);
  const releases = Array.from({ length: 7 }, (_, at) => ({
    day: `2026-12-0${at + 1}`,
    amount: 10 + at,
    payments: 2,
  }));
  gateway.answer(getReserves, { total: 91, releases });
  const { screen } = await openWallet();
  await expect.element(screen.getByText('R$ 10,00 em 01/12')).toBeVisible();
  await expect.element(screen.getByRole('row', { name: 'ter 01/12 2 R$ 10,00' })).toBeVisible();
  await expect.element(screen.getByRole('row', { name: /seg 07\/12/ })).not.toBeInTheDocument();
  await screen.getByRole('button', { name: 'Ver todos os dias, até 07/12/2026' }).click();
  await expect.element(screen.getByRole('row', { name: 'seg 07/12 2 R$ 16,00' })).toBeVisible();
});

test('withdrawals in progress are shown, and link to their list', async () => {
  gateway.answer(getWalletStats, {
    ...fullWallet,
    data: {
      stats: { ...fullWallet.data.stats, pendingWithdrawals: 1500 },
      summary: { ...fullWallet.data.summary, pendingWithdrawals: 1 },
    },
  });
  const { screen } = await openWallet();
  await expect.element(screen.getByText(/em 1 saque\./)).toBeVisible();
  const link = screen.getByRole('link', { name: 'R$ 1.500,00 a caminho' });
  await expect.element(link).toHaveAttribute('href', '/withdrawal-history');
});

test('a dispute that awaits a defence comes first, with the time left', async () => {
  gateway.answer(getWalletStats, fullWallet);
  const deadline = new Date(Date.now() + 49 * 3_600_000).toISOString();
  const defended = { ...openDispute, id: 'd2', deadline, defended_at: openDispute.opened_at };
  gateway.answer(listDisputes, disputesOf([defended, { ...openDispute, deadline }]));
  const { screen, currentUrl } = await openWallet();
  await expect.element(screen.getByText('Uma disputa espera a sua defesa.')).toBeVisible();
  await expect
    .element(screen.getByText(/Bloqueado até a decisão: R\$.418,00\. Para responder faltam 2 dias\./))
    .toBeVisible();
  await expect.element(screen.getByText('2 disputas abertas')).toBeVisible();
  await screen.getByRole('link', { name: 'Defender' }).click();
  await expect.poll(currentUrl).toBe(`/disputes?id=${openDispute.id}`);
});

test('the shortfall of disputes is shown beside the balance that will cover it', async () => {
  const indebted = walletOf({ available: 0, earned: 10, gross: 10, deposits: 3 });
  gateway.answer(getWalletStats, { ...indebted, owed_to_disputes: 120.5 });
  const { screen } = await openWallet();
  await expect
    .element(screen.getByText(/Os próximos R\$.120,50 que entrarem cobrem disputas\./))
    .toBeVisible();
});

test('an account in debt does not see the message for a new account', async () => {
  const emptyWallet = walletOf({ available: 0, earned: 0, gross: 0, deposits: 0 });
  gateway.answer(getWalletStats, { ...emptyWallet, owed_to_disputes: 95 });
  const { screen } = await openWallet();
  await expect.element(screen.getByText(/Os próximos R\$.95,00 que entrarem/)).toBeVisible();
  expect(screen.getByText('Ainda não há saldo.').elements()).toEqual([]);
});

test('a dispute’s shortfall is shown beside the blocked amount', async () => {
  gateway.answer(getWalletStats, fullWallet);
  const deadline = new Date(Date.now() + 49 * 3_600_000).toISOString();
  const short = { ...openDispute, deadline, blocked_amount: 5, shortfall_amount: 95 };
  gateway.answer(listDisputes, disputesOf([short]));
  const { screen } = await openWallet();
  await expect
    .element(
      screen.getByText(
        /a decisão: R\$.5,00\. Faltam R\$.95,00, que serão cobertos pelos próximos recebimentos\. Para responder/,
      ),
    )
    .toBeVisible();
});

test('the notice describes the most urgent of several disputes', async () => {
  gateway.answer(getWalletStats, fullWallet);
  const ending = (hours: number) => new Date(Date.now() + hours * 3_600_000 + 1000).toISOString();
  const overdue = { ...openDispute, id: 'd3', deadline: ending(-1) };
  gateway.answer(
    listDisputes,
    disputesOf([
      { ...openDispute, deadline: ending(80) },
      { ...openDispute, id: 'd2', deadline: ending(5) },
      overdue,
    ]),
  );
  const { screen } = await openWallet();
  await expect.element(screen.getByText('2 disputas esperam a sua defesa.')).toBeVisible();
  await expect.element(screen.getByText(/Para responder à primeira faltam 5 horas\./)).toBeVisible();
  await expect
    .element(screen.getByRole('link', { name: 'Ver disputas' }))
    .toHaveAttribute('href', '/disputes?status=open');
});

test('a provider without reserves, disputes and withdrawals shows the specified figures', async () => {
  gateway.answer(getWalletStats, {
    ...fullWallet,
    data: { ...fullWallet.data, stats: { ...fullWallet.data.stats, blockedByDisputes: 7 } },
  });
  gateway.answer(publicSettings, { ...settings, withdrawals: false });
  gateway.fail(getReserves);
  gateway.fail(listDisputes);
  const { screen } = await openWallet();
  await expect.element(screen.getByText('libera em até 30 dias')).toBeVisible();
  await expect.element(screen.getByText('em análise', { exact: true })).toBeVisible();
  await expect.element(screen.getByRole('link', { name: 'Sacar' })).not.toBeInTheDocument();
});

test('hidden balances are hidden in every figure, on the axis and in the table', async () => {
  gateway.answer(getWalletStats, fullWallet);
  setBalanceHidden(true);
  const { screen } = await openWallet();
  const chart = screen.getByRole('slider', { name: 'Saldo por dia' });
  await expect.element(chart).toHaveAttribute('aria-valuetext', expect.stringMatching(/, escondido$/));
  await expect.element(screen.getByText('34.003').first()).toBeVisible();
  expect(document.querySelector('main')?.textContent).not.toMatch(/R\$\s\d|\dmil|\d\smil/);
  setBalanceHidden(false);
  await expect.element(screen.getByText('R$ 1.284.906,53')).toBeVisible();
  await expect.element(screen.getByText(/\d\smil$/).first()).toBeInTheDocument();
});

test('failed and expired payments are counted as one, without alarm', async () => {
  gateway.answer(getWalletStats, fullWallet);
  const { screen } = await openWallet();
  await expect.element(screen.getByRole('row', { name: 'Falhos ou expirados 0' })).toBeVisible();
});

test('figures in the flat format of another provider are read', async () => {
  gateway.answer(getWalletStats, fullWallet);
  vi.stubGlobal('fetch', respondFlat(globalThis.fetch));
  const { screen } = await openWallet();
  await expect.element(screen.getByText('R$ 1.284.906,53')).toBeVisible();
});

/**
 * Wraps a stubbed `fetch` so that it responds like another provider, in the flat format: without the figures
 * that our gateway nests under `data`.
 */
function respondFlat(stubbedFetch: typeof fetch): typeof fetch {
  return async (url, init) => {
    const response = await stubbedFetch(url, init);
    if (!String(url).includes('wallet/stats')) return response;
    const { data: _nestedFigures, ...flat } = await response.json();
    return Response.json(flat);
  };
}

test('an empty wallet keeps its frame', async () => {
  gateway.answer(getWalletStats, walletOf({ available: 0, earned: 0, gross: 0, deposits: 0 }));
  const { screen } = await openWallet();
  await expect.element(screen.getByText('Nenhum saldo ainda')).toBeVisible();
  await expect.element(screen.getByRole('row', { name: 'Depósitos 0 (ver no extrato)' })).toBeVisible();
});

test('a failed load of the figures shows the server’s message and the request’s id', async () => {
  gateway.refuse(getWalletStats, 'OVERLOADED');
  const { screen } = await openWallet();
  await expect.element(screen.getByText('Erro ao buscar estatísticas da carteira.')).toBeVisible();
  await expect.element(screen.getByText('O serviço está ocupado. Tente de novo em instantes.')).toBeVisible();
  await expect.element(screen.getByText('req_1')).toBeVisible();
});

test('a refresh that fails keeps the data and shows an error', async () => {
  gateway.answer(getWalletStats, fullWallet);
  const { screen } = await openWallet();
  await expect.element(screen.getByText('R$ 1.284.906,53')).toBeVisible();
  gateway.fail(getWalletStats);
  await screen.getByRole('button', { name: 'Atualizar' }).click();
  await expect.element(screen.getByText('Erro ao atualizar estatísticas da carteira.')).toBeVisible();
  await expect.element(screen.getByText('R$ 1.284.906,53')).toBeVisible();
});

test('amounts of billions stay within their card on a phone', async () => {
  await page.viewport(390, 844);
  const billions = 12_345_678_901.23;
  gateway.answer(
    getWalletStats,
    walletOf({ available: billions, earned: billions, gross: billions, deposits: 34_003 }),
  );
  const { screen } = await openWallet();
  // The padding that the panel leaves beside its screens.
  const main = screen.getByRole('main').element();
  main.setAttribute('style', 'padding-inline: 16px');
  await expect.element(screen.getByText('R$ 12.345.678.901,23').first()).toBeVisible();
  const overflowing = [...main.querySelectorAll('*')].filter(
    (element) => element.getBoundingClientRect().right > 390 - 16 && !element.matches('.toaster'),
  );
  expect(overflowing.map(({ className, textContent }) => `${className}: ${textContent}`)).toEqual([]);
});
