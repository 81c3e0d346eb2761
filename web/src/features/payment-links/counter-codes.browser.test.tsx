import {
  accountTaxes,
  type CounterCode,
  createCounterCode,
  errors,
  getCounterCode,
  listCounterCodes,
  listPayments,
  ownBank,
  publicSettings,
  updateCounterCode,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { paidIntoOwnBank } from '../../testing/connection-samples.ts';
import { counterCode } from '../../testing/offer-samples.ts';
import { renderScreen, spyClipboard } from '../../testing/render-screen.tsx';
import { settings, taxes } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { CounterCodesPage } from './counter-codes-page.tsx';

let gateway: StubbedGateway;
const stubCodes = (...data: CounterCode[]) => gateway.answer(listCounterCodes, { data, next: null });
beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(publicSettings, settings);
  gateway.answer(accountTaxes, { success: true, data: taxes });
  gateway.answer(listPayments, { data: [], next: null });
  stubCodes(counterCode);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const openList = () => renderScreen('/payment-links/counter-codes', CounterCodesPage);
const openCode = () => renderScreen(`/payment-links/counter-codes?id=${counterCode.id}`, CounterCodesPage);

test('each code shows its name, its amount and what it has received, at any width', async () => {
  stubCodes(counterCode, {
    ...counterCode,
    id: 'b',
    name: 'Mesa 4',
    amount: 12.5,
    active: false,
    payments: 0,
  });
  const { screen } = await openList();
  const row = (name: RegExp) => screen.getByRole('row', { name });
  await expect.element(row(/Caixa 1 Valor livre Ativo 1 R\$.25,90/)).toBeVisible();
  await expect.element(row(/Mesa 4 R\$.12,50 Desligado 0/)).toBeVisible();
  await page.viewport(390, 844);
  const items = screen.getByRole('list', { name: 'QR Codes do balcão' }).getByRole('listitem');
  await expect.element(items.filter({ hasText: 'Caixa 1' }).getByText('1 pagamento')).toBeVisible();
  await expect.element(items.filter({ hasText: 'Mesa 4' }).getByText('nenhum pagamento')).toBeVisible();
});

test('a merchant who is paid into own accounts is told first that codes exist only at the operator’s', async () => {
  gateway.answer(ownBank, paidIntoOwnBank);
  const { screen } = await openList();
  await expect.element(screen.getByText('QR Codes de balcão existem só na conta do operador.')).toBeVisible();
  await expect.element(screen.getByRole('row', { name: /Caixa 1 ?Cai na conta do operador/ })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Criar QR Code' }).elements()).toEqual([]);
  await screen.getByRole('button', { name: 'Detalhes' }).click();
  await expect
    .element(screen.getByRole('dialog').getByText(/cai na conta do operador, menos a/))
    .toBeVisible();
  await screen.unmount();
  stubCodes({ ...counterCode, active: false });
  const off = await openCode();
  await expect.element(off.screen.getByRole('dialog').getByText(/Recolha as cópias/)).toBeVisible();
  expect(off.screen.getByRole('button', { name: 'Ligar' }).elements()).toEqual([]);
  await off.screen.unmount();
  stubCodes();
  const empty = await openList();
  await expect.element(empty.screen.getByText('Nenhum QR Code de balcão')).toBeVisible();
  await empty.screen.getByRole('link', { name: 'Abrir Links' }).click();
  await expect.poll(empty.currentUrl).toBe('/payment-links');
});

test('a code is created with a name and no amount, and can then be printed and copied', async () => {
  const written = spyClipboard();
  stubCodes();
  const { screen } = await openList();
  await screen.getByRole('button', { name: 'Criar QR Code' }).click();
  const form = screen.getByRole('dialog', { name: 'Criar QR Code' });
  const send = form.getByRole('button', { name: 'Criar QR Code' });
  await send.click();
  await expect.element(form.getByText('Informe um nome.')).toBeVisible();
  await form.getByLabelText('Nome').fill(' Caixa 1 ');
  await form.getByLabelText('Valor (opcional)').click();
  await userEvent.keyboard('100');
  await send.click();
  await expect.element(form.getByText(errors.AMOUNT_TOO_SMALL.message)).toBeVisible();
  expect(gateway.calls(createCounterCode)).toEqual([]);
  await form.getByLabelText('Valor (opcional)').fill('');
  gateway.answer(createCounterCode, counterCode);
  gateway.stall(listCounterCodes);
  await send.click();
  const createdDialog = screen.getByRole('dialog', { name: 'QR Code criado' });
  await expect
    .element(createdDialog.getByRole('link', { name: 'Imprimir' }))
    .toHaveAttribute('href', counterCode.print_url);
  expect(gateway.calls(createCounterCode)[0]?.body).toEqual({ name: 'Caixa 1', amount: null });
  await createdDialog.getByRole('button', { name: 'Copiar código Pix' }).click();
  expect(written).toEqual([counterCode.text]);
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('row', { name: /Caixa 1/ })).toBeVisible();
});

test('a code can be renamed, and a change by somebody else meanwhile is reported', async () => {
  const { screen } = await openCode();
  await screen.getByRole('button', { name: 'Editar' }).click();
  const form = screen.getByRole('dialog', { name: 'Editar QR Code' });
  await form.getByLabelText('Nome').fill('Caixa 2');
  gateway.refuse(updateCounterCode, 'STALE_VERSION');
  await form.getByRole('button', { name: 'Salvar' }).click();
  await expect.element(form.getByText(/^Este QR Code foi alterado enquanto isso/)).toBeVisible();
  gateway.answer(getCounterCode, { ...counterCode, name: 'Caixa 9', version: 2 });
  await form.getByRole('button', { name: 'Recarregar' }).click();
  await expect.element(form.getByLabelText('Nome')).toHaveValue('Caixa 9');
  gateway.answer(updateCounterCode, { ...counterCode, name: 'Caixa 9', version: 3 });
  await form.getByRole('button', { name: 'Salvar' }).click();
  await expect.element(screen.getByText('QR Code salvo')).toBeVisible();
  expect(gateway.calls(updateCounterCode).at(-1)?.body).toEqual({
    name: 'Caixa 9',
    active: true,
    version: 2,
  });
});

test('turning a code off warns that printed copies can still be paid, and are credited', async () => {
  const { screen } = await openCode();
  await screen.getByRole('button', { name: 'Desligar' }).click();
  const confirmation = screen.getByRole('alertdialog', { name: 'Desligar “Caixa 1”?' });
  await expect.element(confirmation.getByText(/o que chegar por ele é creditado na sua conta/)).toBeVisible();
  const off = { ...counterCode, active: false, version: 2 };
  gateway.answer(updateCounterCode, () => {
    stubCodes(off);
    return off;
  });
  await confirmation.getByRole('button', { name: 'Desligar' }).click();
  await expect.element(screen.getByText('QR Code desligado')).toBeVisible();
  const detail = screen.getByRole('dialog', { name: 'QR Code do balcão' });
  await expect.element(detail.getByText(/^Um código já impresso ainda pode ser pago/)).toBeVisible();
  await expect.element(detail.getByRole('link', { name: 'Imprimir' })).not.toBeInTheDocument();
  gateway.refuse(updateCounterCode, 'COUNTER_CODE_NOT_FOUND');
  await detail.getByRole('button', { name: 'Ligar' }).click();
  await expect.element(screen.getByText(errors.COUNTER_CODE_NOT_FOUND.message)).toBeVisible();
});

test('a failed load of codes can be retried, and an account without codes sees the empty state', async () => {
  gateway.fail(listCounterCodes);
  const { screen } = await openList();
  await expect.element(screen.getByText('Erro ao buscar os QR Codes')).toBeVisible();
  stubCodes();
  await screen.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(screen.getByText('Nenhum QR Code ainda')).toBeVisible();
});

test('after an unknown outcome the merchant is asked to check the list of codes before trying again', async () => {
  stubCodes();
  gateway.disconnect(createCounterCode);
  const { screen } = await openList();
  await screen.getByRole('button', { name: 'Criar QR Code' }).click();
  const form = screen.getByRole('dialog', { name: 'Criar QR Code' });
  await form.getByLabelText('Nome').fill('Caixa 1');
  stubCodes(counterCode);
  await form.getByRole('button', { name: 'Criar QR Code' }).click();
  await expect
    .element(form.getByRole('alert'))
    .toHaveTextContent('Não sabemos se o QR Code foi criado. Confira a lista antes de tentar de novo.');
  await expect.element(screen.getByRole('row', { name: /Caixa 1/ })).toBeInTheDocument();
});
