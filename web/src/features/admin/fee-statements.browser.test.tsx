// The administrators' page of the fee statements of all merchants.

import { adminFeeStatements, adminMarkFeeStatementPaid } from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import {
  adminFeesPageOf,
  ofMerchant,
  openStatement,
  overdueStatement,
  paidStatement,
} from '../../testing/fee-samples.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { AdminFeeStatementsPage } from './fee-statements-page.tsx';

let gateway: StubbedGateway;
beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
});
afterEach(() => vi.unstubAllGlobals());

const open = (url = '/admin/fee-statements', id = 'a1') =>
  renderScreen(url, AdminFeeStatementsPage, { role: 'ADMIN', id });
const all = [openStatement, overdueStatement, paidStatement].map((statement) => ofMerchant(statement));

test('each statement names its merchant, amount and state, and the page says what is open and overdue', async () => {
  gateway.answer(adminFeeStatements, adminFeesPageOf(all));
  const { screen } = await open();
  await expect.element(screen.getByText(/R\$\s1\.597,60 em aberto, 1 fatura vencida\./)).toBeVisible();
  const row = (name: RegExp) => screen.getByRole('row', { name });
  await expect
    .element(row(/Empório Capibaribe.*202611-42.*Novembro de 2026.*1\.287,40.*Em aberto.*10\/12\/2026/))
    .toBeVisible();
  await expect.element(row(/202610-42.*Vencida/)).toBeVisible();
  await expect.element(row(/202609-42.*Paga.*paga em 08\/10\/2026/)).toBeVisible();
  await page.viewport(390, 844);
  const items = screen.getByRole('list', { name: 'Faturas' }).getByRole('listitem');
  await expect.element(items.first()).toMatchTextContent(/Empório Capibaribe.*Em aberto.*Novembro de 2026/);
});

test('filters are kept in the URL and sent, and can be cleared', async () => {
  gateway.answer(adminFeeStatements, adminFeesPageOf([]));
  const { screen, currentUrl } = await open();
  await screen.getByLabelText('Situação').selectOptions('overdue');
  await expect.poll(currentUrl).toBe('/admin/fee-statements?status=overdue');
  await expect.poll(() => gateway.calls(adminFeeStatements).at(-1)?.query.get('overdue')).toBe('1');
  await screen.getByLabelText('Buscar por lojista ou número').fill('empório');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => gateway.calls(adminFeeStatements).at(-1)?.query.get('search')).toBe('empório');
  await screen.getByLabelText('Situação').selectOptions('paid');
  await expect.poll(() => gateway.calls(adminFeeStatements).at(-1)?.query.get('status')).toBe('paid');
  await expect.element(screen.getByText('Nenhuma fatura assim')).toBeVisible();
  await screen.getByRole('button', { name: 'Limpar filtros' }).click();
  await expect.poll(currentUrl).toBe('/admin/fee-statements');
  await expect.element(screen.getByText('Nenhuma fatura ainda')).toBeVisible();
});

test('a statement is marked as paid with a reference, which must say something', async () => {
  gateway.answer(adminFeeStatements, adminFeesPageOf(all));
  const paid = ofMerchant({ ...openStatement, status: 'paid', paid_at: '2026-12-03T12:00:00.000Z' });
  gateway.answer(adminMarkFeeStatementPaid, paid);
  const { screen } = await open();
  await screen.getByRole('row', { name: /202611-42/ }).click();
  await screen.getByRole('button', { name: 'Marcar como paga' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Marcar como paga?' });
  await dialog.getByRole('button', { name: 'Marcar como paga' }).click();
  await expect.element(dialog.getByText(/Diga como foi pago/)).toBeVisible();
  expect(gateway.calls(adminMarkFeeStatementPaid)).toEqual([]);
  await dialog.getByLabelText('Referência do pagamento').fill('TED 4711 de 03/12');
  await dialog.getByRole('button', { name: 'Marcar como paga' }).click();
  await expect.element(screen.getByText('Fatura marcada como paga.')).toBeVisible();
  expect(gateway.calls(adminMarkFeeStatementPaid).map(({ body }) => body)).toEqual([
    { reference: 'TED 4711 de 03/12' },
  ]);
});

test('a statement that was paid meanwhile is not paid again, and the dialog says so', async () => {
  gateway.answer(adminFeeStatements, adminFeesPageOf(all));
  gateway.refuse(adminMarkFeeStatementPaid, 'FEE_STATEMENT_PAID');
  const { screen } = await open();
  await screen.getByRole('row', { name: /202611-42/ }).click();
  await screen.getByRole('button', { name: 'Marcar como paga' }).click();
  const dialog = screen.getByRole('dialog');
  await dialog.getByLabelText('Referência do pagamento').fill('TED 4711 de 03/12');
  await dialog.getByRole('button', { name: 'Marcar como paga' }).click();
  await expect.element(dialog.getByText('Esta fatura de tarifas já está paga.')).toBeVisible();
});

test('a paid statement, and one of the administrator’s own, cannot be marked', async () => {
  gateway.answer(adminFeeStatements, adminFeesPageOf(all));
  const { screen } = await open();
  await screen.getByRole('row', { name: /202609-42/ }).click();
  await expect.element(screen.getByRole('dialog').getByText(/E60701190/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Marcar como paga' }).elements()).toEqual([]);
  await screen.unmount();
  const { screen: own } = await open('/admin/fee-statements', '42');
  await own.getByRole('row', { name: /202611-42/ }).click();
  await expect.element(own.getByRole('dialog')).toBeVisible();
  expect(own.getByRole('button', { name: 'Marcar como paga' }).elements()).toEqual([]);
});

test('a list that fails to load can be asked for again', async () => {
  gateway.fail(adminFeeStatements);
  const { screen } = await open();
  await expect.element(screen.getByText('Erro ao buscar as faturas.')).toBeVisible();
  gateway.answer(adminFeeStatements, adminFeesPageOf(all));
  await screen.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(screen.getByRole('row', { name: /202611-42/ })).toBeVisible();
});
