import {
  accountTaxes,
  apiKeyStatus,
  createPayment,
  errors,
  getKyc,
  getPaymentStatus,
  publicSettings,
  type Transaction,
  transactionFeed,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { liveStore } from '../../api/live-state.ts';
import { kycQuery, POLL_MS, RECHECK_MS } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { applyLiveMessage } from '../../app/live/live-messages.ts';
import { Link } from '../../navigation/index.ts';
import { mockShare, renderScreen, spyClipboard } from '../../testing/render-screen.tsx';
import { apiKey, feedOf, kycNone, settings, taxes, transaction } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { PixPaymentPage } from './pix-payment-page.tsx';

const MINUTE = 60_000;
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

/** Stubs a charge created just now: the responses of its creation, of the list and of its status. */
function stubCharge(change: Partial<Transaction> = {}) {
  const now = Date.now();
  const charge: Transaction = {
    ...transaction,
    status: 'pending',
    amount: 1250,
    credited_amount: 1237.62,
    created_at: new Date(now).toISOString(),
    paid_at: null,
    expires_at: new Date(now + 30 * MINUTE).toISOString(),
    ...change,
  };
  gateway.answer(createPayment, { ...charge, text: charge.content, image: '' });
  gateway.answer(transactionFeed, feedOf([charge]));
  gateway.answer(getPaymentStatus, charge);
  return charge;
}

const openForm = () => renderScreen('/pix-payment', PixPaymentPage);
const openResult = (id: string) => renderScreen(`/pix-payment?id=${id}`, PixPaymentPage);

test('the form shows the net amount while the amount is typed', async () => {
  const { screen } = await openForm();
  await screen.getByLabelText('Valor').click();
  await userEvent.keyboard('125000');
  await expect.element(screen.getByText('Tarifa (0,99%)')).toBeVisible();
  await expect.element(screen.getByText('− R$ 12,38')).toBeVisible();
  await expect.element(screen.getByText('R$ 1.237,62')).toBeVisible();
});

test.each([
  ['', 'Por favor, insira um valor válido.'],
  ['149', 'O valor mínimo para depósito é R$ 1,50.'],
  ['1500001', 'O valor máximo por cobrança é R$\u00a015.000,00.'],
])('the amount %j is refused under its field, and nothing is sent', async (typed, sentence) => {
  const { screen } = await openForm();
  const field = screen.getByLabelText('Valor');
  await field.click();
  if (typed !== '') await userEvent.keyboard(typed);
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByText(sentence)).toBeVisible();
  await expect.element(field).toHaveAttribute('aria-invalid', 'true');
  await expect.element(field).toHaveFocus();
  expect(gateway.calls(createPayment)).toEqual([]);
});

test('a charge is requested with its lifetime and an Idempotency-Key, and its id is kept in the URL', async () => {
  const charge = stubCharge();
  const { screen, currentUrl } = await openForm();
  await screen.getByLabelText('Valor').click();
  await userEvent.keyboard('125000');
  await screen.getByText('1 hora').click();
  await screen.getByRole('button', { name: 'Gerar Pagamento' }).click();
  await expect.element(screen.getByText('Aguardando o Pix')).toBeVisible();
  const [call] = gateway.calls(createPayment);
  expect(call?.body).toEqual({ amount: 1250, expires_in: 3600 });
  expect(call?.headers.get('idempotency-key')).toMatch(/^\S{16,}$/);
  expect(currentUrl()).toContain(charge.id);
});

test('the call is authenticated by the API key when the key is known', async () => {
  stubCharge();
  gateway.answer(apiKeyStatus, { ...apiKey, key: 'jgd_known' });
  const { screen } = await openForm();
  await screen.getByLabelText('Valor').click();
  await userEvent.keyboard('1000{Enter}');
  await expect.element(screen.getByText('Aguardando o Pix')).toBeVisible();
  expect(gateway.calls(createPayment)[0]?.headers.get('x-api-key')).toBe('jgd_known');
});

test('after an unknown outcome the same charge keeps its Idempotency-Key, whatever happens in between', async () => {
  gateway.fail(createPayment);
  const { screen } = await openForm();
  const generate = () => screen.getByRole('button', { name: 'Gerar Pagamento' }).click();
  await screen.getByLabelText('Valor').click();
  await userEvent.keyboard('1000{Enter}');
  await expect.element(screen.getByText('Erro ao gerar pagamento PIX.')).toBeVisible();
  for (const code of ['IDEMPOTENCY_IN_PROGRESS', 'API_KEY_INACTIVE'] as const) {
    gateway.refuse(createPayment, code);
    await generate();
    await expect.element(screen.getByText(errors[code].message)).toBeVisible();
  }
  gateway.fail(createPayment);
  await screen.getByLabelText('Valor').fill('11,00');
  await generate();
  await expect.element(screen.getByText('Erro ao gerar pagamento PIX.')).toBeVisible();
  await screen.getByLabelText('Valor').fill('10,00');
  stubCharge();
  await generate();
  await expect.element(screen.getByText('Aguardando o Pix')).toBeVisible();
  const [unknown, running, inactive, other, last] = gateway
    .calls(createPayment)
    .map(({ headers }) => headers.get('idempotency-key'));
  expect([running, inactive, last]).toEqual([unknown, unknown, unknown]);
  expect(other).not.toBe(unknown);
});

test('after a refusal the next charge is a new request', async () => {
  gateway.refuse(createPayment, 'AMOUNT_TOO_LARGE');
  const { screen } = await openForm();
  await screen.getByLabelText('Valor').click();
  await userEvent.keyboard('1000{Enter}');
  await expect.element(screen.getByText(errors.AMOUNT_TOO_LARGE.message)).toBeVisible();
  stubCharge();
  await screen.getByRole('button', { name: 'Gerar Pagamento' }).click();
  await expect.element(screen.getByText('Aguardando o Pix')).toBeVisible();
  const [refused, accepted] = gateway
    .calls(createPayment)
    .map(({ headers }) => headers.get('idempotency-key'));
  expect(accepted).not.toBe(refused);
});

test('a charge is loaded by its URL alone, with its code and the time left', async () => {
  const charge = stubCharge();
  const { screen } = await openResult(charge.id);
  await expect.element(screen.getByText('Aguardando o Pix')).toBeVisible();
  await expect.element(screen.getByText(charge.content)).toBeVisible();
  await expect.element(screen.getByAltText('QR Code para pagar este Pix')).toBeVisible();
  await expect.element(screen.getByText(/^(29:5\d|30:00)$/)).toBeVisible();
  await expect
    .element(screen.getByRole('link', { name: 'Pagar esta cobrança no Banco Sandbox' }))
    .toHaveAttribute('href', `http://localhost:3001/?codigo=${charge.content}`);
});

test('on a phone a pending charge links to a new payment', async () => {
  await page.viewport(390, 844);
  const { screen, currentUrl } = await openResult(stubCharge().id);
  await expect.element(screen.getByText('Você recebe')).toBeVisible();
  await screen.getByRole('link', { name: 'Novo Pagamento' }).click();
  await expect.poll(currentUrl).toBe('/pix-payment');
});

test('the whole code is copied', async () => {
  const written = spyClipboard();
  const charge = stubCharge();
  const { screen } = await openResult(charge.id);
  await screen.getByRole('button', { name: 'Copiar código Pix' }).click();
  await expect.element(screen.getByRole('button', { name: 'Copiado' })).toBeVisible();
  expect(written).toEqual([charge.content]);
});

test('the URL of the checkout page is copied, or shared with another app where the browser can', async () => {
  const written = spyClipboard();
  const share = mockShare();
  const charge = stubCharge();
  const { screen } = await openResult(charge.id);
  await screen.getByRole('button', { name: 'Copiar link' }).click();
  expect(written).toEqual([charge.checkout_url]);
  await screen.getByRole('button', { name: 'Enviar link' }).click();
  expect(share).toHaveBeenCalledWith({
    text: 'Pague R$\u00a01.250,00 com Pix:',
    url: charge.checkout_url,
  });
});

test('a paid charge links to its receipt', async () => {
  const charge = stubCharge({
    status: 'paid',
    paid_at: new Date().toISOString(),
    receipt_url: 'https://pix.example.com/comprovante/1',
  });
  const { screen } = await openResult(charge.id);
  await expect
    .element(screen.getByRole('link', { name: 'Ver comprovante' }))
    .toHaveAttribute('href', 'https://pix.example.com/comprovante/1');
});

test('a failure of the clipboard is reported', async () => {
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
  const { screen } = await openResult(stubCharge().id);
  await screen.getByRole('button', { name: 'Copiar código Pix' }).click();
  await expect.element(screen.getByText('Falha ao copiar para a área de transferência.')).toBeVisible();
});

test('the screen changes to Pago when the live channel reports it, announced once and in the tab’s title', async () => {
  const charge = stubCharge();
  const { screen } = await openResult(charge.id);
  await expect.element(screen.getByText('Aguardando o Pix')).toBeVisible();
  const paid = { status: 'paid' as const, credited_amount: 1237.62, paid_at: new Date().toISOString() };
  gateway.answer(getPaymentStatus, { ...charge, ...paid });
  // The live channel writes what it reports about a charge into this cached query.
  queryClient.setQueryData(['charge', charge.id], {
    status: 'paid',
    amountCents: 125_000,
    creditedCents: 123_762,
    paidAt: paid.paid_at,
  });
  await expect.element(screen.getByText('O dinheiro já está no seu saldo.')).toBeVisible();
  await expect.element(screen.getByRole('link', { name: 'Ver transação' })).toBeVisible();
  await expect.element(screen.getByText('Você recebeu')).toBeVisible();
  expect(document.title).toBe('Pago · R$\u00a01.250,00');
  expect(screen.getByText('Pago. R$ 1.250,00 recebidos.').elements()).toHaveLength(1);
});

test('after a payment with a reserve the screen shows the reserved amount', async () => {
  const charge = stubCharge({ reserved_amount: 61.88 });
  const { screen } = await openResult(charge.id);
  await expect.element(screen.getByText('Vai para a reserva')).toBeVisible();
  applyLiveMessage(queryClient, {
    type: 'charge',
    charge: { ...charge, status: 'paid', paid_at: new Date().toISOString() },
  });
  await expect
    .element(screen.getByText('R$ 1.175,74 já estão no seu saldo, e R$ 61,88 na reserva.'))
    .toBeVisible();
  await expect.element(screen.getByText('Foi para a reserva')).toBeVisible();
  await expect.element(screen.getByText('O dinheiro já está no seu saldo.')).not.toBeInTheDocument();
});

test('without the live channel the charge is polled until it is paid', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  liveStore.setState({ state: 'down' });
  const charge = stubCharge();
  const { screen } = await openResult(charge.id);
  await expect.element(screen.getByText('Aguardando o Pix')).toBeVisible();
  gateway.answer(getPaymentStatus, { ...charge, status: 'paid', paid_at: new Date().toISOString() });
  await vi.advanceTimersByTimeAsync(POLL_MS);
  await expect.element(screen.getByText('O dinheiro já está no seu saldo.')).toBeVisible();
  const callCount = gateway.calls(getPaymentStatus).length;
  await vi.advanceTimersByTimeAsync(RECHECK_MS);
  expect(gateway.calls(getPaymentStatus)).toHaveLength(callCount);
});

test('a payment that arrived before the live channel was open is found by polling', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const charge = stubCharge();
  const { screen } = await openResult(charge.id);
  await expect.element(screen.getByText('Aguardando o Pix')).toBeVisible();
  gateway.answer(getPaymentStatus, { ...charge, status: 'paid', paid_at: new Date().toISOString() });
  vi.advanceTimersByTime(RECHECK_MS);
  await expect.element(screen.getByText('O dinheiro já está no seu saldo.')).toBeVisible();
});

test('a cancelled or refunded charge is not shown as expired', async () => {
  const cancelled = stubCharge({ status: 'expired', cancelled_at: '2026-11-21T17:40:00.000Z' });
  const first = await openResult(cancelled.id);
  await expect.element(first.screen.getByText('Esta cobrança foi cancelada.')).toBeVisible();
  await expect.element(first.screen.getByText('Cancelada em')).toBeVisible();
  await first.screen.unmount();
  const refunded = stubCharge({ status: 'refunded', paid_at: '2026-11-21T17:33:00.000Z' });
  const { screen } = await openResult(refunded.id);
  await expect.element(screen.getByText('O dinheiro voltou para quem pagou.')).toBeVisible();
  expect(screen.getByText(/expirou|prazo/i).elements()).toEqual([]);
});

test('when its time is up the code is covered, and another charge of the same amount and lifetime can be created', async () => {
  const now = Date.now();
  const charge = stubCharge({
    created_at: new Date(now - 15 * MINUTE).toISOString(),
    expires_at: new Date(now - 1).toISOString(),
  });
  const { screen } = await openResult(charge.id);
  await expect.element(screen.getByText('O código expirou.')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Copiar código Pix' }).elements()).toEqual([]);
  await expect.element(screen.getByText('Expirou em')).toBeVisible();
  await expect.element(screen.getByText('Se o cliente já pagou, o valor será creditado.')).toBeVisible();
  for (const fact of ['Tarifa', 'Você recebe', 'Expira em'])
    await expect.element(screen.getByText(fact)).not.toBeInTheDocument();
  stubCharge({ id: '11111111-7c41-4d0e-9b3a-61f2d8c07a55' });
  await screen.getByRole('button', { name: 'Gerar outro' }).click();
  await expect.element(screen.getByText('Aguardando o Pix')).toBeVisible();
  expect(gateway.calls(createPayment)[0]?.body).toEqual({ amount: 1250, expires_in: 900 });
});

test('an expired charge that is paid late still turns to Pago', async () => {
  const charge = stubCharge({ status: 'expired', expires_at: new Date(Date.now() - MINUTE).toISOString() });
  const { screen } = await openResult(charge.id);
  await expect.element(screen.getByRole('button', { name: 'Gerar outro' })).toBeVisible();
  gateway.answer(getPaymentStatus, { ...charge, status: 'paid', paid_at: new Date().toISOString() });
  await queryClient.invalidateQueries({ queryKey: ['charge', charge.id] });
  await expect.element(screen.getByText('O dinheiro já está no seu saldo.')).toBeVisible();
});

test('without an API key a link to the API keys replaces the form', async () => {
  gateway.answer(apiKeyStatus, { hasKey: false, active: false, key: null, masked: null });
  const { screen } = await openForm();
  await expect
    .element(screen.getByText('Você não possui uma chave API. Por favor, gere uma na página de Chaves API.'))
    .toBeVisible();
  await expect
    .element(screen.getByRole('link', { name: 'Ir para Chaves de API' }))
    .toHaveAttribute('href', '/api-keys');
});

test('a URL with the id of an unknown charge is reported', async () => {
  gateway.answer(transactionFeed, feedOf([]));
  gateway.refuse(getPaymentStatus, 'PAYMENT_NOT_FOUND');
  const { screen } = await openResult('00000000-7c41-4d0e-9b3a-61f2d8c07a55');
  await expect.element(screen.getByText('Pagamento não encontrado')).toBeVisible();
});

test('a charge that could not be loaded shows only the failure', async () => {
  gateway.fail(transactionFeed);
  gateway.fail(getPaymentStatus);
  const { screen } = await openResult('c1');
  await expect.element(screen.getByText('Erro ao buscar o pagamento')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Tentar Novamente' })).toBeVisible();
  expect(screen.getByText(/continua valendo|Mostre o QR Code/).elements()).toEqual([]);
});

test('the form offers 15 and 30 minutes, an hour and a day, and starts with 30 minutes', async () => {
  stubCharge();
  const { screen } = await openForm();
  const lifetimes = screen.getByRole('group', { name: 'Expira em' });
  await expect.element(lifetimes.getByRole('radio', { name: '30 min' })).toBeChecked();
  const offered = lifetimes.getByRole('radio').elements();
  expect(offered.map((radio) => radio.closest('label')?.textContent)).toEqual([
    '15 min',
    '30 min',
    '1 hora',
    '24 horas',
  ]);
  await screen.getByLabelText('Valor').click();
  await userEvent.keyboard('1000{Enter}');
  await expect.element(screen.getByText('Aguardando o Pix')).toBeVisible();
  expect(gateway.calls(createPayment)[0]?.body).toEqual({ amount: 10, expires_in: 1800 });
});

test('an account that is not approved sees the state of its documents', async () => {
  for (const [status, title, sentence] of [
    ['none', 'Falta verificar sua identidade', /Conclua a verificação de identidade/],
    ['pending', 'Conta em verificação', /Seus documentos estão em análise/],
    ['rejected', 'Verificação rejeitada', /Seus documentos não foram aceitos/],
    ['approved', 'Conta não aprovada', /Sua identidade foi verificada/],
  ] as const) {
    gateway.answer(getKyc, { ...kycNone, status });
    const { screen } = await renderScreen('/pix-payment', PixPaymentPage, { approved: false });
    await expect.element(screen.getByRole('heading', { name: title })).toBeVisible();
    await expect.element(screen.getByText(sentence)).toBeVisible();
    await screen.unmount();
  }
  gateway.fail(getKyc);
  const { screen } = await renderScreen('/pix-payment', PixPaymentPage, { approved: false });
  await expect.poll(() => queryClient.getQueryState(kycQuery.queryKey)?.status).toBe('error');
  await expect.element(screen.getByText('Este recurso abre quando a conta for aprovada.')).toBeVisible();
  expect(screen.getByText('Falta verificar sua identidade').elements()).toEqual([]);
});

test('the support sees that this is for merchants, and nothing about a verification', async () => {
  gateway.answer(getKyc, kycNone);
  const support = { role: 'SUPPORT', approved: false } as const;
  const { screen } = await renderScreen('/pix-payment', PixPaymentPage, support);
  await expect.element(screen.getByRole('heading', { name: 'Recurso de lojistas' })).toBeVisible();
  expect(screen.getByText(/verificar sua identidade/).elements()).toEqual([]);
});

test('a response that arrives after the form was left does not navigate', async () => {
  const charge = stubCharge();
  const answered = Promise.withResolvers<void>();
  stubLateResponse(answered.promise);
  const { screen, currentUrl } = await renderScreen('/pix-payment', () => (
    <>
      <PixPaymentPage />
      <Link to="/wallet">Carteira</Link>
    </>
  ));
  await screen.getByLabelText('Valor').click();
  await userEvent.keyboard('1000{Enter}');
  await expect.poll(() => gateway.calls(createPayment)).toHaveLength(1);
  await screen.getByRole('link', { name: 'Carteira' }).click();
  await expect.poll(currentUrl).toBe('/wallet');
  answered.resolve();
  await expect.poll(() => queryClient.getQueryData(['charge', charge.id])).toBeDefined();
  await new Promise(requestAnimationFrame);
  expect(currentUrl()).toBe('/wallet');
});

/** Delays the response of a new payment until `released` resolves. */
function stubLateResponse(released: Promise<void>) {
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const response = await fetch(address, init);
    if (address.endsWith('/pix/new')) await released;
    return response;
  });
}

test('after a reload before the response, the form warns about the unknown outcome and links to the list', async () => {
  gateway.stall(createPayment);
  const first = await openForm();
  expect(first.screen.getByText('A última cobrança ficou sem confirmação.').elements()).toEqual([]);
  await first.screen.getByLabelText('Valor').click();
  await userEvent.keyboard('1000{Enter}');
  await expect.poll(() => gateway.calls(createPayment)).toHaveLength(1);
  await first.screen.unmount();
  const reopened = await openForm();
  await expect.element(reopened.screen.getByText('A última cobrança ficou sem confirmação.')).toBeVisible();
  await reopened.screen.getByRole('link', { name: 'Ver transações' }).click();
  await expect.poll(reopened.currentUrl).toBe('/transactions');
  await reopened.screen.unmount();
  const last = await openForm();
  await expect.element(last.screen.getByLabelText('Valor')).toBeVisible();
  expect(last.screen.getByText('A última cobrança ficou sem confirmação.').elements()).toEqual([]);
});

test('a charge that the bank did not create is not shown as expired', async () => {
  const { screen } = await openResult(stubCharge({ status: 'error', content: '' }).id);
  await expect
    .element(screen.getByText('O banco não criou esta cobrança: não há o que pagar.'))
    .toBeVisible();
  expect(screen.getByText(/prazo|Se o cliente já pagou|Não pode mais|^Expir/).elements()).toEqual([]);
});

test('a charge without a code yet offers nothing to copy, and has its code when it is opened again', async () => {
  const { content } = transaction;
  const charge = stubCharge({ content: '' });
  const { screen } = await renderScreen(`/pix-payment?id=${charge.id}`, () => (
    <>
      <PixPaymentPage />
      <Link to="/pix-payment">Formulário</Link>
      <Link to="/pix-payment" search={{ id: charge.id }}>
        Cobrança
      </Link>
    </>
  ));
  await expect.element(screen.getByText(/^O banco ainda não confirmou esta cobrança/)).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Copiar link' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Copiar código Pix' }).elements()).toEqual([]);
  gateway.answer(transactionFeed, feedOf([{ ...charge, content }]));
  await screen.getByRole('link', { name: 'Formulário' }).click();
  await expect.element(screen.getByLabelText('Valor')).toBeVisible();
  await screen.getByRole('link', { name: 'Cobrança' }).click();
  await expect.element(screen.getByRole('button', { name: 'Copiar código Pix' })).toBeVisible();
});

test('a charge whose code came only as an image says, once expired, that a payment is still credited', async () => {
  const charge = stubCharge();
  gateway.answer(createPayment, { ...charge, text: '', content: '', image: 'iVBORw0KGgo=' });
  const { screen } = await openForm();
  await screen.getByLabelText('Valor').click();
  await userEvent.keyboard('1000{Enter}');
  await expect.element(screen.getByText('Aguardando o Pix')).toBeVisible();
  gateway.answer(getPaymentStatus, { ...charge, status: 'expired' });
  await queryClient.invalidateQueries({ queryKey: ['charge'] });
  await expect.element(screen.getByText('Se o cliente já pagou, o valor será creditado.')).toBeVisible();
});
