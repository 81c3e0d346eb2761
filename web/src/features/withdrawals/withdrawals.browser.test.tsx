import {
  checkWithdrawalPin,
  getKyc,
  getWalletStats,
  outFees,
  profile,
  publicSettings,
  setWithdrawalPin,
  withdraw,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { liveStore } from '../../api/live-state.ts';
import { POLL_MS } from '../../api/queries.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { kycNone, settings, user } from '../../testing/samples.ts';
import type { StubbedGateway } from '../../testing/stub-gateway.ts';
import { outFee, pinSet, withdrawal } from '../../testing/withdrawal-samples.ts';
import {
  confirmWithPin,
  fillInAndSubmit,
  openForm,
  openScreen,
  PIX_KEY,
  richWallet,
  stubWithdrawalGateway,
  ToggledPage,
} from '../../testing/withdrawal-screen.tsx';

const PROMISE = 'O dinheiro sai do seu saldo e chega à chave em segundos.';
const FAILURE = 'Erro ao processar saque. Verifique o PIN ou tente novamente.';
let gateway: StubbedGateway;

beforeEach(async () => {
  gateway = await stubWithdrawalGateway();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const keys = () => gateway.calls(withdraw).map(({ headers }) => headers.get('idempotency-key'));

test('the fee and net amount of the typed amount are shown by the account’s own terms', async () => {
  gateway.answer(outFees, { ...outFee, outPercent: 0.5 });
  const { screen } = await openForm(gateway);
  await screen.getByLabelText('Valor').click();
  await userEvent.keyboard('250000');
  const summary = screen.getByRole('complementary', { name: 'Resumo' });
  await expect.element(summary.getByText('Tarifa de saque (0,5% + R$ 1,50)')).toBeVisible();
  await expect.element(summary.getByText('− R$ 14,00')).toBeVisible();
  await expect.element(summary.getByText('R$ 2.486,00')).toBeVisible();
});

test('until the terms are loaded the fee is R$ 1,50, and a failed load of them is shown', async () => {
  gateway.stall(outFees);
  const waiting = await openForm(gateway);
  await expect.element(waiting.screen.getByText('− R$ 1,50')).toBeVisible();
  await waiting.screen.unmount();
  gateway.fail(outFees);
  const { screen } = await openForm(gateway);
  await expect.element(screen.getByText(/Não foi possível carregar as informações de taxas\./)).toBeVisible();
  gateway.answer(outFees, { ...outFee, outFee: 0.8 });
  await screen.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(screen.getByText('− R$ 0,80')).toBeVisible();
});

test.each([
  ['', 'Valor de saque inválido.'],
  ['499', 'O valor mínimo para saque é de R$ 5,00'],
  ['1248038', 'O valor do saque é maior que o saldo disponível'],
])('the amount %j is refused under its field, and the key under its own', async (typed, sentence) => {
  const { screen } = await openForm(gateway);
  const field = screen.getByLabelText('Valor');
  await field.click();
  if (typed !== '') await userEvent.keyboard(typed);
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByText(sentence)).toBeVisible();
  await expect.element(screen.getByText('Por favor, insira a chave PIX.')).toBeVisible();
  await expect.element(field).toHaveFocus();
  await userEvent.keyboard('1');
  await expect.element(screen.getByText(sentence)).not.toBeInTheDocument();
  await expect.element(screen.getByText('Por favor, insira a chave PIX.')).toBeVisible();
});

test('a key is required and must be valid for its type', async () => {
  const { screen } = await openForm(gateway);
  await screen.getByLabelText('Valor').click();
  await userEvent.keyboard('500{Enter}');
  await expect.element(screen.getByText('Por favor, insira a chave PIX.')).toBeVisible();
  const key = screen.getByLabelText('Chave PIX');
  await expect.element(key).toHaveFocus();
  await userEvent.keyboard('12345678900{Enter}');
  await expect.element(key).toHaveValue('123.456.789-00');
  await expect.element(screen.getByText('CPF inválido')).toBeVisible();
});

test('CPF comes first, and each type formats its key as people write it', async () => {
  const { screen } = await openForm(gateway);
  const type = screen.getByLabelText('Tipo de chave');
  const key = screen.getByLabelText('Chave PIX');
  await expect.element(type).toHaveValue('cpf');
  await key.click();
  await userEvent.keyboard('12345678909');
  await expect.element(key).toHaveValue('123.456.789-09');
  await type.selectOptions('cnpj');
  await expect.element(key).toHaveValue('');
  await key.click();
  await userEvent.keyboard('12abc34501de35');
  await expect.element(key).toHaveValue('12.ABC.345/01DE-35');
  await type.selectOptions('phone');
  await key.click();
  await userEvent.keyboard('81999998888');
  await expect.element(key).toHaveValue('(81) 99999-8888');
  await type.selectOptions('random');
  await expect.element(key).toHaveValue('');
});

test('eleven digits that are also a valid key of the new type stay when the type changes', async () => {
  const { screen } = await openForm(gateway);
  await screen.getByLabelText('Chave PIX').click();
  await userEvent.keyboard('81999998888');
  await screen.getByLabelText('Tipo de chave').selectOptions('phone');
  await expect.element(screen.getByLabelText('Chave PIX')).toHaveValue('(81) 99999-8888');
});

test('pasting a key switches to its type', async () => {
  const { screen } = await openForm(gateway);
  const key = screen.getByLabelText('Chave PIX');
  await key.click();
  const data = new DataTransfer();
  data.setData('text', ' 123E4567-E12B-12D1-A456-426655440000 ');
  key
    .element()
    .dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  await expect.element(screen.getByLabelText('Tipo de chave')).toHaveValue('random');
  await expect
    .element(screen.getByLabelText('Chave PIX'))
    .toHaveValue('123e4567-e12b-12d1-a456-426655440000');
});

test('one button fills in the whole balance', async () => {
  const { screen } = await openForm(gateway);
  await screen.getByRole('button', { name: 'Sacar tudo' }).click();
  await expect.element(screen.getByLabelText('Valor')).toHaveValue('12.480,37');
});

test('a withdrawal is requested with its PIN and an Idempotency-Key, and its success is shown', async () => {
  const { screen } = await openForm(gateway);
  await fillInAndSubmit(screen);
  const dialog = screen.getByRole('dialog', { name: 'Confirmar saque' });
  await expect.element(dialog.getByText('R$ 2.500,00')).toBeVisible();
  await expect.element(dialog.getByText(PIX_KEY)).toBeVisible();
  await expect.element(dialog.getByText(/R\$\s2\.498,50 chegam à chave/)).toBeVisible();
  await expect.element(dialog.getByLabelText('PIN de saque', { exact: true })).toHaveFocus();
  await confirmWithPin(screen);
  await expect.element(screen.getByRole('heading', { name: 'Sucesso!' })).toBeVisible();
  await expect.element(screen.getByText('Saque solicitado.')).toBeVisible();
  await expect.element(screen.getByText('R$ 2.498,50 chegam à chave e-mail')).toBeVisible();
  const [call] = gateway.calls(withdraw);
  expect(call?.body).toEqual({
    amount: 2500,
    pixKey: PIX_KEY,
    pix_key_type: 'email',
    withdrawal_pin: '4829',
  });
  expect(call?.headers.get('idempotency-key')).toMatch(/^\S{16,}$/);
  await screen.getByRole('button', { name: 'OK' }).click();
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
  await expect.element(screen.getByLabelText('Valor')).toHaveValue('');
});

test('a key is sent in its canonical form, however it was typed', async () => {
  const { screen } = await openForm(gateway);
  await screen.getByLabelText('Valor').click();
  await userEvent.keyboard('500');
  await screen.getByLabelText('Tipo de chave').selectOptions('phone');
  await screen.getByLabelText('Chave PIX').click();
  await userEvent.keyboard('81999998888{Enter}');
  await expect.element(screen.getByText('(81) 99999-8888')).toBeVisible();
  await confirmWithPin(screen);
  await expect.element(screen.getByRole('heading', { name: 'Sucesso!' })).toBeVisible();
  expect(gateway.calls(withdraw)[0]?.body).toMatchObject({ pixKey: '+5581999998888', pix_key_type: 'phone' });
});

test('two submissions in quick succession make one request', async () => {
  const { screen } = await openForm(gateway);
  await fillInAndSubmit(screen);
  await userEvent.keyboard('2580');
  const form = screen.getByRole('dialog').element().querySelector('form');
  form?.requestSubmit();
  form?.requestSubmit();
  await expect.element(screen.getByRole('dialog', { name: 'Sucesso!' })).toBeVisible();
  expect(gateway.calls(withdraw)).toHaveLength(1);
});

test('a lockout that began meanwhile is shown when the page opens again, and nothing can be requested', async () => {
  gateway.answer(profile, { user });
  const { screen } = await renderScreen('/withdrawals', ToggledPage, { approved: true });
  const leaveOrReturn = () => screen.getByRole('button', { name: 'Sair ou voltar' }).click();
  await expect.element(screen.getByText(/O PIN é pedido a cada saque\./)).toBeVisible();
  const submit = screen.getByRole('button', { name: 'Solicitar Saque' });
  await expect.element(submit).toBeEnabled();
  await leaveOrReturn();
  gateway.answer(checkWithdrawalPin, { ...pinSet, held_until: '2099-11-22T12:00:00.000Z' });
  await leaveOrReturn();
  await expect.element(screen.getByText(/Saques suspensos até/)).toBeVisible();
  await expect.element(submit).toBeDisabled();
  await leaveOrReturn();
  gateway.answer(outFees, { ...outFee, paused: true });
  await leaveOrReturn();
  await expect.element(screen.getByText(/suspensos pelo operador/)).toBeVisible();
  await expect.element(submit).toBeDisabled();
});

test('fewer than four digits are not sent', async () => {
  const { screen } = await openForm(gateway);
  await fillInAndSubmit(screen);
  await confirmWithPin(screen, '48');
  await expect.element(screen.getByText('PIN inválido. Deve ter 4 dígitos.')).toBeVisible();
  expect(gateway.calls(withdraw)).toEqual([]);
  await screen.getByRole('button', { name: 'Cancelar' }).click();
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
  await expect.element(screen.getByLabelText('Valor')).toHaveValue('2.500,00');
});

test('a wrong PIN is reported in the error dialog, and closing it asks for the PIN again', async () => {
  gateway.refuse(withdraw, 'PIN_WRONG');
  const { screen } = await openForm(gateway);
  await fillInAndSubmit(screen);
  await confirmWithPin(screen, '1111');
  await expect.element(screen.getByRole('heading', { name: 'Erro' })).toBeVisible();
  await expect.element(screen.getByText('PIN incorreto.')).toBeVisible();
  gateway.answer(withdraw, { success: true, message: 'Saque solicitado.', withdrawal });
  await screen.getByRole('button', { name: 'Fechar' }).last().click();
  const pin = screen.getByLabelText('PIN de saque', { exact: true });
  await expect.element(pin).toHaveValue('');
  await expect.element(pin).toHaveFocus();
  await expect.element(pin).toHaveAttribute('aria-invalid', 'true');
  await confirmWithPin(screen);
  await expect.element(screen.getByRole('heading', { name: 'Sucesso!' })).toBeVisible();
});

test('a refusal shows the server’s message, and the next attempt is a new request', async () => {
  gateway.refuse(withdraw, 'INSUFFICIENT_BALANCE');
  const { screen } = await openForm(gateway);
  await fillInAndSubmit(screen);
  await confirmWithPin(screen);
  await expect.element(screen.getByText('Saldo insuficiente.')).toBeVisible();
  expect(screen.getByText(/A resposta não chegou/).elements()).toEqual([]);
  await screen.getByRole('button', { name: 'Fechar' }).last().click();
  await screen.getByRole('button', { name: 'Solicitar Saque' }).click();
  await confirmWithPin(screen);
  await expect.element(screen.getByText('Saldo insuficiente.')).toBeVisible();
  const [first, second] = keys();
  expect(second).not.toBe(first);
});

test('a refusal without a message shows the default message', async () => {
  const { screen } = await openForm(gateway);
  const stubbedFetch = globalThis.fetch;
  vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
    url.endsWith('/authed/withdraw') ? Response.json({}, { status: 400 }) : stubbedFetch(url, init),
  );
  await fillInAndSubmit(screen);
  await confirmWithPin(screen);
  await expect.element(screen.getByText(FAILURE)).toBeVisible();
});

test('a lost response is reported as unknown, and the same request keeps its Idempotency-Key whatever was tried in between', async () => {
  gateway.disconnect(withdraw);
  const { screen } = await openForm(gateway);
  await fillInAndSubmit(screen);
  await confirmWithPin(screen);
  await expect.element(screen.getByRole('heading', { name: 'Saque sem resposta' })).toBeVisible();
  expect(screen.getByText(FAILURE).elements()).toEqual([]);
  await expect.element(screen.getByText(/não sabemos se o saque foi registrado/)).toBeVisible();
  // The merchant is warned that only this page can repeat the same request.
  await expect.element(screen.getByText(/sem recarregar a página, é o mesmo pedido/)).toBeVisible();
  await expect
    .element(screen.getByRole('alertdialog').getByRole('link', { name: 'Histórico de Saques' }))
    .toHaveAttribute('href', '/withdrawal-history');
  const retryWith = async (pin: string) => {
    await screen.getByRole('button', { name: 'Fechar' }).last().click();
    await screen.getByRole('button', { name: 'Solicitar Saque' }).click();
    await confirmWithPin(screen, pin);
  };
  gateway.refuse(withdraw, 'PIN_WRONG');
  await retryWith('1111');
  await expect.element(screen.getByText('PIN incorreto.')).toBeVisible();
  gateway.answer(withdraw, { success: true, message: 'Saque solicitado.', withdrawal });
  await screen.getByRole('button', { name: 'Fechar' }).last().click();
  await confirmWithPin(screen);
  await expect.element(screen.getByRole('heading', { name: 'Sucesso!' })).toBeVisible();
  const [unknown, wrong, last] = keys();
  expect(wrong).not.toBe(unknown);
  expect(last).toBe(unknown);
});

test('a refusal because the operator stopped withdrawals is definite, whatever its status', async () => {
  gateway.refuse(withdraw, 'WITHDRAWALS_PAUSED');
  const { screen } = await openForm(gateway);
  await fillInAndSubmit(screen);
  await confirmWithPin(screen);
  await expect.element(screen.getByText(/suspensos pelo operador/)).toBeVisible();
  expect(screen.getByText(/A resposta não chegou/).elements()).toEqual([]);
});

test('a stop by the operator is shown before anything is typed, until it ends', async () => {
  gateway.answer(outFees, { ...outFee, paused: true });
  const { screen } = await openScreen(gateway);
  await expect
    .element(screen.getByText(/temporariamente suspensos pelo operador\. Seu saldo está seguro\./))
    .toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Solicitar Saque' })).toBeDisabled();
  expect(screen.getByText(PROMISE).elements()).toEqual([]);
  gateway.answer(outFees, outFee);
  await screen.getByRole('button', { name: 'Verificar' }).click();
  await expect.element(screen.getByRole('button', { name: 'Solicitar Saque' })).toBeEnabled();
  await expect.element(screen.getByText(PROMISE)).toBeVisible();
});

test('a screen that stays open notices by itself that a stop has ended and that the shortfall is covered', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    liveStore.setState({ state: 'open' });
    gateway.answer(outFees, { ...outFee, paused: true });
    gateway.answer(getWalletStats, { ...richWallet, owed_to_disputes: 95 });
    const { screen } = await openScreen(gateway);
    await expect.element(screen.getByText(/temporariamente suspensos pelo operador/)).toBeVisible();
    gateway.answer(outFees, outFee);
    await vi.advanceTimersByTimeAsync(POLL_MS);
    await expect.element(screen.getByText(/de disputas ainda descobertos/)).toBeVisible();
    const callsBefore = gateway.calls(outFees).length;
    gateway.answer(getWalletStats, richWallet);
    liveStore.setState({ state: 'down' });
    await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(0);
    await vi.advanceTimersByTimeAsync(2 * POLL_MS);
    await expect.element(screen.getByRole('button', { name: 'Solicitar Saque' })).toBeEnabled();
    expect(gateway.calls(outFees)).toHaveLength(callsBefore);
  } finally {
    vi.useRealTimers();
    liveStore.setState({ state: 'off' });
  }
});

test('a shortfall of disputes is shown before anything is typed, with a link to the disputes', async () => {
  gateway.answer(getWalletStats, { ...richWallet, owed_to_disputes: 95 });
  const { screen } = await openScreen(gateway);
  await expect
    .element(screen.getByText(/Há R\$\s95,00 de disputas ainda descobertos\. Os próximos recebimentos/))
    .toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Solicitar Saque' })).toBeDisabled();
  expect(screen.getByText(PROMISE).elements()).toEqual([]);
  await expect
    .element(screen.getByRole('link', { name: 'Ver disputas' }))
    .toHaveAttribute('href', '/disputes');
});

test('a shortfall that arose meanwhile refuses the withdrawal, and is shown from then on', async () => {
  gateway.refuse(withdraw, 'DISPUTE_SHORTFALL');
  const { screen } = await openForm(gateway);
  await fillInAndSubmit(screen);
  gateway.answer(getWalletStats, { ...richWallet, owed_to_disputes: 95 });
  await confirmWithPin(screen);
  await expect.element(screen.getByText(/de disputas ainda descobertos/)).toBeVisible();
});

test('an amount that is too small or above the balance shows no net amount', async () => {
  const { screen } = await openForm(gateway);
  const summary = screen.getByRole('complementary', { name: 'Resumo' });
  await screen.getByLabelText('Valor').click();
  await userEvent.keyboard('499');
  await expect.element(summary.getByText('R$ 4,99')).toBeVisible();
  expect(summary.getByText('R$ 3,49').elements()).toEqual([]);
  await screen.getByLabelText('Valor').fill('5,00');
  await expect.element(summary.getByText('A chave recebe')).toBeVisible();
  await expect.element(summary.getByText('R$ 3,50')).toBeVisible();
  await screen.getByLabelText('Valor').fill('12.480,38');
  await expect.element(summary.getByText('R$ 12.480,38')).toBeVisible();
  expect(summary.getByText('R$ 12.478,88').elements()).toEqual([]);
});

test('a refusal because of a withdrawal in progress links to the history', async () => {
  gateway.refuse(withdraw, 'WITHDRAWAL_PENDING');
  const { screen } = await openForm(gateway);
  await fillInAndSubmit(screen);
  await confirmWithPin(screen);
  await expect
    .element(screen.getByText('Já existe um saque em andamento. Aguarde a conclusão ou fale com o suporte.'))
    .toBeVisible();
  await expect
    .element(screen.getByRole('alertdialog').getByRole('link', { name: 'Histórico de Saques' }))
    .toBeVisible();
});

test('the last wrong PIN locks withdrawals, and the end of the lock is shown under the button', async () => {
  gateway.refuse(withdraw, 'PIN_LOCKED');
  const { screen } = await openForm(gateway);
  await fillInAndSubmit(screen);
  gateway.answer(checkWithdrawalPin, { ...pinSet, locked_until: '2099-11-21T17:47:00.000Z' });
  await confirmWithPin(screen);
  await expect
    .element(screen.getByText(/Saques bloqueados por tentativas demais com o PIN errado\./))
    .toBeVisible();
  await screen.getByRole('button', { name: 'Fechar' }).last().click();
  await expect.element(screen.getByText('Saques bloqueados até 21/11/2099 às 14:47.')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Solicitar Saque' })).toBeDisabled();
  gateway.answer(checkWithdrawalPin, pinSet);
  await screen.getByRole('button', { name: 'Verificar' }).click();
  await expect.element(screen.getByRole('button', { name: 'Solicitar Saque' })).toBeEnabled();
});

test('without a PIN the form says so, refuses, and offers to set one', async () => {
  gateway.answer(checkWithdrawalPin, { ...pinSet, has_pin: false });
  gateway.answer(setWithdrawalPin, { ...pinSet, success: true, message: 'ok' });
  const { screen } = await openScreen(gateway);
  await expect.element(screen.getByText('PIN de Saque não configurado.')).toBeVisible();
  await expect
    .element(screen.getByText('Você precisa definir um PIN de saque no Dashboard antes de poder sacar.'))
    .toBeVisible();
  await screen.getByLabelText('Valor').click();
  await userEvent.keyboard('500');
  await screen.getByLabelText('Chave PIX').click();
  await userEvent.keyboard('12345678909{Enter}');
  expect(screen.getByRole('dialog').elements()).toEqual([]);

  await screen.getByRole('button', { name: 'Definir PIN' }).click();
  const dialog = screen.getByRole('dialog');
  await dialog.getByLabelText('Senha atual').fill('lojista-demo');
  await dialog.getByLabelText('Novo PIN', { exact: true }).fill('4829');
  await dialog.getByLabelText('Confirmar PIN', { exact: true }).fill('4829');
  await dialog.getByRole('button', { name: 'Definir PIN' }).click();
  await expect.element(screen.getByText(/O PIN é pedido a cada saque\./)).toBeVisible();
  await screen.getByRole('button', { name: 'Solicitar Saque' }).click();
  await expect.element(screen.getByRole('heading', { name: 'Confirmar saque' })).toBeVisible();
});

test('after a change of the PIN the end of the hold is shown in the dialog and under the button', async () => {
  const held = { ...pinSet, held_until: '2099-11-22T17:36:00.000Z' };
  gateway.answer(setWithdrawalPin, { ...held, success: true, message: 'ok' });
  const { screen } = await openForm(gateway);
  await screen.getByRole('button', { name: 'Trocar PIN' }).click();
  const dialog = screen.getByRole('dialog');
  await expect.element(dialog.getByText(/suspensos por 24 horas/)).toBeVisible();
  await dialog.getByLabelText('Senha atual').fill('lojista-demo');
  await dialog.getByLabelText('Novo PIN', { exact: true }).fill('4829');
  await dialog.getByLabelText('Confirmar PIN', { exact: true }).fill('4829');
  await dialog.getByRole('button', { name: 'Trocar PIN' }).click();
  const until = 'Saques suspensos até 22/11/2099 às 14:36.';
  await expect
    .element(screen.getByRole('dialog', { name: 'PIN de saque trocado' }).getByText(until))
    .toBeVisible();
  await screen.getByRole('button', { name: 'OK' }).click();
  await expect.element(screen.getByText(until)).toBeVisible();
});

test('while the PIN is checked the form says so, and a failed check can be retried', async () => {
  gateway.stall(checkWithdrawalPin);
  const waiting = await openScreen(gateway);
  await expect.element(waiting.screen.getByText('Verificando status do PIN...')).toBeVisible();
  await waiting.screen.unmount();
  gateway.fail(checkWithdrawalPin);
  const { screen } = await openScreen(gateway);
  await expect.element(screen.getByText('Erro ao verificar status do PIN.')).toBeVisible();
  gateway.answer(checkWithdrawalPin, pinSet);
  await screen.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(screen.getByText(/O PIN é pedido a cada saque\./)).toBeVisible();
});

test('an account that is not approved, or a gateway without withdrawals, shows no form', async () => {
  gateway.answer(getKyc, kycNone);
  const first = await openScreen(gateway, false);
  await expect.element(first.screen.getByText(/Sua conta ainda não foi aprovada/)).toBeVisible();
  expect(first.screen.getByLabelText('Valor').elements()).toEqual([]);
  await first.screen.unmount();
  gateway.answer(publicSettings, { ...settings, withdrawals: false });
  const { screen } = await openScreen(gateway);
  await expect
    .element(screen.getByText('O banco deste gateway não envia Pix: saques não são possíveis.'))
    .toBeVisible();
  expect(screen.getByLabelText('Valor').elements()).toEqual([]);
});
