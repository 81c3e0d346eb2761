import {
  accountTaxes,
  apiKeyStatus,
  createPayment,
  getPaymentStatus,
  publicSettings,
  transactionFeed,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { liveStore } from '../../api/live-state.ts';
import { queryClient } from '../../api/query.ts';
import { formatCalendarDay } from '../../format/date.ts';
import { dayIn, overdueTransaction, paidLateTransaction } from '../../testing/due-samples.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { apiKey, feedOf, settings, taxes } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { PixPaymentPage } from './pix-payment-page.tsx';

let gateway: StubbedGateway;
beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(accountTaxes, { success: true, data: taxes });
  gateway.answer(publicSettings, settings);
  gateway.answer(apiKeyStatus, apiKey);
  liveStore.setState({ state: 'open' });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function openDueForm() {
  const opened = await renderScreen('/pix-payment', PixPaymentPage);
  await opened.screen.getByText('Com vencimento').click();
  return opened;
}
type Opened = Awaited<ReturnType<typeof openDueForm>>['screen'];

async function fillPayer(screen: Opened): Promise<void> {
  await screen.getByLabelText('Valor').fill('100,00');
  await screen.getByLabelText('Nome de quem paga').fill('Ana Conceição');
  await screen.getByLabelText('CPF ou CNPJ').fill('52998224725');
}
const generate = (screen: Opened) => screen.getByRole('button', { name: 'Gerar Pagamento' }).click();

test('a charge with a due date is asked for with its payer and terms, and without a lifetime', async () => {
  const charge = { ...overdueTransaction, status: 'pending' as const };
  gateway.answer(createPayment, { ...charge, text: charge.content, image: '' });
  gateway.answer(transactionFeed, feedOf([charge]));
  gateway.answer(getPaymentStatus, charge);
  const { screen } = await openDueForm();
  await fillPayer(screen);
  await screen.getByLabelText('Vencimento', { exact: true }).fill(dayIn(20));
  await screen.getByLabelText('Multa por atraso', { exact: true }).fill('2');
  await screen.getByLabelText('Juros ao mês', { exact: true }).fill('1');
  await screen.getByRole('button', { name: 'Dar desconto' }).click();
  await screen.getByLabelText('1º desconto', { exact: true }).fill('5,50');
  await screen.getByLabelText('Para quem paga até').fill(dayIn(10));
  await generate(screen);
  await expect.element(screen.getByText('Aguardando o Pix')).toBeVisible();
  expect(gateway.calls(createPayment)[0]?.body).toEqual({
    amount: 100,
    payer: { name: 'Ana Conceição', document: '52998224725' },
    due_date: dayIn(20),
    valid_after_due: 30,
    fine: { type: 'percent', value: 2 },
    interest: { type: 'percent', value: 1, per: 'month', days: 'calendar' },
    discounts: [{ type: 'amount', value: 5.5, until: dayIn(10) }],
  });
  await expect.element(screen.getByText('Hoje se paga')).toBeVisible();
  await expect
    .element(screen.getByText(new RegExp(`pode ser paga até ${formatCalendarDay(dayIn(18))}`)))
    .toBeVisible();
  // A countdown of weeks tells nobody anything.
  expect(screen.getByText(/^Expira em/).elements()).toEqual([]);
});

test('a charge may have rules of its own for who pays, and has those of the account otherwise', async () => {
  const { screen } = await openDueForm();
  await fillPayer(screen);
  await screen.getByText('Quem pode pagar').click();
  await expect.element(screen.getByLabelText('Se pagarem fora do prazo')).toHaveDisplayValue('Como na conta');
  await screen.getByLabelText('Se outra pessoa pagar').selectOptions('Devolver na hora');
  gateway.refuse(createPayment, 'OVERLOADED');
  await generate(screen);
  await expect
    .poll(() => gateway.calls(createPayment)[0]?.body)
    .toMatchObject({ payer_rules: { other_payer: 'give_back', late: null, doubled: null } });
});

test('without a due date nothing but the lifetime is asked for', async () => {
  const { screen } = await openDueForm();
  await fillPayer(screen);
  await screen.getByText('À vista').click();
  gateway.refuse(createPayment, 'OVERLOADED');
  await generate(screen);
  await expect.poll(() => gateway.calls(createPayment)[0]?.body).toEqual({ amount: 100, expires_in: 1800 });
});

test('every problem stands at its field, the first of which is focused, and nothing is sent', async () => {
  const { screen } = await openDueForm();
  await screen.getByLabelText('Valor').fill('100,00');
  await screen.getByLabelText('Vencimento', { exact: true }).fill('');
  await screen.getByLabelText('Multa por atraso', { exact: true }).fill('2,345');
  await generate(screen);
  for (const label of ['Nome de quem paga', 'CPF ou CNPJ'])
    await expect.element(screen.getByLabelText(label)).toHaveAttribute('aria-invalid', 'true');
  for (const label of ['Vencimento', 'Multa por atraso'])
    await expect
      .element(screen.getByLabelText(label, { exact: true }))
      .toHaveAttribute('aria-invalid', 'true');
  await screen.getByLabelText('Nome de quem paga').fill('Ana');
  await expect.element(screen.getByLabelText('Nome de quem paga')).not.toHaveAttribute('aria-invalid');
  await expect.element(screen.getByLabelText('CPF ou CNPJ')).toHaveAttribute('aria-invalid', 'true');
  expect(gateway.calls(createPayment)).toEqual([]);
});

test('what the gateway refuses stands at its field, which is focused, also among the further options', async () => {
  const { screen } = await openDueForm();
  await fillPayer(screen);
  gateway.refuse(createPayment, 'DUE_TERMS_INVALID', {
    fields: [{ field: 'rebate', message: 'O abatimento tem de ser menor que o valor.' }],
  });
  await generate(screen);
  await expect.element(screen.getByText('O abatimento tem de ser menor que o valor.')).toBeVisible();
  await expect.element(screen.getByLabelText('Abatimento', { exact: true })).toHaveFocus();
  gateway.refuse(createPayment, 'DUE_TERMS_INVALID', {
    fields: [{ field: 'amount', message: 'Com abatimento e desconto, o valor não passa da tarifa.' }],
  });
  await generate(screen);
  await expect.element(screen.getByText(/não passa da tarifa/)).toBeVisible();
  await expect.element(screen.getByLabelText('Valor')).toHaveFocus();
});

test('the preview says what is owed before, on and after the due date, and on a day of choice', async () => {
  const { screen } = await openDueForm();
  const preview = screen.getByRole('complementary', { name: 'Quanto se paga' });
  await expect.element(preview.getByText(/Com o valor e o vencimento/)).toBeVisible();
  await screen.getByLabelText('Valor').fill('100,00');
  await screen.getByLabelText('Multa por atraso', { exact: true }).fill('2');
  await expect.element(preview.getByText(/^Se pagar hoje/)).toBeVisible();
  await expect.element(preview.getByText(/^No vencimento/)).toBeVisible();
  await expect.element(preview.getByText(/^No primeiro dia de atraso/)).toBeVisible();
  await expect.element(preview.getByText('R$ 102,00').first()).toBeVisible();
  await preview.getByLabelText('Em outro dia').fill(dayIn(20));
  await expect.element(preview.getByText('+ R$ 2,00')).toBeVisible();
  await preview.getByLabelText('Em outro dia').fill(dayIn(60));
  await expect.element(preview.getByText(/^Pode ser paga até/)).toBeVisible();
});

test('more than consumer law allows is warned about, and can be sent all the same', async () => {
  gateway.refuse(createPayment, 'OVERLOADED');
  const { screen } = await openDueForm();
  await fillPayer(screen);
  await screen.getByLabelText('Multa por atraso', { exact: true }).fill('2');
  expect(screen.getByText(/Quando quem paga é consumidor/).elements()).toEqual([]);
  await screen.getByLabelText('Multa por atraso', { exact: true }).fill('10');
  await expect.element(screen.getByText(/a multa por atraso não passa de 2%/)).toBeVisible();
  await generate(screen);
  await expect.poll(() => gateway.calls(createPayment)).toHaveLength(1);
});

test('the form is filled and sent with the keyboard alone, at the width of a phone', async () => {
  await page.viewport(390, 844);
  gateway.refuse(createPayment, 'OVERLOADED');
  const { screen } = await renderScreen('/pix-payment', PixPaymentPage);
  await screen.getByLabelText('Valor').click();
  await userEvent.keyboard('10000{Tab}{ArrowRight}');
  await expect.element(screen.getByLabelText('Nome de quem paga')).toBeVisible();
  await userEvent.keyboard('{Tab}Ana Conceição{Tab}529.982.247-25{Enter}');
  await expect.poll(() => gateway.calls(createPayment)[0]?.body).toMatchObject({ due_date: dayIn(7) });
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
});

test('when it is paid late, the result says so with the amount that was paid', async () => {
  gateway.answer(transactionFeed, feedOf([overdueTransaction]));
  gateway.answer(getPaymentStatus, overdueTransaction);
  const { screen } = await renderScreen(`/pix-payment?id=${overdueTransaction.id}`, PixPaymentPage);
  await expect.element(screen.getByText('Hoje se paga')).toBeVisible();
  gateway.answer(getPaymentStatus, paidLateTransaction);
  await queryClient.invalidateQueries({ queryKey: ['charge'] });
  await expect.element(screen.getByText('Foi pago')).toBeVisible();
  await expect.element(screen.getByText('Pago. R$ 1.310,72 recebidos.')).toBeInTheDocument();
});

test('a charge with a due date that is over offers another one by the form', async () => {
  const expired = { ...overdueTransaction, status: 'expired' as const };
  gateway.answer(transactionFeed, feedOf([expired]));
  gateway.answer(getPaymentStatus, expired);
  const { screen } = await renderScreen(`/pix-payment?id=${expired.id}`, PixPaymentPage);
  await expect.element(screen.getByText('Não pode mais ser pago')).toBeVisible();
  expect(screen.getByText('Gerar outro').elements()).toEqual([]);
});
