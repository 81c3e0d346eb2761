import { getWithdrawal, listWithdrawals, type WithdrawalDetail } from '@jangada/contract';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { liveStore } from '../../api/live-state.ts';
import { POLL_MS } from '../../api/queries.ts';
import { renderScreen, spyClipboard } from '../../testing/render-screen.tsx';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { withdrawal, withdrawalsOf } from '../../testing/withdrawal-samples.ts';
import { FIRST_POLL_MS } from './use-withdrawals.ts';
import { WithdrawalHistoryPage } from './withdrawal-history-page.tsx';

const FAILURE = 'Erro ao buscar saques.';
let gateway: StubbedGateway;

const inStatus = (status: WithdrawalDetail['status'], change: Partial<WithdrawalDetail> = {}) => ({
  ...withdrawal,
  id: `00000000-2f60-4a53-9d0e-${status.padEnd(12, '0').slice(0, 12)}`,
  status,
  completed_at: null,
  ...change,
});
const failed = inStatus('failed', {
  error: 'O banco recusou a chave: conta encerrada.',
  pix_key: '12345678909',
  pix_key_type: 'cpf',
});
const processing = inStatus('processing', { pix_key: '+5581999998888', pix_key_type: 'phone' });

beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(listWithdrawals, withdrawalsOf([processing, failed, withdrawal], 31));
  gateway.answer(getWithdrawal, withdrawal);
  liveStore.setState({ state: 'open' });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const openHistory = (url = '/withdrawal-history', approved = true) =>
  renderScreen(url, WithdrawalHistoryPage, { approved });

test('each withdrawal is shown with its date, amount, key, key type and status', async () => {
  const { screen } = await openHistory();
  const table = screen.getByRole('table', { name: 'Saques' });
  const row = table.getByRole('row').nth(3);
  for (const text of ['21/11/2026 14:32', 'R$ 2.500,00', withdrawal.pix_key, 'E-mail', 'Concluído'])
    await expect.element(row.getByText(text, { exact: true })).toBeVisible();
  await expect.element(table.getByText('(81) 99999-8888')).toBeVisible();
  await expect.element(table.getByText('Telefone')).toBeVisible();
  await expect.element(table.getByText('123.456.789-09')).toBeVisible();
  await expect.element(table.getByText('Processando')).toBeVisible();
  await expect.element(table.getByText('Falhou')).toBeVisible();
  expect(gateway.calls(listWithdrawals)[0]?.query.toString()).toBe('page=1&pageSize=10');
});

test('the format of another provider is read too: its status names, its spelling, a key without a type', async () => {
  const foreignWithdrawal = { id: 9, amount_cents: 1_050, pixKey: '?', createdAt: 'amanhã' };
  const foreignList = {
    withdrawals: [
      { ...foreignWithdrawal, status: 'QUEUED' },
      { ...foreignWithdrawal, id: 10, status: 'PAID' },
    ],
    total: 2,
  };
  gateway.answer(listWithdrawals, () => foreignList as never);
  const { screen } = await openHistory();
  await expect.element(screen.getByText('queued')).toBeVisible();
  await expect.element(screen.getByText('Pago', { exact: true })).toBeVisible();
  await expect.element(screen.getByText('Tipo desconhecido').first()).toBeVisible();
  await expect.element(screen.getByText('Data inválida').first()).toBeVisible();
});

test('a status filters the list from its first page, and is kept in the URL', async () => {
  const { screen, currentUrl } = await openHistory('/withdrawal-history?page=2');
  await expect.element(screen.getByText('Página 2 de 4')).toBeVisible();
  await screen.getByText('Falhou', { exact: true }).first().click();
  await expect.poll(currentUrl).toBe('/withdrawal-history?status=failed');
  await expect
    .poll(() => gateway.calls(listWithdrawals).at(-1)?.query.toString())
    .toBe('page=1&pageSize=10&status=failed');
});

test('pages are turned one by one', async () => {
  const { screen, currentUrl } = await openHistory();
  await expect.element(screen.getByText('Página 1 de 4')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Página anterior' })).toBeDisabled();
  await screen.getByRole('button', { name: 'Próxima página' }).click();
  await expect.element(screen.getByText('Página 2 de 4')).toBeVisible();
  expect(currentUrl()).toBe('/withdrawal-history?page=2');
  await screen.getByRole('button', { name: 'Página anterior' }).click();
  await expect.element(screen.getByText('Página 1 de 4')).toBeVisible();
});

test('a page beyond the end opens the last one', async () => {
  gateway.answer(listWithdrawals, ({ query }) =>
    withdrawalsOf(query.get('page') === '2' ? [withdrawal] : [], 11),
  );
  const { currentUrl } = await openHistory('/withdrawal-history?page=7');
  await expect.poll(currentUrl).toBe('/withdrawal-history?page=2');
});

test('the detail shows the fields of a withdrawal, and Atualizar refetches it', async () => {
  const written = spyClipboard();
  gateway.answer(getWithdrawal, processing);
  const { screen, currentUrl } = await openHistory();
  await screen.getByRole('button', { name: 'Detalhes' }).first().click();
  const dialog = screen.getByRole('dialog', { name: 'Saque' });
  for (const text of [
    processing.id,
    '(81) 99999-8888',
    'Telefone',
    '21/11/2026 14:32',
    '− R$ 1,50',
    'R$ 2.498,50',
  ])
    await expect.element(dialog.getByText(text, { exact: true }).first()).toBeVisible();
  expect(dialog.getByText('Concluído em').elements()).toEqual([]);
  expect(currentUrl()).toContain(processing.id);
  await dialog.getByRole('button', { name: 'Copiar chave PIX' }).click();
  expect(written).toEqual(['+5581999998888']);

  gateway.answer(getWithdrawal, {
    ...processing,
    status: 'completed',
    completed_at: withdrawal.completed_at,
  });
  await dialog.getByRole('button', { name: 'Atualizar' }).click();
  await expect.element(dialog.getByText('Concluído em')).toBeVisible();
  await expect.element(dialog.getByText('Concluído', { exact: true }).first()).toBeVisible();
  await dialog.getByRole('button', { name: 'Fechar' }).last().click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(currentUrl()).toBe('/withdrawal-history');
});

test('the reason of a failed withdrawal is shown in a notice', async () => {
  gateway.answer(getWithdrawal, failed);
  const { screen } = await openHistory(`/withdrawal-history?id=${failed.id}`);
  const dialog = screen.getByRole('dialog');
  await expect
    .element(dialog.getByRole('alert'))
    .toHaveTextContent('O banco recusou a chave: conta encerrada.');
});

test('a returned withdrawal shows the amount back in the balance, and that its fee was not returned', async () => {
  const returned = { ...failed, completed_at: withdrawal.completed_at, returned_cents: 249_850 };
  gateway.answer(getWithdrawal, returned);
  const { screen } = await openHistory(`/withdrawal-history?id=${failed.id}`);
  const dialog = screen.getByRole('dialog');
  await expect.element(dialog.getByText('Concluído em')).toBeVisible();
  await expect.element(dialog.getByText('Devolvido ao saldo')).toBeVisible();
  await expect.element(dialog.getByText('R$ 2.498,50')).toBeVisible();
  await expect.element(dialog.getByText('Tarifa não devolvida')).toBeVisible();
});

test('a withdrawal with an unknown outcome says so', async () => {
  gateway.answer(getWithdrawal, { ...processing, in_doubt: true });
  const { screen } = await openHistory(`/withdrawal-history?id=${processing.id}`);
  await expect.element(screen.getByText(/O banco ainda não confirmou este saque/)).toBeVisible();
});

test('a failed load of the detail keeps the data of the list, and is shown', async () => {
  gateway.fail(getWithdrawal);
  const { screen } = await openHistory(`/withdrawal-history?id=${withdrawal.id}`);
  const dialog = screen.getByRole('dialog');
  await expect.element(dialog.getByText('Erro ao verificar status do saque.')).toBeVisible();
  await expect.element(dialog.getByText('Concluído em')).toBeVisible();
  gateway.answer(getWithdrawal, withdrawal);
  await dialog.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(dialog.getByText('Erro ao verificar status do saque.')).not.toBeInTheDocument();
});

test('a URL with the id of an unknown withdrawal is reported', async () => {
  gateway.refuse(getWithdrawal, 'WITHDRAWAL_NOT_FOUND');
  const { screen } = await openHistory('/withdrawal-history?id=11111111-2f60-4a53-9d0e-5a1b7c3e9f12');
  await expect.element(screen.getByText(/Saque não encontrado\./)).toBeVisible();
});

/** Stops the intervals of the polls until the end of the test, which moves them on. */
function freezePolls() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
}

test('without the live channel a withdrawal in progress is polled until it has ended', async () => {
  freezePolls();
  gateway.answer(listWithdrawals, withdrawalsOf([processing]));
  const { screen } = await openHistory();
  const table = screen.getByRole('table');
  await expect.element(table.getByText('Processando')).toBeVisible();
  gateway.answer(listWithdrawals, withdrawalsOf([{ ...processing, status: 'completed' }]));
  liveStore.setState({ state: 'down' });
  await vi.advanceTimersByTimeAsync(POLL_MS);
  await expect.element(table.getByText('Concluído')).toBeVisible();
  const callCount = gateway.calls(listWithdrawals).length;
  await vi.advanceTimersByTimeAsync(2 * POLL_MS);
  expect(gateway.calls(listWithdrawals)).toHaveLength(callCount);
});

test('the end of a withdrawal before the live channel was open is found by polling', async () => {
  freezePolls();
  gateway.answer(listWithdrawals, withdrawalsOf([processing]));
  gateway.answer(getWithdrawal, processing);
  const { screen } = await openHistory(`/withdrawal-history?id=${processing.id}`);
  const dialog = screen.getByRole('dialog');
  await expect.element(dialog.getByText('Processando')).toBeVisible();
  gateway.answer(getWithdrawal, { ...processing, status: 'completed' });
  await vi.advanceTimersByTimeAsync(FIRST_POLL_MS);
  await expect.element(dialog.getByText('Concluído')).toBeVisible();
});

test('the empty history links to the first withdrawal, except for an account that may not withdraw', async () => {
  gateway.answer(listWithdrawals, withdrawalsOf([]));
  const first = await openHistory();
  await expect.element(first.screen.getByText('Nenhum saque encontrado')).toBeVisible();
  await expect
    .element(first.screen.getByRole('link', { name: 'Solicitar Saque' }))
    .toHaveAttribute('href', '/withdrawals');
  await first.screen.unmount();
  const { screen } = await openHistory('/withdrawal-history', false);
  await expect.element(screen.getByText('Nenhum saque encontrado')).toBeVisible();
  expect(screen.getByRole('link').elements()).toEqual([]);
});

test('an empty result of a status filter offers to clear the filter', async () => {
  gateway.answer(listWithdrawals, ({ query }) => withdrawalsOf(query.has('status') ? [] : [withdrawal]));
  const { screen, currentUrl } = await openHistory('/withdrawal-history?status=pending');
  await expect.element(screen.getByText('Nenhum saque encontrado')).toBeVisible();
  await screen.getByRole('button', { name: 'Limpar filtro' }).click();
  await expect.element(screen.getByText('Página 1 de 1')).toBeVisible();
  expect(currentUrl()).toBe('/withdrawal-history');
});

test('a failed load of the list says whether the server responded, and can be retried', async () => {
  gateway.fail(listWithdrawals);
  const { screen } = await openHistory();
  await expect.element(screen.getByText(FAILURE)).toBeVisible();
  await expect.element(screen.getByText(/O servidor respondeu com um erro\./)).toBeVisible();
  gateway.disconnect(listWithdrawals);
  await screen.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(screen.getByText(/O servidor não respondeu\./)).toBeVisible();
  gateway.answer(listWithdrawals, withdrawalsOf([withdrawal]));
  await screen.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(screen.getByRole('table').getByText('Concluído')).toBeVisible();
});

test('a refresh refetches the list, and a failed one keeps the data and shows an error', async () => {
  const { screen } = await openHistory();
  await expect.element(screen.getByText('Página 1 de 4')).toBeVisible();
  gateway.answer(listWithdrawals, withdrawalsOf([withdrawal]));
  await screen.getByRole('button', { name: 'Atualizar' }).click();
  await expect.element(screen.getByText('Página 1 de 1')).toBeVisible();
  gateway.fail(listWithdrawals);
  await screen.getByRole('button', { name: 'Atualizar' }).click();
  await expect.element(screen.getByText(FAILURE)).toBeVisible();
  await expect.element(screen.getByText('Página 1 de 1')).toBeVisible();
});

test('on a phone the list is one panel, and the filter a select', async () => {
  await page.viewport(390, 844);
  const { screen, currentUrl } = await openHistory();
  const list = screen.getByRole('list', { name: 'Saques' });
  await expect.element(list.getByText('R$ 2.500,00').first()).toBeVisible();
  await expect.element(list.getByText(/Telefone · \(81\) 99999-8888/)).toBeVisible();
  await screen.getByLabelText('Status').selectOptions('completed');
  await expect.poll(currentUrl).toBe('/withdrawal-history?status=completed');
});

test('who asked for a withdrawal is named in its detail, and in the list when it was somebody else', async () => {
  const gone = { id: '31', name: 'Rafael Monteiro', member: false };
  const own = { ...withdrawal, made_by: { id: 'u1', name: 'Marina Albuquerque', member: true } };
  gateway.answer(
    listWithdrawals,
    withdrawalsOf([{ ...failed, made_by: gone }, own, inStatus('pending', { made_by: null })]),
  );
  gateway.answer(getWithdrawal, { ...failed, made_by: gone });
  const { screen } = await openHistory();
  await expect.element(screen.getByText('CPF · por Rafael Monteiro')).toBeVisible();
  expect(screen.getByText(/por Marina/).elements()).toEqual([]);
  await screen.getByRole('button', { name: 'Detalhes' }).first().click();
  await expect
    .element(screen.getByRole('dialog'))
    .toMatchTextContent(/Pedido por\s*Rafael Monteiro \(não é mais membro\)/);
});

test('a withdrawal that nobody asked for in the dashboard names nobody', async () => {
  gateway.answer(getWithdrawal, { ...withdrawal, made_by: null });
  const { screen } = await openHistory(`/withdrawal-history?id=${withdrawal.id}`);
  await expect.element(screen.getByRole('dialog').getByText('Criado em')).toBeVisible();
  expect(screen.getByText('Pedido por').elements()).toEqual([]);
});
