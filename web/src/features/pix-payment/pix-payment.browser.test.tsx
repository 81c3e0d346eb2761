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
import { Link } from '@tanstack/react-router';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { liveState } from '../../api/live-state.ts';
import { kycQuery, RECHECK_MS } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { applyLiveMessage } from '../../app/live/live-messages.ts';
import { giveShare, renderScreen, spyClipboard } from '../../testing/render-screen.tsx';
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
  liveState.setState({ state: 'open' });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A charge at the gateway, made now: its creation, the feed and its status tell of it. */
function givenCharge(change: Partial<Transaction> = {}) {
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

const form = () => renderScreen('/pix-payment', PixPaymentPage);
const result = (id: string) => renderScreen(`/pix-payment?id=${id}`, PixPaymentPage);

test('the form tells what the merchant gets while the amount is typed', async () => {
  const { screen } = await form();
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
  const { screen } = await form();
  const field = screen.getByLabelText('Valor');
  await field.click();
  if (typed !== '') await userEvent.keyboard(typed);
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByText(sentence)).toBeVisible();
  await expect.element(field).toHaveAttribute('aria-invalid', 'true');
  await expect.element(field).toHaveFocus();
  expect(gateway.calls(createPayment)).toEqual([]);
});

test('a charge is asked for with its lifetime and a key of its intent, and the address keeps it', async () => {
  const charge = givenCharge();
  const { screen, address } = await form();
  await screen.getByLabelText('Valor').click();
  await userEvent.keyboard('125000');
  await screen.getByText('1 hora').click();
  await screen.getByRole('button', { name: 'Gerar Pagamento' }).click();
  await expect.element(screen.getByText('Aguardando o Pix')).toBeVisible();
  const [call] = gateway.calls(createPayment);
  expect(call?.body).toEqual({ amount: 1250, expires_in: 3600 });
  expect(call?.headers.get('idempotency-key')).toMatch(/^\S{16,}$/);
  expect(address()).toContain(charge.id);
});

test('the API key signs the call once it is known, the session until then', async () => {
  givenCharge();
  gateway.answer(apiKeyStatus, { ...apiKey, key: 'jgd_known' });
  const { screen } = await form();
  await screen.getByLabelText('Valor').click();
  await userEvent.keyboard('1000{Enter}');
  await expect.element(screen.getByText('Aguardando o Pix')).toBeVisible();
  expect(gateway.calls(createPayment)[0]?.headers.get('x-api-key')).toBe('jgd_known');
});

test('after an unknown outcome the same charge is the same intent, whatever is answered and tried in between', async () => {
  gateway.fail(createPayment);
  const { screen } = await form();
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
  givenCharge();
  await generate();
  await expect.element(screen.getByText('Aguardando o Pix')).toBeVisible();
  const [unknown, running, inactive, other, last] = gateway
    .calls(createPayment)
    .map(({ headers }) => headers.get('idempotency-key'));
  expect([running, inactive, last]).toEqual([unknown, unknown, unknown]);
  expect(other).not.toBe(unknown);
});

test('a charge that was refused is asked for anew', async () => {
  gateway.refuse(createPayment, 'AMOUNT_TOO_LARGE');
  const { screen } = await form();
  await screen.getByLabelText('Valor').click();
  await userEvent.keyboard('1000{Enter}');
  await expect.element(screen.getByText(errors.AMOUNT_TOO_LARGE.message)).toBeVisible();
  givenCharge();
  await screen.getByRole('button', { name: 'Gerar Pagamento' }).click();
  await expect.element(screen.getByText('Aguardando o Pix')).toBeVisible();
  const [refused, taken] = gateway.calls(createPayment).map(({ headers }) => headers.get('idempotency-key'));
  expect(taken).not.toBe(refused);
});

test('a charge is found again by its address alone, with its code and its time', async () => {
  const charge = givenCharge();
  const { screen } = await result(charge.id);
  await expect.element(screen.getByText('Aguardando o Pix')).toBeVisible();
  await expect.element(screen.getByText(charge.content)).toBeVisible();
  await expect.element(screen.getByAltText('QR Code para pagar este Pix')).toBeVisible();
  await expect.element(screen.getByText(/^(29:5\d|30:00)$/)).toBeVisible();
  await expect
    .element(screen.getByRole('link', { name: 'Pagar esta cobrança no Banco Sandbox' }))
    .toHaveAttribute('href', `http://localhost:3001/?codigo=${charge.content}`);
});

test('on a phone a pending charge leads to a new payment', async () => {
  await page.viewport(390, 844);
  const { screen, address } = await result(givenCharge().id);
  await expect.element(screen.getByText('Você recebe')).toBeVisible();
  await screen.getByRole('link', { name: 'Novo Pagamento' }).click();
  await expect.poll(address).toBe('/pix-payment');
});

test('the code is copied whole', async () => {
  const written = spyClipboard();
  const charge = givenCharge();
  const { screen } = await result(charge.id);
  await screen.getByRole('button', { name: 'Copiar código Pix' }).click();
  await expect.element(screen.getByRole('button', { name: 'Copiado' })).toBeVisible();
  expect(written).toEqual([charge.content]);
});

test('the page on which it is paid is copied, or handed to another app where the browser can', async () => {
  const written = spyClipboard();
  const share = giveShare();
  const charge = givenCharge();
  const { screen } = await result(charge.id);
  await screen.getByRole('button', { name: 'Copiar link' }).click();
  expect(written).toEqual([charge.checkout_url]);
  await screen.getByRole('button', { name: 'Enviar link' }).click();
  expect(share).toHaveBeenCalledWith({
    text: 'Pague R$\u00a01.250,00 com Pix:',
    url: charge.checkout_url,
  });
});

test('a paid charge leads to its receipt', async () => {
  const charge = givenCharge({
    status: 'paid',
    paid_at: new Date().toISOString(),
    receipt_url: 'https://pix.example.com/comprovante/1',
  });
  const { screen } = await result(charge.id);
  await expect
    .element(screen.getByRole('link', { name: 'Ver comprovante' }))
    .toHaveAttribute('href', 'https://pix.example.com/comprovante/1');
});

test('a clipboard that refuses is told of', async () => {
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
  const { screen } = await result(givenCharge().id);
  await screen.getByRole('button', { name: 'Copiar código Pix' }).click();
  await expect.element(screen.getByText('Falha ao copiar para a área de transferência.')).toBeVisible();
});

test('the screen turns to Pago when the live channel says so: announced once, and in the tab', async () => {
  const charge = givenCharge();
  const { screen } = await result(charge.id);
  await expect.element(screen.getByText('Aguardando o Pix')).toBeVisible();
  const paid = { status: 'paid' as const, credited_amount: 1237.62, paid_at: new Date().toISOString() };
  gateway.answer(getPaymentStatus, { ...charge, ...paid });
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

test('after a payment with a reserve the screen names what went to it', async () => {
  const charge = givenCharge({ reserved_amount: 61.88 });
  const { screen } = await result(charge.id);
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

test('without the live channel the charge is asked for until it is paid', async () => {
  liveState.setState({ state: 'down' });
  const charge = givenCharge();
  const { screen } = await result(charge.id);
  await expect.element(screen.getByText('Aguardando o Pix')).toBeVisible();
  gateway.answer(getPaymentStatus, { ...charge, status: 'paid', paid_at: new Date().toISOString() });
  await expect.element(screen.getByText('O dinheiro já está no seu saldo.')).toBeVisible();
});

test('a payment that came before the live channel was open is found all the same', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const charge = givenCharge();
  const { screen } = await result(charge.id);
  await expect.element(screen.getByText('Aguardando o Pix')).toBeVisible();
  gateway.answer(getPaymentStatus, { ...charge, status: 'paid', paid_at: new Date().toISOString() });
  vi.advanceTimersByTime(RECHECK_MS);
  await expect.element(screen.getByText('O dinheiro já está no seu saldo.')).toBeVisible();
});

test('a charge that was called off, or given back, is not told to have run out', async () => {
  const gone = givenCharge({ status: 'expired', cancelled_at: '2026-11-21T17:40:00.000Z' });
  const first = await result(gone.id);
  await expect.element(first.screen.getByText('Esta cobrança foi cancelada.')).toBeVisible();
  await expect.element(first.screen.getByText('Cancelada em')).toBeVisible();
  await first.screen.unmount();
  const returned = givenCharge({ status: 'refunded', paid_at: '2026-11-21T17:33:00.000Z' });
  const { screen } = await result(returned.id);
  await expect.element(screen.getByText('O dinheiro voltou para quem pagou.')).toBeVisible();
  expect(screen.getByText(/expirou|prazo/i).elements()).toEqual([]);
});

test('at zero the code is covered, and another of the same amount and lifetime can be made', async () => {
  const now = Date.now();
  const charge = givenCharge({
    created_at: new Date(now - 15 * MINUTE).toISOString(),
    expires_at: new Date(now - 1).toISOString(),
  });
  const { screen } = await result(charge.id);
  await expect.element(screen.getByText('O código expirou.')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Copiar código Pix' }).elements()).toEqual([]);
  await expect.element(screen.getByText('Expirou em')).toBeVisible();
  await expect.element(screen.getByText('Se o cliente já pagou, o valor será creditado.')).toBeVisible();
  for (const fact of ['Tarifa', 'Você recebe', 'Expira em'])
    await expect.element(screen.getByText(fact)).not.toBeInTheDocument();
  givenCharge({ id: '11111111-7c41-4d0e-9b3a-61f2d8c07a55' });
  await screen.getByRole('button', { name: 'Gerar outro' }).click();
  await expect.element(screen.getByText('Aguardando o Pix')).toBeVisible();
  expect(gateway.calls(createPayment)[0]?.body).toEqual({ amount: 1250, expires_in: 900 });
});

test('an expired charge that is paid late still turns to Pago', async () => {
  const charge = givenCharge({ status: 'expired', expires_at: new Date(Date.now() - MINUTE).toISOString() });
  const { screen } = await result(charge.id);
  await expect.element(screen.getByRole('button', { name: 'Gerar outro' })).toBeVisible();
  gateway.answer(getPaymentStatus, { ...charge, status: 'paid', paid_at: new Date().toISOString() });
  await queryClient.invalidateQueries({ queryKey: ['charge', charge.id] });
  await expect.element(screen.getByText('O dinheiro já está no seu saldo.')).toBeVisible();
});

test('without an API key the form gives way to the way to one', async () => {
  gateway.answer(apiKeyStatus, { hasKey: false, active: false, key: null, masked: null });
  const { screen } = await form();
  await expect
    .element(screen.getByText('Você não possui uma chave API. Por favor, gere uma na página de Chaves API.'))
    .toBeVisible();
  await expect
    .element(screen.getByRole('link', { name: 'Ir para Chaves de API' }))
    .toHaveAttribute('href', '/api-keys');
});

test('an address of nobody’s charge says so', async () => {
  gateway.answer(transactionFeed, feedOf([]));
  gateway.refuse(getPaymentStatus, 'PAYMENT_NOT_FOUND');
  const { screen } = await result('00000000-7c41-4d0e-9b3a-61f2d8c07a55');
  await expect.element(screen.getByText('Pagamento não encontrado')).toBeVisible();
});

test('of a charge that could not be loaded nothing is claimed but the failure', async () => {
  gateway.fail(transactionFeed);
  gateway.fail(getPaymentStatus);
  const { screen } = await result('c1');
  await expect.element(screen.getByText('Erro ao buscar o pagamento')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Tentar Novamente' })).toBeVisible();
  expect(screen.getByText(/continua valendo|Mostre o QR Code/).elements()).toEqual([]);
});

test('the form offers a quarter, half and a whole hour and a day, and begins with half an hour', async () => {
  givenCharge();
  const { screen } = await form();
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

test('an account that is not approved is told what is true of its documents', async () => {
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

test('the support is told that this is for merchants, and of no verification', async () => {
  gateway.answer(getKyc, kycNone);
  const support = { role: 'SUPPORT', approved: false } as const;
  const { screen } = await renderScreen('/pix-payment', PixPaymentPage, support);
  await expect.element(screen.getByRole('heading', { name: 'Recurso de lojistas' })).toBeVisible();
  expect(screen.getByText(/verificar sua identidade/).elements()).toEqual([]);
});

test('whoever has left the form before the answer stays where they went', async () => {
  const charge = givenCharge();
  const answered = Promise.withResolvers<void>();
  stubLate(answered.promise);
  const { screen, address } = await renderScreen('/pix-payment', () => (
    <>
      <PixPaymentPage />
      <Link to="/wallet">Carteira</Link>
    </>
  ));
  await screen.getByLabelText('Valor').click();
  await userEvent.keyboard('1000{Enter}');
  await expect.poll(() => gateway.calls(createPayment)).toHaveLength(1);
  await screen.getByRole('link', { name: 'Carteira' }).click();
  await expect.poll(address).toBe('/wallet');
  answered.resolve();
  await expect.poll(() => queryClient.getQueryData(['charge', charge.id])).toBeDefined();
  await new Promise(requestAnimationFrame);
  expect(address()).toBe('/wallet');
});

/** Answers of a new payment come once `told` is. */
function stubLate(told: Promise<void>) {
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const response = await fetch(address, init);
    if (address.endsWith('/pix/new')) await told;
    return response;
  });
}

test('after a reload that came before the answer, the form says so and leads to the list', async () => {
  gateway.hang(createPayment);
  const first = await form();
  expect(first.screen.getByText('A última cobrança ficou sem confirmação.').elements()).toEqual([]);
  await first.screen.getByLabelText('Valor').click();
  await userEvent.keyboard('1000{Enter}');
  await expect.poll(() => gateway.calls(createPayment)).toHaveLength(1);
  await first.screen.unmount();
  const again = await form();
  await expect.element(again.screen.getByText('A última cobrança ficou sem confirmação.')).toBeVisible();
  await again.screen.getByRole('link', { name: 'Ver transações' }).click();
  await expect.poll(again.address).toBe('/transactions');
  await again.screen.unmount();
  const last = await form();
  await expect.element(last.screen.getByLabelText('Valor')).toBeVisible();
  expect(last.screen.getByText('A última cobrança ficou sem confirmação.').elements()).toEqual([]);
});

test('a charge that the bank did not make is not told to have run out', async () => {
  const { screen } = await result(givenCharge({ status: 'error', content: '' }).id);
  await expect
    .element(screen.getByText('O banco não criou esta cobrança: não há o que pagar.'))
    .toBeVisible();
  expect(screen.getByText(/prazo|Se o cliente já pagou|Não pode mais|^Expir/).elements()).toEqual([]);
});

test('a charge whose code is not there yet offers nothing to copy, and has it when it is opened again', async () => {
  const { content } = transaction;
  const charge = givenCharge({ content: '' });
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

test('what was paid by a code that came as a picture alone is credited too', async () => {
  const charge = givenCharge();
  gateway.answer(createPayment, { ...charge, text: '', content: '', image: 'iVBORw0KGgo=' });
  const { screen } = await form();
  await screen.getByLabelText('Valor').click();
  await userEvent.keyboard('1000{Enter}');
  await expect.element(screen.getByText('Aguardando o Pix')).toBeVisible();
  gateway.answer(getPaymentStatus, { ...charge, status: 'expired' });
  await queryClient.invalidateQueries({ queryKey: ['charge'] });
  await expect.element(screen.getByText('Se o cliente já pagou, o valor será creditado.')).toBeVisible();
});
