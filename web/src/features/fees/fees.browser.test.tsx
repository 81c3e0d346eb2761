// The screens of a merchant's fees: the list with the running month, and the page of a statement.

import {
  exportFeeStatement,
  getFeeStatement,
  listFeeStatements,
  ownBank,
  payFeeStatement,
  publicSettings,
} from '@jangada/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { refetchMoney } from '../../api/queries.ts';
import { paidIntoOwnBank } from '../../testing/connection-samples.ts';
import {
  detailOf,
  feePix,
  feesPageOf,
  openStatement,
  overdueStatement,
  paidStatement,
} from '../../testing/fee-samples.ts';
import { renderScreen, spyClipboard } from '../../testing/render-screen.tsx';
import { settings } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { AnnouncementRegion } from '../../ui/index.ts';
import { FeesPage } from './fees-page.tsx';

let gateway: StubbedGateway;
beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(ownBank, paidIntoOwnBank);
  gateway.answer(publicSettings, settings);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const openList = () => renderScreen('/fees', FeesPage);
const openStatementPage = (id = openStatement.id) =>
  renderScreen(`/fees?id=${id}`, () => (
    <>
      <AnnouncementRegion />
      <FeesPage />
    </>
  ));

describe('the list', () => {
  test('shows what is owed, the running month by day, and each statement with its state, at any width', async () => {
    gateway.answer(listFeeStatements, feesPageOf([openStatement, paidStatement]));
    const { screen, currentUrl } = await openList();
    const situation = screen.getByRole('region', { name: 'Situação' });
    await expect.element(situation).toMatchTextContent(/A pagarR\$\s1\.287,40vence em 10\/12\/2026/);
    await expect.element(situation).toMatchTextContent(/Dezembro de 2026, até agoraR\$\s41,9037 tarifas/);
    const row = (name: RegExp) => screen.getByRole('row', { name });
    await expect
      .element(row(/Novembro de 2026.*202611-42.*1\.212.*1\.287,40.*Em aberto.*10\/12\/2026/))
      .toBeVisible();
    await expect.element(row(/Setembro de 2026.*94,05.*Paga.*paga em 08\/10\/2026/)).toBeVisible();
    await expect.element(row(/01\/12\/2026.*30.*33,40/)).toBeVisible();
    await page.viewport(390, 844);
    const items = screen.getByRole('list', { name: 'Faturas' }).getByRole('listitem');
    await expect.element(items.first()).toMatchTextContent(/Novembro de 2026.*Em aberto.*vence 10\/12\/2026/);
    await items.first().getByRole('button').click();
    await expect.poll(currentUrl).toBe(`/fees?id=${openStatement.id}`);
  });

  test('an overdue statement says when charges stop, and that they have, and leads to it', async () => {
    gateway.answer(listFeeStatements, feesPageOf([openStatement, overdueStatement]));
    const { screen, currentUrl } = await openList();
    await expect.element(screen.getByText(/novas cobranças param em 25\/11\/2026/)).toBeVisible();
    gateway.answer(listFeeStatements, feesPageOf([openStatement, overdueStatement], { stops_charges: true }));
    await refetchMoney();
    await expect.element(screen.getByText('Novas cobranças paradas.')).toBeVisible();
    await screen.getByRole('link', { name: 'Pagar' }).click();
    await expect.poll(currentUrl).toBe(`/fees?id=${overdueStatement.id}`);
  });

  test('an empty list says when statements come, or that fees are kept back', async () => {
    gateway.answer(listFeeStatements, feesPageOf([]));
    const { screen } = await openList();
    await expect.element(screen.getByText(/No primeiro dia de cada mês/)).toBeVisible();
    await screen.unmount();
    gateway.answer(ownBank, { ...paidIntoOwnBank, is_paid_into_own: false, has_own_accounts: false });
    const { screen: pooled } = await openList();
    await expect.element(pooled.getByText(/são descontadas na hora/)).toBeVisible();
  });

  test('a list that fails to load can be asked for again', async () => {
    gateway.fail(listFeeStatements);
    const { screen } = await openList();
    await expect.element(screen.getByText('Erro ao buscar as faturas')).toBeVisible();
    gateway.answer(listFeeStatements, feesPageOf([paidStatement]));
    await screen.getByRole('button', { name: 'Tentar Novamente' }).click();
    await expect.element(screen.getByRole('row', { name: /Setembro de 2026/ })).toBeVisible();
  });

  test('further statements are on further pages', async () => {
    gateway.answer(listFeeStatements, feesPageOf([openStatement], { total: 13 }));
    const { screen, currentUrl } = await openList();
    await screen.getByRole('button', { name: 'Página 2' }).click();
    await expect.poll(currentUrl).toBe('/fees?page=2');
    await expect.poll(() => gateway.calls(listFeeStatements).at(-1)?.query.get('page')).toBe('2');
    const [open_amount, oldest_open] = [overdueStatement.amount, overdueStatement];
    gateway.answer(listFeeStatements, feesPageOf([paidStatement], { total: 13, open_amount, oldest_open }));
    const situation = screen.getByRole('region', { name: 'Situação' });
    // A refetch joins a call that is still under way.
    const refetched = async () => refetchMoney().then(() => situation.element().textContent);
    await expect.poll(refetched).toMatch(/A pagar.*venceu em/);
    await expect.element(screen.getByText('Fatura vencida.')).toBeVisible();
  });
});

describe('a statement', () => {
  test('gets a code on demand by keyboard, which is shown, copied, and turns to paid by itself', async () => {
    const pix = feePix();
    gateway.answer(getFeeStatement, detailOf(openStatement));
    gateway.answer(payFeeStatement, pix);
    const copied = spyClipboard();
    const { screen } = await openStatementPage();
    const make = screen.getByRole('button', { name: 'Gerar código Pix' });
    await expect.element(make).toBeVisible();
    (make.element() as HTMLElement).focus();
    gateway.answer(getFeeStatement, detailOf(openStatement, pix));
    await userEvent.keyboard('{Enter}');
    await expect.element(screen.getByRole('img', { name: 'QR Code para pagar esta fatura' })).toBeVisible();
    await expect.element(screen.getByText(pix.content)).toBeVisible();
    await screen.getByRole('button', { name: 'Copiar código Pix' }).click();
    expect(copied).toEqual([pix.content]);

    gateway.answer(getFeeStatement, detailOf({ ...paidStatement, id: openStatement.id }));
    await refetchMoney();
    await expect.element(screen.getByRole('region', { name: 'Pagamento' })).toMatchTextContent(/Paga/);
    await expect.element(screen.getByRole('status').getByText('Fatura paga')).toBeInTheDocument();
    expect(screen.getByRole('img', { name: /QR Code/ }).elements()).toEqual([]);
  });

  test('a code that has expired is not shown, and another one can be made', async () => {
    gateway.answer(getFeeStatement, detailOf(openStatement, feePix(-1)));
    const { screen } = await openStatementPage();
    await expect.element(screen.getByRole('button', { name: 'Gerar código Pix' })).toBeVisible();
  });

  test('says why no code could be made', async () => {
    gateway.answer(getFeeStatement, detailOf(openStatement));
    gateway.refuse(payFeeStatement, 'PAYMENT_PROCESSING_ERROR');
    const { screen } = await openStatementPage();
    await screen.getByRole('button', { name: 'Gerar código Pix' }).click();
    await expect.element(screen.getByRole('alert')).toMatchTextContent(/O banco não confirmou/);
  });

  test('shows its days and facts, and is downloaded as PDF and CSV', async () => {
    gateway.answer(getFeeStatement, detailOf(paidStatement));
    gateway.answerFile(exportFeeStatement, new Blob(['x']));
    const names: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download);
    });
    const { screen } = await openStatementPage(paidStatement.id);
    const summary = screen.getByRole('complementary', { name: 'Resumo' });
    await expect.element(summary).toMatchTextContent(/R\$\s94,05.*202609-42.*10\/10\/2026.*E60701190/);
    await expect.element(screen.getByRole('row', { name: /03\/09\/2026.*800.*900,10/ })).toBeVisible();
    for (const format of ['PDF', 'CSV']) {
      await screen.getByRole('button', { name: `Baixar ${format}` }).click();
      await expect.poll(() => names.at(-1)).toBe(`fatura-de-tarifas-202609-42.${format.toLowerCase()}`);
    }
  });

  test('that was paid by other means says so with its reference', async () => {
    const elsewhere = { ...paidStatement, end_to_end_id: null, paid_reference: 'TED 4711' };
    gateway.answer(getFeeStatement, detailOf(elsewhere));
    const { screen } = await openStatementPage(paidStatement.id);
    await expect.element(screen.getByText('O operador registrou o pagamento por outro meio.')).toBeVisible();
    await expect.element(screen.getByText('TED 4711')).toBeVisible();
  });

  test('that does not exist says so', async () => {
    gateway.refuse(getFeeStatement, 'FEE_STATEMENT_NOT_FOUND');
    const { screen } = await openStatementPage();
    await expect.element(screen.getByRole('heading', { name: 'Fatura não encontrada.' })).toBeVisible();
  });
});
