import {
  exportStatement,
  getStatement,
  ownBank,
  type Statement,
  type StatementLine,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { refetchMoney } from '../../api/queries.ts';
import { dayOf, shiftDay } from '../../format/date.ts';
import { setBalanceHidden } from '../../session/balance-privacy.ts';
import { paidIntoOwnBank } from '../../testing/connection-samples.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { StatementPage } from './statement-page.tsx';

let gateway: StubbedGateway;
beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
});
afterEach(() => {
  setBalanceHidden(false);
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const today = dayOf(new Date());
const payment: StatementLine = {
  id: 'l1',
  at: '2026-11-21T17:32:00.000Z',
  kind: 'payment',
  description: 'Pagamento recebido',
  amount: 388.37,
  gross: 412.9,
  fee: 4.09,
  reserved: 20.44,
  balance: 888.37,
  subject_id: '5e92fa10-7c41-4d0e-9b3a-61f2d8c07a55',
  subject_type: 'payment',
};
const reserveRelease: StatementLine = {
  ...payment,
  id: 'l2',
  at: '2026-11-20T12:00:00.000Z',
  kind: 'reserve',
  description: 'Reserva liberada',
  amount: 12.4,
  gross: null,
  fee: null,
  reserved: null,
  balance: 500,
  subject_id: null,
  subject_type: null,
};
const withdrawalLine: StatementLine = {
  ...reserveRelease,
  id: 'l3',
  kind: 'withdrawal',
  description: 'Saque solicitado: loja@example.com, tarifa de R$ 1,50',
  amount: -100,
  balance: 487.6,
  subject_id: 'w1',
  subject_type: 'withdrawal',
};

const statementOf = (lines: StatementLine[], change: Partial<Statement> = {}): Statement => ({
  lines,
  from: shiftDay(today, -29),
  to: today,
  opening_balance: 587.6,
  closing_balance: 888.37,
  total_in: 400.77,
  total_out: 100,
  next: null,
  ...change,
});
const openStatement = (url = '/statement') => renderScreen(url, StatementPage);
const lastQuery = () => Object.fromEntries(gateway.calls(getStatement).at(-1)?.query ?? []);

test('a merchant who is paid into own accounts sees their movements first, and the operator’s account beside them', async () => {
  gateway.answer(ownBank, paidIntoOwnBank);
  gateway.answer(getStatement, statementOf([{ ...payment, amount: 412.9, fee: 0, reserved: 0 }]));
  const { screen } = await openStatement();
  await expect.element(screen.getByText(/entrou e saiu das suas contas bancárias/)).toBeVisible();
  await expect.poll(lastQuery).toMatchObject({ account: 'own' });
  await screen.getByText('No operador').click();
  await expect.element(screen.getByText(/entrou e saiu do seu saldo na conta do operador/)).toBeVisible();
  expect(screen.getByText('Disponível').elements()).toEqual([]);
});

test('the operator’s account is no choice for a merchant who never had anything there', async () => {
  gateway.answer(ownBank, paidIntoOwnBank);
  gateway.answer(getStatement, ({ query }) =>
    query.get('account') === 'own' ? statementOf([payment]) : statementOf([], { opening_balance: 0 }),
  );
  const { screen } = await openStatement();
  await expect.element(screen.getByRole('radio', { name: 'No banco' })).toBeInTheDocument();
  await expect
    .poll(() => gateway.calls(getStatement).map(({ query }) => query.get('account')))
    .toContain('available');
  expect(screen.getByRole('radio', { name: 'No operador' }).elements()).toEqual([]);
});

test('other merchants have no statement of own accounts', async () => {
  gateway.answer(ownBank, { ...paidIntoOwnBank, is_paid_into_own: false, has_own_accounts: false });
  gateway.answer(getStatement, statementOf([payment]));
  const { screen } = await openStatement();
  await expect.element(screen.getByRole('row', { name: /Pagamento recebido/ })).toBeVisible();
  await expect.poll(() => gateway.calls(ownBank).length).toBeGreaterThan(0);
  expect(screen.getByRole('radio', { name: 'No banco' }).elements()).toEqual([]);
});

test('every movement is shown with its sign, its composition and the balance after it', async () => {
  gateway.answer(getStatement, statementOf([payment, reserveRelease, withdrawalLine]));
  const { screen } = await openStatement();
  await expect
    .element(
      screen.getByRole('row', {
        name: /21\/11\/2026 14:32 Pagamento recebido R\$ 412,90 − R\$ 4,09 de tarifa − R\$ 20,44 de reserva \+ R\$ 388,37 R\$ 888,37/,
      }),
    )
    .toBeVisible();
  // The detail after the colon of a description is on a line of its own.
  await expect
    .element(
      screen.getByRole('row', {
        name: /Saque solicitado ?loja@example\.com, tarifa de R\$ 1,50 − R\$ 100,00 R\$ 487,60/,
      }),
    )
    .toBeVisible();
  for (const figure of ['R$ 587,60', '+ R$ 400,77'])
    await expect.element(screen.getByText(figure, { exact: true })).toBeVisible();
  expect(lastQuery()).toEqual({ limit: '50' });
});

test('balance, kind and period are kept in the URL, and choosing another balance resets the kind', async () => {
  gateway.answer(getStatement, statementOf([payment]));
  const { screen, currentUrl } = await openStatement('/statement?kind=payment');
  await expect.poll(lastQuery).toEqual({ kind: 'payment', limit: '50' });
  await screen.getByText('Reservado').click();
  await expect.poll(currentUrl).toBe('/statement?account=reserved');
  await screen.getByLabelText('Tipo de movimento').selectOptions('Reserva');
  await expect.poll(currentUrl).toBe('/statement?account=reserved&kind=reserve');
  await screen.getByRole('button', { name: 'Período: Últimos 30 dias' }).click();
  await screen.getByRole('button', { name: '90 dias' }).click();
  await expect.poll(lastQuery).toEqual({
    account: 'reserved',
    kind: 'reserve',
    from: shiftDay(today, -89),
    to: today,
    limit: '50',
  });
});

test('the figures of one balance are never shown under the name of another', async () => {
  gateway.answer(getStatement, statementOf([payment]));
  const { screen } = await openStatement();
  await expect.element(screen.getByText('+ R$ 400,77', { exact: true })).toBeVisible();
  gateway.stall(getStatement);
  await screen.getByText('Reservado').click();
  await expect.element(screen.getByText('+ R$ 400,77', { exact: true })).not.toBeInTheDocument();
});

test('a period of more than a year is refused before it is requested', async () => {
  gateway.answer(getStatement, statementOf([payment]));
  const { screen, currentUrl } = await openStatement();
  await screen.getByRole('button', { name: 'Período: Últimos 30 dias' }).click();
  await screen.getByLabelText('De', { exact: true }).fill(shiftDay(today, -366));
  await screen.getByRole('button', { name: 'Aplicar' }).click();
  await expect.element(screen.getByText('O período vai até um ano.')).toBeVisible();
  await screen.getByLabelText('De', { exact: true }).fill(shiftDay(today, -365));
  await screen.getByRole('button', { name: 'Aplicar' }).click();
  await expect.poll(currentUrl).toBe(`/statement?from=${shiftDay(today, -365)}`);
});

test('a line opens its payment or withdrawal, and a line without one opens nothing', async () => {
  gateway.answer(getStatement, statementOf([payment, reserveRelease, withdrawalLine]));
  const { screen, currentUrl } = await openStatement();
  await expect.element(screen.getByRole('button', { name: 'Ver' }).first()).toBeVisible();
  expect(screen.getByRole('button', { name: 'Ver' }).elements()).toHaveLength(2);
  await screen.getByRole('button', { name: 'Ver' }).nth(1).click();
  await expect.poll(currentUrl).toBe('/withdrawal-history?id=w1');
});

test('movements of one kind show no balance, and the figures say that they include every kind', async () => {
  gateway.answer(getStatement, statementOf([{ ...payment, balance: null }]));
  const { screen } = await openStatement('/statement?kind=payment');
  await expect.element(screen.getByRole('row', { name: /Pagamento recebido/ })).toBeVisible();
  expect(screen.getByText('do período, todos os tipos').elements()).toHaveLength(2);
  await expect.element(screen.getByRole('columnheader', { name: 'Saldo' })).not.toBeInTheDocument();
});

test('more lines are loaded when asked for, and new movements then show a notice instead of a refetch', async () => {
  const stubTwoPages = () =>
    gateway.answer(getStatement, ({ query }) =>
      query.has('before') ? statementOf([withdrawalLine]) : statementOf([payment], { next: 'c1' }),
    );
  stubTwoPages();
  const { screen } = await openStatement();
  await screen.getByRole('button', { name: 'Carregar mais' }).click();
  await expect.element(screen.getByRole('row', { name: /Saque/ })).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Carregar mais' })).not.toBeInTheDocument();
  expect(gateway.calls(getStatement)).toHaveLength(2);
  await refetchMoney();
  const notice = screen.getByText('Houve movimento na conta desde que o extrato foi aberto.');
  await expect.element(notice).toBeVisible();
  expect(gateway.calls(getStatement)).toHaveLength(2);
  gateway.fail(getStatement);
  await screen.getByRole('button', { name: 'Atualizar' }).click();
  await expect.element(screen.getByText('Erro ao buscar o extrato')).toBeVisible();
  await expect.element(notice).toBeVisible();
  stubTwoPages();
  await screen.getByRole('button', { name: 'Atualizar' }).click();
  await expect.element(notice).not.toBeInTheDocument();
  expect(gateway.calls(getStatement)).toHaveLength(5);
});

test('a statement of one page is refetched by itself when money moves', async () => {
  gateway.answer(getStatement, statementOf([payment]));
  const { screen } = await openStatement();
  await expect.element(screen.getByRole('row', { name: /Pagamento recebido/ })).toBeVisible();
  gateway.answer(getStatement, statementOf([withdrawalLine, payment]));
  await refetchMoney();
  await expect.element(screen.getByRole('row', { name: /Saque/ })).toBeVisible();
});

test('on a phone the lines are grouped by day, with the balance at the end of the day', async () => {
  await page.viewport(390, 844);
  gateway.answer(getStatement, statementOf([payment, reserveRelease, withdrawalLine]));
  const { screen } = await openStatement();
  const day = screen.getByRole('region', { name: /sexta-feira, 20 de novembro/ });
  await expect.element(day.getByText('R$ 500,00').first()).toBeVisible();
  expect(day.getByRole('listitem').elements()).toHaveLength(2);
});

test('hidden balances are hidden in the figures and in the column', async () => {
  gateway.answer(getStatement, statementOf([payment]));
  setBalanceHidden(true);
  const { screen } = await openStatement();
  await expect.element(screen.getByRole('row', { name: /Pagamento recebido/ })).toBeVisible();
  expect(document.querySelector('main')?.textContent).not.toMatch(/888,37|587,60|400,77/);
});

test('the files are requested with the statement’s filter, and named after its period', async () => {
  gateway.answer(getStatement, statementOf([payment], { from: '2026-10-01', to: '2026-10-31' }));
  gateway.answer(exportStatement, 'Data;Valor');
  const saved: { name: string; content: Promise<string> }[] = [];
  let content: Blob | undefined;
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (blob instanceof Blob) content = blob;
    return 'about:blank#file';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, content: content?.text() ?? Promise.resolve('') });
  });
  const { screen, currentUrl } = await openStatement(
    '/statement?account=blocked&from=2026-10-01&to=2026-10-31',
  );
  await expect.element(screen.getByRole('row', { name: /Pagamento recebido/ })).toBeVisible();
  await screen.getByRole('button', { name: 'Exportar CSV' }).click();
  await expect.poll(() => saved).toHaveLength(1);
  expect(saved[0]?.name).toBe('extrato-blocked-2026-10-01-2026-10-31.csv');
  expect(await saved[0]?.content).toContain('Data;Valor');
  expect(Object.fromEntries(gateway.calls(exportStatement)[0]?.query ?? [])).toEqual({
    account: 'blocked',
    from: '2026-10-01',
    to: '2026-10-31',
  });
  // While another period loads, the page still shows the earlier one, but the file must be named after the new one.
  gateway.stall(getStatement);
  await screen.getByRole('button', { name: /^Período/ }).click();
  await screen.getByLabelText('De', { exact: true }).fill('2026-09-01');
  await screen.getByLabelText('Até').fill('2026-09-30');
  await screen.getByRole('button', { name: 'Aplicar' }).click();
  await expect.poll(currentUrl).toBe('/statement?account=blocked&from=2026-09-01&to=2026-09-30');
  await screen.getByRole('button', { name: 'Exportar CSV' }).click();
  await expect.poll(() => saved[1]?.name).toBe('extrato-blocked-2026-09-01-2026-09-30.csv');
});

test('a failed export is reported on the page', async () => {
  gateway.answer(getStatement, statementOf([payment]));
  gateway.refuse(exportStatement, 'EXPORT_TOO_LONG');
  const { screen } = await openStatement();
  await screen.getByRole('button', { name: 'Exportar OFX' }).click();
  await expect
    .element(screen.getByText('O período tem movimentos demais para um arquivo. Escolha um menor.'))
    .toBeVisible();
});

test('an empty period keeps its figures, and offers a longer period or every kind', async () => {
  gateway.answer(getStatement, statementOf([]));
  const { screen, currentUrl } = await openStatement('/statement?kind=refund');
  await screen.getByRole('button', { name: 'Todos os tipos' }).click();
  await expect.poll(currentUrl).toBe('/statement');
  await expect.element(screen.getByText('Nenhum movimento no período')).toBeVisible();
  await expect.element(screen.getByText('R$ 587,60')).toBeVisible();
  await screen.getByRole('button', { name: 'Ver o último ano' }).click();
  await expect.poll(currentUrl).toBe(`/statement?from=${shiftDay(today, -365)}&to=${today}`);
});

test('a failed load of the statement is shown, and can be retried', async () => {
  gateway.refuse(getStatement, 'OVERLOADED');
  const { screen } = await openStatement();
  await expect.element(screen.getByText('Erro ao buscar o extrato')).toBeVisible();
  await expect.element(screen.getByText('req_1')).toBeVisible();
  gateway.answer(getStatement, statementOf([payment]));
  await screen.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(screen.getByRole('row', { name: /Pagamento recebido/ })).toBeVisible();
});
