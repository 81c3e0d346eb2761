import { listDueCharges, listHeldPix, listRefunds, publicSettings, transactionFeed } from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { formatCentsDigits } from '../../format/money.ts';
import { heldPixSample } from '../../testing/batch-samples.ts';
import {
  dayIn,
  dueChargeRow,
  dueChargeRows,
  dueChargesOf,
  overdueTransaction,
  paidLateTransaction,
} from '../../testing/due-samples.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { feedOf, refundsOf, settings } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { DueChargesPage } from './due-charges-page.tsx';

let gateway: StubbedGateway;
beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(publicSettings, settings);
  gateway.answer(listDueCharges, dueChargesOf(dueChargeRows));
  gateway.answer(listHeldPix, { data: [], next: null });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const openList = (url = '/cobrancas') => renderScreen(url, DueChargesPage);
const lastQuery = () => Object.fromEntries(gateway.calls(listDueCharges).at(-1)?.query ?? []);

test('the list opens with what is open, its sums and what is owed today', async () => {
  const { screen } = await openList();
  await expect
    .element(
      screen.getByRole('row', { name: /Mercado São João Ltda .* R\$ 1\.280,00 ?hoje R\$ 1\.310,72 Vencida/ }),
    )
    .toBeVisible();
  expect(lastQuery()).toEqual({ view: 'open' });
  const sums = screen.getByRole('region', { name: 'Somas do período' });
  await expect.element(sums.getByText('R$ 300,00')).toBeVisible();
  await expect.element(sums.getByText('R$ 153,50')).toBeVisible();
  await expect.element(sums.getByText(/pelo valor original, sem multa, juros nem desconto/)).toBeVisible();
});

test('the tabs lead to the batches and to the held Pix, of which it says how many wait', async () => {
  gateway.answer(listHeldPix, { data: [heldPixSample, heldPixSample], next: null });
  const { screen, currentUrl } = await openList();
  await expect
    .element(screen.getByRole('link', { name: 'Cobranças' }))
    .toHaveAttribute('aria-current', 'page');
  const held = screen.getByRole('link', { name: 'Pix retidos (2)' });
  await expect.element(held).not.toHaveAttribute('aria-current');
  await screen.getByRole('link', { name: 'Lotes' }).click();
  await expect.poll(currentUrl).toBe('/cobrancas?tab=batches');
});

test('each state has its word, on a phone too', async () => {
  for (const width of [1440, 390]) {
    await page.viewport(width, 900);
    const { screen } = await openList('/cobrancas?view=all');
    for (const word of ['Vencida', 'Vence hoje', 'A vencer', 'Paga', 'Estornada', 'Cancelada', 'Expirada'])
      await expect.element(screen.getByText(word, { exact: true }).last()).toBeVisible();
    await screen.unmount();
  }
});

test('view, period and search are kept in the URL and asked for', async () => {
  const { screen, currentUrl } = await openList();
  await screen.getByLabelText('Situação').selectOptions('Vencidas');
  await expect.poll(currentUrl).toBe('/cobrancas?view=overdue');
  await expect.poll(lastQuery).toEqual({ view: 'overdue' });
  await screen.getByRole('button', { name: /^Período/ }).click();
  await screen.getByRole('button', { name: 'Próximos 7 dias' }).click();
  const period = { from: dayIn(0), to: dayIn(6) };
  await expect.poll(lastQuery).toEqual({ view: 'overdue', ...period });
  await screen.getByLabelText('Buscar por nome, CPF, CNPJ ou referência').fill('529.982.247-25');
  await userEvent.keyboard('{Enter}');
  await expect.poll(lastQuery).toEqual({ view: 'overdue', ...period, search: '529.982.247-25' });
  await screen.getByLabelText('Situação').selectOptions('Todas');
  await expect.poll(lastQuery).toEqual({ ...period, search: '529.982.247-25' });
});

test('a day after today can be the end of the period, and more than a year cannot', async () => {
  const { screen } = await openList();
  await screen.getByRole('button', { name: /^Período/ }).click();
  await screen.getByLabelText('De', { exact: true }).fill(dayIn(0));
  await screen.getByLabelText('Até').fill(dayIn(400));
  await screen.getByRole('button', { name: 'Aplicar' }).click();
  await expect.element(screen.getByText('O período vai até um ano.')).toBeVisible();
  await screen.getByLabelText('Até').fill(dayIn(300));
  await screen.getByRole('button', { name: 'Aplicar' }).click();
  await expect.poll(lastQuery).toEqual({ view: 'open', from: dayIn(0), to: dayIn(300) });
});

test('the next page is asked for with the cursor, and added to the list', async () => {
  gateway.answer(listDueCharges, ({ query }) =>
    query.get('before') === null
      ? dueChargesOf([dueChargeRow], { next: 'cursor' })
      : dueChargesOf([{ ...dueChargeRow, id: 'other', billed_to: null }]),
  );
  const { screen } = await openList();
  await screen.getByRole('button', { name: 'Carregar mais' }).click();
  await expect.element(screen.getByText('Sem nome')).toBeVisible();
  await expect.element(screen.getByText('Ana Conceição Pereira')).toBeVisible();
  expect(lastQuery()).toEqual({ view: 'open', before: 'cursor' });
  expect(screen.getByRole('button', { name: 'Carregar mais' }).elements()).toEqual([]);
});

test('an empty list says how to begin, and one emptied by a filter offers to clear it', async () => {
  gateway.answer(listDueCharges, dueChargesOf([]));
  const { screen, currentUrl } = await openList();
  await expect.element(screen.getByText('Nada em aberto por aqui')).toBeVisible();
  await screen.getByLabelText('Situação').selectOptions('Pagas');
  await screen.getByRole('button', { name: 'Limpar filtros' }).click();
  await expect.poll(currentUrl).toBe('/cobrancas');
});

test('a failure is told with a retry', async () => {
  gateway.refuse(listDueCharges, 'OVERLOADED');
  const { screen } = await openList();
  await expect.element(screen.getByText('Erro ao buscar as cobranças')).toBeVisible();
  gateway.answer(listDueCharges, dueChargesOf([dueChargeRow]));
  await screen.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(screen.getByText('Ana Conceição Pereira')).toBeVisible();
});

test('a charge without a due date is listed with its creation, and its sums are of these days', async () => {
  gateway.answer(
    listDueCharges,
    dueChargesOf([{ ...dueChargeRow, due_date: null, due_state: null, amount_today: null }]),
  );
  const { screen } = await openList('/cobrancas?view=undated');
  await expect.element(screen.getByRole('row', { name: /Sem data R\$ 150,00 Em aberto/ })).toBeVisible();
  await expect.element(screen.getByText(/^Cobranças criadas de/)).toBeVisible();
  expect(screen.getByText('Vencido').elements()).toEqual([]);
});

test('the detail says the terms, what is owed today and how it is made up', async () => {
  gateway.answer(transactionFeed, feedOf([overdueTransaction]));
  gateway.answer(listRefunds, refundsOf(overdueTransaction));
  const { screen, currentUrl } = await openList();
  await screen.getByRole('button', { name: 'Detalhes' }).first().click();
  const dialog = screen.getByRole('dialog');
  await expect.element(dialog.getByText('Hoje se paga')).toBeVisible();
  for (const text of [
    '11.222.333/0001-81',
    'Pode ser paga até',
    '2%, uma vez, se atrasar',
    '1% ao mês',
    /10,00 até/,
    '+ R$ 25,60',
    '+ R$ 5,12',
    'R$ 1.310,72',
  ])
    await expect.element(dialog.getByText(text)).toBeVisible();
  expect(dialog.getByText(/^Expira/).elements()).toEqual([]);
  await dialog.getByRole('button', { name: 'Fechar' }).last().click();
  await expect.poll(currentUrl).toBe('/cobrancas');
});

test('once it is paid, the detail says what was paid and its parts', async () => {
  gateway.answer(transactionFeed, feedOf([paidLateTransaction]));
  gateway.answer(listRefunds, refundsOf(paidLateTransaction));
  const { screen } = await openList(`/cobrancas?id=${paidLateTransaction.id}`);
  await expect.element(screen.getByText('Foi pago')).toBeVisible();
  await expect.element(screen.getByText('+ R$ 25,60')).toBeVisible();
  expect(screen.getByText(/Hoje se paga|Pode ser paga até/).elements()).toEqual([]);
});

test('what the filter selects is saved as CSV, all of its pages', async () => {
  const saved: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((content) => {
    saved.push(content as Blob);
    return 'blob:';
  });
  gateway.answer(listDueCharges, ({ query }) =>
    query.get('before') === null
      ? dueChargesOf([dueChargeRow], { next: 'second' })
      : dueChargesOf([{ ...dueChargeRow, id: 'last', billed_to: { name: '=1+1\nAna', document: '' } }]),
  );
  const { screen } = await openList('/cobrancas?view=overdue');
  await screen.getByRole('button', { name: 'Exportar CSV' }).click();
  await expect.poll(() => saved.length).toBe(1);
  expect(lastQuery()).toEqual({ view: 'overdue', limit: '100', before: 'second' });
  const [heads, first, ...last] = ((await saved[0]?.text()) ?? '').trim().split('\r\n');
  expect(heads).toMatch(/^Cliente;CPF ou CNPJ;Seu código;Descrição;Vencimento;Situação;Valor;/);
  expect(first).toContain(`;${formatCentsDigits(Math.round(dueChargeRow.amount * 100))};`);
  // A name that a spreadsheet would run is text.
  expect(last.join('\n')).toMatch(/^"'=1\+1\nAna"/);
});
