import {
  apiKeyStatus,
  checkWithdrawalPin,
  getChargeStats,
  getDailyStats,
  getKyc,
  getWalletStats,
  listDisputes,
  profile,
  publicSettings,
  setWithdrawalPin,
  transactionFeed,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { profileQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { dayOf, formatWeekday, shiftDay } from '../../format/date.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import {
  apiKey,
  disputesOf,
  feedOf,
  kycNone,
  openDispute,
  settings,
  transaction,
  user,
  userWithParts,
  walletOf,
} from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { pinSet } from '../../testing/withdrawal-samples.ts';
import { DashboardPage } from './dashboard-page.tsx';

let gateway: StubbedGateway;
const today = dayOf(new Date());

beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(profile, { user });
  gateway.answer(apiKeyStatus, apiKey);
  gateway.answer(publicSettings, settings);
  gateway.answer(checkWithdrawalPin, pinSet);
  gateway.answer(getWalletStats, walletOf({ available: 10, earned: 10, gross: 48_312.9, deposits: 1284 }));
  const feed = feedOf([transaction], 1405);
  gateway.answer(transactionFeed, {
    ...feed,
    counts: { all: 1405, paid: 1284, pending: 17, expired: 90, refunded: 10, error: 4 },
  });
  gateway.answer(getDailyStats, ({ query }) => {
    const count = Number(query.get('days'));
    const days = Array.from({ length: count }, (_, index) => ({
      day: shiftDay(today, index + 1 - count),
      received: index === count - 1 ? 1672.1 : 100 + index,
      count: index === count - 1 ? 14 : 2,
      balance: 0,
    }));
    return { days };
  });
  gateway.answer(getChargeStats, {
    statuses: [
      { status: 'pending', count: 2, amount: 150 },
      { status: 'paid', count: 292, amount: 49_302.6 },
      { status: 'expired', count: 22, amount: 2100.05 },
      { status: 'refunded', count: 1, amount: 89.9 },
      { status: 'error', count: 0, amount: 0 },
    ],
    complete: true,
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const openDashboard = (approved = true) =>
  renderScreen('/dashboard', () => <DashboardPage apiKeyCard={<p>Chave</p>} />, { approved });

test('the overview greets by first name and says what came in today', async () => {
  const { screen } = await openDashboard();
  await expect.element(screen.getByRole('heading', { name: 'Olá, Marina' })).toBeVisible();
  await expect
    .element(screen.getByText(/^Hoje, .* entraram R\$\s1\.672,10 em 14 pagamentos\.$/))
    .toBeVisible();
});

test('the four figures are shown with their shares', async () => {
  const { screen } = await openDashboard();
  await expect.element(screen.getByText('R$ 48.312,90')).toBeVisible();
  await expect.element(screen.getByText('média de R$ 37,63 por pagamento', { exact: false })).toBeVisible();
  for (const text of ['1.284', '91,4%', '17', '1,2%', '104', '7,4%'])
    await expect.element(screen.getByText(text, { exact: true })).toBeVisible();
});

test('a balance that has two parts is shown with both, because a phone’s top bar has no room for them', async () => {
  const { screen } = await openDashboard();
  expect(screen.getByText(/No seu banco/).elements()).toEqual([]);
  gateway.answer(profile, { user: userWithParts });
  await queryClient.fetchQuery(profileQuery);
  await expect.element(screen.getByText(/No operador R\$\s4\.103,61 · No seu banco R\$\s5,00/)).toBeVisible();
});

test('the average includes refunded payments, as the revenue does', async () => {
  gateway.answer(getWalletStats, walletOf({ available: 10, earned: 10, gross: 100, deposits: 4 }));
  gateway.answer(transactionFeed, {
    ...feedOf([transaction], 4),
    counts: { all: 4, paid: 1, pending: 0, expired: 0, refunded: 3, error: 0 },
  });
  const { screen } = await openDashboard();
  await expect.element(screen.getByText('média de R$ 25,00 por pagamento', { exact: false })).toBeVisible();
});

test('the chart can be read by arrow keys, and as a table', async () => {
  const { screen } = await openDashboard();
  const chart = screen.getByRole('slider', { name: 'Recebido por dia' });
  await expect.element(chart).toBeVisible();
  chart.element().focus();
  await userEvent.keyboard('{ArrowLeft}');
  const yesterday = formatWeekday(shiftDay(today, -1));
  await expect
    .element(chart)
    .toHaveAttribute('aria-valuetext', `${yesterday}, R$\u00a0128,00 em 2 pagamentos`);
  await expect
    .element(screen.getByText(new RegExp(`^${yesterday} · R\\$\\s128,00 em 2 pagamentos$`)))
    .toBeVisible();
  await userEvent.keyboard('{Home}');
  await expect.element(chart).toHaveAttribute('aria-valuenow', '1');
  expect(screen.getByRole('table', { name: 'Recebido por dia' }).getByRole('row').elements()).toHaveLength(
    31,
  );
});

test('choosing another span updates the chart', async () => {
  const { screen } = await openDashboard();
  await screen.getByText('7 dias').click();
  await expect.element(screen.getByRole('slider')).toHaveAttribute('aria-valuemax', '7');
});

test('charges by status are a table for the chosen days', async () => {
  const { screen } = await openDashboard();
  await expect.element(screen.getByText('317 cobranças em 30 dias: 92,1% foram pagas.')).toBeVisible();
  const table = screen.getByRole('table', { name: 'Cobranças por situação' });
  for (const name of [
    'Pagas 95,5% R$ 49.302,60 292',
    'Pendentes 0,3% R$ 150,00 2',
    'Expiradas 4,1% R$ 2.100,05 22',
    'Estornadas 0,2% R$ 89,90 1',
    'Com erro 0,0% R$ 0,00 0',
  ])
    await expect.element(table.getByRole('row', { name, exact: true })).toBeVisible();
  gateway.answer(getChargeStats, { statuses: [], complete: true });
  await screen.getByText('7 dias').click();
  await expect.element(screen.getByText('Nenhuma cobrança nos últimos 7 dias.')).toBeVisible();
  expect(gateway.calls(getChargeStats).map(({ query }) => query.get('days'))).toEqual(['30', '7']);
});

test('when there are more charges than are counted, the table says which ones it covers', async () => {
  gateway.answer(getChargeStats, {
    statuses: [{ status: 'paid', count: 10_000, amount: 12_345_678.9 }],
    complete: false,
  });
  const { screen } = await openDashboard();
  await expect
    .element(screen.getByText('As 10.000 mais novas dos últimos 30 dias: 100,0% foram pagas.'))
    .toBeVisible();
});

test('a provider without charge statistics keeps the other chart', async () => {
  gateway.refuse(getChargeStats, 'NOT_FOUND');
  const { screen } = await openDashboard();
  await expect.element(screen.getByRole('slider', { name: 'Recebido por dia' })).toBeVisible();
  await expect.element(screen.getByText('Cobranças por situação')).not.toBeInTheDocument();
});

test('a new account sees what is missing before its first Pix, and no button that would be refused', async () => {
  gateway.answer(getWalletStats, walletOf({ available: 0, earned: 0, gross: 0, deposits: 0 }));
  gateway.answer(transactionFeed, feedOf([]));
  gateway.answer(apiKeyStatus, { hasKey: false, active: false, key: null, masked: null });
  const { screen } = await openDashboard(false);
  await expect.element(screen.getByText('Faltam três passos para o primeiro Pix.')).toBeVisible();
  await expect.element(screen.getByText('Nenhum pagamento ainda')).toBeVisible();
  await expect.element(screen.getByText('Primeiros passos')).toBeVisible();
  await expect.element(screen.getByText('Três fotos, em Verificar Agora.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Criar Pagamento' }).elements()).toEqual([]);
});

test('a provider without daily statistics keeps the figures and leaves the chart out', async () => {
  gateway.refuse(getDailyStats, 'NOT_FOUND');
  const { screen } = await openDashboard();
  await expect.element(screen.getByText('R$ 48.312,90')).toBeVisible();
  await expect.element(screen.getByText('Recebido por dia')).not.toBeInTheDocument();
});

test('figures that fail to load say so and can be retried, while the list that loaded is shown', async () => {
  gateway.fail(getWalletStats);
  const { screen } = await openDashboard();
  await expect.element(screen.getByText('Erro ao buscar estatísticas da carteira.')).toBeVisible();
  await expect.element(screen.getByRole('table', { name: 'Transações recentes' })).toBeVisible();
  gateway.answer(getWalletStats, walletOf({ available: 10, earned: 10, gross: 48_312.9, deposits: 1284 }));
  await screen.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(screen.getByText('R$ 48.312,90')).toBeVisible();
});

test('a refresh that fails keeps the data and says so', async () => {
  const { screen } = await openDashboard();
  await expect.element(screen.getByText('R$ 48.312,90')).toBeVisible();
  gateway.fail(getWalletStats);
  await screen.getByRole('button', { name: 'Atualizar' }).click();
  await expect.element(screen.getByText('Erro ao atualizar estatísticas da carteira.')).toBeVisible();
  await expect.element(screen.getByText('R$ 48.312,90')).toBeVisible();
});

const noPin = { ...pinSet, has_pin: false };
const PIN_UNKNOWN = 'Erro ao verificar status do PIN. Tente atualizar a página.';

test('an approved account without a PIN is asked for one, and sets it on the page', async () => {
  gateway.answer(checkWithdrawalPin, noPin);
  gateway.answer(setWithdrawalPin, { ...pinSet, success: true, message: 'PIN definido.' });
  const { screen } = await openDashboard();
  await expect.element(screen.getByText('Defina seu PIN de saque.')).toBeVisible();
  await screen.getByRole('button', { name: 'Definir PIN' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Definir PIN de saque' });
  const define = dialog.getByRole('button', { name: 'Definir PIN' });
  await expect.element(dialog.getByLabelText('Senha atual')).toHaveFocus();
  await define.click();
  await expect.element(dialog.getByText('Senha atual é obrigatória')).toBeVisible();
  await expect.element(dialog.getByText('PIN deve ter exatamente 4 dígitos numéricos.')).toBeVisible();

  await dialog.getByLabelText('Senha atual').fill('lojista-demo');
  await dialog.getByLabelText('Novo PIN', { exact: true }).fill('48a29');
  await dialog.getByLabelText('Confirmar PIN', { exact: true }).fill('4820');
  await expect.element(dialog.getByLabelText('Novo PIN', { exact: true })).toHaveValue('4829');
  await define.click();
  await expect.element(dialog.getByText('Os PINs não coincidem.')).toBeVisible();
  expect(gateway.calls(setWithdrawalPin)).toEqual([]);

  await dialog.getByLabelText('Confirmar PIN', { exact: true }).fill('4829');
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByText('PIN de saque definido')).toBeVisible();
  await expect.element(screen.getByText('Defina seu PIN de saque.')).not.toBeInTheDocument();
  expect(gateway.calls(setWithdrawalPin)[0]?.body).toEqual({
    current_password: 'lojista-demo',
    new_pin: '4829',
    confirm_pin: '4829',
  });
});

test('the notices of a dispute and of a missing PIN are joined in one box, the dispute first', async () => {
  gateway.answer(checkWithdrawalPin, noPin);
  const deadline = new Date(Date.now() + 49 * 3_600_000).toISOString();
  gateway.answer(listDisputes, disputesOf([{ ...openDispute, deadline }]));
  for (const width of [390, 1440]) {
    await page.viewport(width, 900);
    const { screen } = await openDashboard();
    const noticeOf = (text: string) => screen.getByText(text).element().closest('.alert');
    await expect.element(screen.getByText('Uma disputa espera a sua defesa.')).toBeVisible();
    await expect.element(screen.getByText('Defina seu PIN de saque.')).toBeVisible();
    const dispute = noticeOf('Uma disputa espera a sua defesa.')?.getBoundingClientRect();
    const pin = noticeOf('Defina seu PIN de saque.')?.getBoundingClientRect();
    expect(pin?.top).toBe(dispute?.bottom);
    await expect.element(screen.getByRole('link', { name: 'Defender' })).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Definir PIN' })).toBeVisible();
    await screen.unmount();
  }
});

test('a refresh fetches the disputes too', async () => {
  gateway.answer(listDisputes, disputesOf([]));
  const { screen } = await openDashboard();
  await expect.element(screen.getByText('R$ 48.312,90')).toBeVisible();
  const deadline = new Date(Date.now() + 49 * 3_600_000).toISOString();
  gateway.answer(listDisputes, disputesOf([{ ...openDispute, deadline }]));
  await screen.getByRole('button', { name: 'Atualizar' }).click();
  await expect.element(screen.getByText('Uma disputa espera a sua defesa.')).toBeVisible();
});

test.each([
  ['none', 'Três fotos, em Verificar Agora.'],
  ['pending', 'Documentos em análise.'],
  ['rejected', 'Documentos não aceitos. Envie de novo.'],
  ['approved', 'Identidade verificada. Falta liberar a conta.'],
] as const)('the first steps describe documents that are %s', async (status, sentence) => {
  gateway.answer(getWalletStats, walletOf({ available: 0, earned: 0, gross: 0, deposits: 0 }));
  gateway.answer(transactionFeed, feedOf([]));
  gateway.answer(getKyc, { ...kycNone, status });
  const { screen } = await openDashboard(false);
  await expect.element(screen.getByText(sentence)).toBeVisible();
});

test('the server’s refusal of a new PIN is shown at its field, and without a response the outcome is said to be unknown', async () => {
  gateway.answer(checkWithdrawalPin, noPin);
  const { screen } = await openDashboard();
  await screen.getByRole('button', { name: 'Definir PIN' }).click();
  const dialog = screen.getByRole('dialog');
  await dialog.getByLabelText('Senha atual').fill('errada');
  await dialog.getByLabelText('Novo PIN', { exact: true }).fill('1234');
  await dialog.getByLabelText('Confirmar PIN', { exact: true }).fill('1234');
  const submitPin = () => dialog.getByRole('button', { name: 'Definir PIN' }).click();

  gateway.refuse(setWithdrawalPin, 'PASSWORD_WRONG');
  await submitPin();
  await expect.element(dialog.getByText('Senha incorreta.')).toBeVisible();
  await expect.element(dialog.getByLabelText('Senha atual')).toHaveAttribute('aria-invalid', 'true');
  gateway.refuse(setWithdrawalPin, 'PIN_TOO_SIMPLE');
  await submitPin();
  await expect
    .element(dialog.getByText('Escolha um PIN menos óbvio: sem dígitos repetidos ou em sequência.'))
    .toBeVisible();
  // Without a response it is unknown whether the PIN was set and whether the password was right.
  for (const failureKind of ['fail', 'disconnect'] as const) {
    gateway[failureKind](setWithdrawalPin);
    await submitPin();
    await expect
      .element(dialog.getByRole('alert'))
      .toHaveTextContent(
        'Não sabemos se o PIN foi definido. Tente de novo com o mesmo PIN: se ele já vale, nada muda.',
      );
  }
  gateway.answer(checkWithdrawalPin, pinSet);
  await dialog.getByRole('button', { name: 'Cancelar' }).click();
  await expect.element(screen.getByText('Defina seu PIN de saque.')).not.toBeInTheDocument();
});

test('a PIN that could not be checked is reported, and a refresh checks it again', async () => {
  gateway.fail(checkWithdrawalPin);
  const { screen } = await openDashboard();
  await expect.element(screen.getByText(PIN_UNKNOWN)).toBeVisible();
  gateway.answer(checkWithdrawalPin, pinSet);
  await screen.getByRole('button', { name: 'Atualizar' }).click();
  await expect.element(screen.getByText(PIN_UNKNOWN)).not.toBeInTheDocument();
  await expect.element(screen.getByText('R$ 48.312,90')).toBeVisible();
});

test('the figures wait for the PIN’s status, so that its notice shifts nothing', async () => {
  gateway.stall(checkWithdrawalPin);
  const { screen } = await openDashboard();
  await expect.element(screen.getByText(/^Hoje, /)).toBeVisible();
  expect(screen.getByText('R$ 48.312,90').elements()).toEqual([]);
});

test('an account that is not approved, or cannot withdraw, is not asked for a PIN', async () => {
  gateway.answer(checkWithdrawalPin, noPin);
  const first = await openDashboard(false);
  await expect.element(first.screen.getByText('R$ 48.312,90')).toBeVisible();
  expect(first.screen.getByText('Defina seu PIN de saque.').elements()).toEqual([]);
  await first.screen.unmount();
  gateway.answer(publicSettings, { ...settings, withdrawals: false });
  const { screen } = await openDashboard();
  await expect.element(screen.getByText('R$ 48.312,90')).toBeVisible();
  await expect.element(screen.getByText('Defina seu PIN de saque.')).not.toBeInTheDocument();
});

test('the five newest transactions are shown with short id, status, amount and date', async () => {
  const { screen } = await openDashboard();
  const recent = screen.getByRole('table', { name: 'Transações recentes' });
  await expect.element(recent.getByText('5e92fa10', { exact: true })).toBeVisible();
  for (const text of ['Pago', 'R$ 412,90', '21/11/2026 13:57'])
    await expect.element(recent.getByText(text, { exact: true })).toBeVisible();
  expect(gateway.calls(transactionFeed)[0]?.query.get('limit')).toBe('5');
});
