import { errors, outFees, profile, withdraw } from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endSession, type SessionEnd, session } from '../../session/session.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { user } from '../../testing/samples.ts';
import type { StubbedGateway } from '../../testing/stub-gateway.ts';
import { outFee, withdrawal } from '../../testing/withdrawal-samples.ts';
import {
  confirmWithPin,
  fillInAndSubmit,
  openForm,
  PIX_KEY,
  stubWithdrawalGateway,
  ToggledPage,
} from '../../testing/withdrawal-screen.tsx';

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

test('what is left of the night’s limit bounds Sacar tudo and the typed amount, before the PIN is requested', async () => {
  const limit = 'Das 20h às 6h o limite de saques é de R$ 1.000,00; restam R$ 700,00.';
  gateway.answer(outFees, { ...outFee, caps: [{ limit: 1000, left: 700, message: limit }, ...outFee.caps] });
  const { screen } = await openForm(gateway);
  await expect.element(screen.getByText(/limite agora R\$\s700,00/)).toBeVisible();
  await screen.getByRole('button', { name: 'Sacar tudo' }).click();
  await expect.element(screen.getByLabelText('Valor')).toHaveValue('700,00');
  await screen.getByLabelText('Tipo de chave').selectOptions('email');
  await screen.getByLabelText('Chave PIX').fill(PIX_KEY);
  await screen.getByLabelText('Valor').fill('700,01');
  await screen.getByRole('button', { name: 'Solicitar Saque' }).click();
  await expect.element(screen.getByText(limit)).toBeVisible();
  expect(screen.getByRole('dialog').elements()).toEqual([]);
  await screen.getByLabelText('Valor').fill('700,00');
  await screen.getByRole('button', { name: 'Solicitar Saque' }).click();
  await expect.element(screen.getByRole('heading', { name: 'Confirmar saque' })).toBeVisible();
});

test('Sacar tudo reports a used-up limit, and a new limit is loaded when it begins', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true });
  try {
    const limit = 'Das 20h às 6h o limite de saques é de R$ 1.000,00 e foi atingido.';
    const morning = new Date(Date.now() + 3_600_000).toISOString();
    gateway.answer(outFees, {
      ...outFee,
      caps: [{ limit: 1000, left: 0, message: limit }, ...outFee.caps],
      capsUntil: morning,
    });
    const { screen } = await openForm(gateway);
    await screen.getByRole('button', { name: 'Sacar tudo' }).click();
    await expect.element(screen.getByText(limit)).toBeVisible();
    await expect.element(screen.getByLabelText('Valor')).toHaveValue('');
    gateway.answer(outFees, outFee);
    await vi.advanceTimersByTimeAsync(3_602_000);
    await expect.element(screen.getByText(/limite agora/)).not.toBeInTheDocument();
    await screen.getByRole('button', { name: 'Sacar tudo' }).click();
    await expect.element(screen.getByLabelText('Valor')).toHaveValue('12.480,37');
  } finally {
    vi.useRealTimers();
  }
});

test('the draft, without the PIN, is restored for the same account after its session ended, and for no other account', async () => {
  gateway.answer(profile, { user });
  const { screen } = await renderScreen('/withdrawals', ToggledPage, { approved: true });
  const { user: account } = session.getState();
  const other = account && { ...account, id: 'u2' };
  const pinField = screen.getByLabelText('PIN de saque', { exact: true });
  const leaveOrReturn = () => screen.getByRole('button', { name: 'Sair ou voltar' }).click();
  const endAndSignInAs = async (end: SessionEnd, signedIn: typeof account) => {
    endSession(end);
    // The sign-in replaces this screen, and its dialog with it.
    document.querySelector('dialog')?.close();
    await leaveOrReturn();
    session.setState({ status: 'authenticated', token: 'anew', user: signedIn, endedBy: null });
    await leaveOrReturn();
    await expect.element(screen.getByText(/O PIN é pedido a cada saque\./)).toBeVisible();
  };
  const amount = screen.getByLabelText('Valor');
  await expect.element(screen.getByText(/O PIN é pedido a cada saque\./)).toBeVisible();
  await fillInAndSubmit(screen);
  await pinField.fill('4829');
  await endAndSignInAs('refusal', account);
  await expect.element(amount).toHaveValue('2.500,00');
  await expect.element(screen.getByLabelText('Chave PIX')).toHaveValue(PIX_KEY);
  await expect.element(screen.getByLabelText('Tipo de chave')).toHaveValue('email');
  await screen.getByRole('button', { name: 'Solicitar Saque' }).click();
  await expect.element(pinField).toHaveValue('');
  await endAndSignInAs('elsewhere', other);
  await expect.element(amount).toHaveValue('');
  await amount.fill('50,00');
  await endAndSignInAs('sign-out', other);
  await expect.element(amount).toHaveValue('');
  await amount.fill('50,00');
  await leaveOrReturn();
  await leaveOrReturn();
  await expect.element(amount).toHaveValue('');
});

test('a refusal of this attempt alone does not hide that an earlier one may have made the withdrawal', async () => {
  gateway.answer(profile, { user });
  const { screen } = await renderScreen('/withdrawals', ToggledPage, { approved: true });
  await expect.element(screen.getByText(/O PIN é pedido a cada saque\./)).toBeVisible();
  gateway.fail(withdraw);
  await fillInAndSubmit(screen);
  await confirmWithPin(screen);
  await screen.getByRole('button', { name: 'Fechar' }).last().click();
  gateway.refuse(withdraw, 'RATE_LIMITED');
  await screen.getByRole('button', { name: 'Solicitar Saque' }).click();
  await confirmWithPin(screen);
  const outcome = screen.getByRole('alertdialog', { name: 'Erro' });
  await expect.element(outcome.getByText(/é o mesmo pedido: o dinheiro não sai duas vezes/)).toBeVisible();
  await expect.element(outcome.getByRole('link', { name: 'Histórico de Saques' })).toBeVisible();
});

test.each([
  [
    'a 500 with a code',
    () => gateway.refuse(withdraw, 'WITHDRAWAL_PROCESSING_ERROR'),
    errors.WITHDRAWAL_PROCESSING_ERROR.message,
  ],
  ['a 502 without a message', () => gateway.fail(withdraw), FAILURE],
  [
    'a response that it is still in progress',
    () => gateway.refuse(withdraw, 'IDEMPOTENCY_IN_PROGRESS'),
    errors.IDEMPOTENCY_IN_PROGRESS.message,
  ],
])(
  'after %s an error is shown, and the same request keeps its Idempotency-Key even after another screen',
  async (_response, stubFailure, sentence) => {
    stubFailure();
    gateway.answer(profile, { user });
    const { screen } = await renderScreen('/withdrawals', ToggledPage, { approved: true });
    const requestWithdrawal = async () => {
      await expect.element(screen.getByText(/O PIN é pedido a cada saque\./)).toBeVisible();
      await fillInAndSubmit(screen);
      await confirmWithPin(screen);
    };
    const closeAndLeave = async () => {
      await screen.getByRole('button', { name: 'Fechar' }).last().click();
      await screen.getByRole('button', { name: 'Sair ou voltar' }).click();
      await screen.getByRole('button', { name: 'Sair ou voltar' }).click();
    };
    await requestWithdrawal();
    const outcome = screen.getByRole('alertdialog', { name: 'Erro' });
    await expect.element(outcome.getByText(sentence)).toBeVisible();
    await expect.element(outcome.getByText(/é o mesmo pedido: o dinheiro não sai duas vezes/)).toBeVisible();
    await expect.element(outcome.getByRole('link', { name: 'Histórico de Saques' })).toBeVisible();
    expect(outcome.getByText(/não sabemos|não chegou/).elements()).toEqual([]);
    await closeAndLeave();
    // The response to a later attempt says nothing about the first attempt.
    gateway.refuse(withdraw, 'PIN_LOCKED');
    await requestWithdrawal();
    await closeAndLeave();
    gateway.answer(withdraw, { success: true, message: 'Saque solicitado.', withdrawal });
    await requestWithdrawal();
    await screen.getByRole('button', { name: 'OK' }).click();
    await fillInAndSubmit(screen);
    await confirmWithPin(screen);
    await expect.poll(keys).toHaveLength(4);
    const [first, locked, accepted, other] = keys();
    expect([locked, accepted]).toEqual([first, first]);
    expect(other).not.toBe(first);
  },
);
