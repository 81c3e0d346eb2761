import {
  checkWithdrawalPin,
  getApiWithdrawals,
  getKyc,
  publicSettings,
  removeDestination,
  saveDestination,
  setApiWithdrawals,
  setWithdrawalPin,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { renderScreen } from '../../testing/render-screen.tsx';
import { kycNone, settings } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { pinSet } from '../../testing/withdrawal-samples.ts';
import { ApiWithdrawalsPage } from './api-withdrawals-page.tsx';

let gateway: StubbedGateway;

const destination = {
  pix_key: '12345678909',
  pix_key_type: 'cpf' as const,
  label: 'Conta da Marina',
  created_at: '2026-11-21T17:32:00.000Z',
};
const disabledState = { enabled: false, destinations: [] };
const enabledState = { enabled: true, destinations: [destination] };

beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(publicSettings, settings);
  gateway.answer(checkWithdrawalPin, pinSet);
  gateway.answer(getApiWithdrawals, disabledState);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const openPage = (approved = true) => renderScreen('/api-withdrawals', ApiWithdrawalsPage, { approved });
type Screen = Awaited<ReturnType<typeof openPage>>['screen'];

async function fillPasswordAndPin(screen: Screen) {
  await screen.getByLabelText('Senha atual').fill('lojista-demo');
  await screen.getByLabelText('PIN de saque', { exact: true }).fill('4829');
}

test('withdrawals by API are off until they are turned on with password and PIN', async () => {
  gateway.answer(setApiWithdrawals, { enabled: true, destinations: [] });
  const { screen } = await openPage();
  await expect.element(screen.getByText('Desligado')).toBeVisible();
  await screen.getByRole('button', { name: 'Ligar o saque pela API' }).click();
  const confirm = screen.getByRole('dialog').getByRole('button', { name: 'Ligar', exact: true });
  await confirm.click();
  await expect.element(screen.getByText('Senha atual é obrigatória')).toBeVisible();
  await expect.element(screen.getByText('PIN inválido. Deve ter 4 dígitos.')).toBeVisible();
  expect(gateway.calls(setApiWithdrawals)).toEqual([]);
  await fillPasswordAndPin(screen);
  await confirm.click();
  await expect.element(screen.getByText('Ligado', { exact: true })).toBeVisible();
  await expect.element(screen.getByText(/ainda não há para onde/)).toBeVisible();
  expect(gateway.calls(setApiWithdrawals)[0]?.body).toEqual({
    enabled: true,
    password: 'lojista-demo',
    withdrawal_pin: '4829',
  });
});

test.each([
  ['PASSWORD_WRONG', 'Senha incorreta.', 'Senha atual'],
  ['PIN_WRONG', 'PIN incorreto.', 'PIN de saque'],
] as const)('%s is shown at its field, and the PIN must be entered again', async (code, sentence, label) => {
  gateway.refuse(setApiWithdrawals, code);
  const { screen } = await openPage();
  await screen.getByRole('button', { name: 'Ligar o saque pela API' }).click();
  await fillPasswordAndPin(screen);
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByText(sentence)).toBeVisible();
  await expect.element(screen.getByLabelText(label, { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await expect.element(screen.getByLabelText('PIN de saque', { exact: true })).toHaveValue('');
});

test('a lock of the PIN is shown in the dialog', async () => {
  gateway.refuse(setApiWithdrawals, 'PIN_LOCKED');
  const { screen } = await openPage();
  await screen.getByRole('button', { name: 'Ligar o saque pela API' }).click();
  await fillPasswordAndPin(screen);
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByText(/Saques bloqueados por tentativas demais/)).toBeVisible();
});

test('withdrawals by API are turned off without password or PIN', async () => {
  gateway.answer(getApiWithdrawals, enabledState);
  gateway.answer(setApiWithdrawals, { ...enabledState, enabled: false });
  const { screen } = await openPage();
  await screen.getByRole('button', { name: 'Desligar' }).click();
  await expect.element(screen.getByText('Desligado', { exact: true })).toBeVisible();
  expect(gateway.calls(setApiWithdrawals)[0]?.body).toEqual({ enabled: false });
});

test('a destination is saved with its Pix key in canonical form, its name, the password and the PIN', async () => {
  gateway.answer(saveDestination, enabledState);
  const { screen } = await openPage();
  await screen.getByRole('button', { name: 'Adicionar destino' }).click();
  const save = screen.getByRole('button', { name: 'Salvar destino' });
  await save.click();
  await expect.element(screen.getByText('Por favor, insira a chave PIX.')).toBeVisible();
  await screen.getByLabelText('Chave PIX').click();
  await userEvent.keyboard('12345678909');
  await screen.getByLabelText('Nome (opcional)').fill(' Conta da Marina ');
  await fillPasswordAndPin(screen);
  await save.click();
  await expect.element(screen.getByText('Conta da Marina')).toBeVisible();
  await expect.element(screen.getByText('123.456.789-09')).toBeVisible();
  await expect.element(screen.getByText('CPF · salvo em 21/11/2026')).toBeVisible();
  expect(gateway.calls(saveDestination)[0]?.body).toEqual({
    pixKey: '12345678909',
    pix_key_type: 'cpf',
    label: 'Conta da Marina',
    password: 'lojista-demo',
    withdrawal_pin: '4829',
  });
});

test('a refused key shows its error at the key field', async () => {
  gateway.refuse(saveDestination, 'PIX_KEY_OF_GATEWAY');
  const { screen } = await openPage();
  await screen.getByRole('button', { name: 'Adicionar destino' }).click();
  await screen.getByLabelText('Chave PIX').click();
  await userEvent.keyboard('12345678909');
  await fillPasswordAndPin(screen);
  await screen.getByRole('button', { name: 'Salvar destino' }).click();
  await expect.element(screen.getByText(/Esta chave é do próprio gateway/)).toBeVisible();
  await expect.element(screen.getByLabelText('Chave PIX')).toHaveAttribute('aria-invalid', 'true');
});

test('a destination is removed after a confirmation', async () => {
  gateway.answer(getApiWithdrawals, enabledState);
  gateway.answer(removeDestination, { ...enabledState, destinations: [] });
  const { screen } = await openPage();
  await screen.getByRole('button', { name: 'Remover 123.456.789-09' }).click();
  const dialog = screen.getByRole('alertdialog', { name: 'Remover destino?' });
  await expect.element(dialog.getByText('123.456.789-09')).toBeVisible();
  await dialog.getByRole('button', { name: 'Remover destino' }).click();
  await expect.element(screen.getByText('Nenhum destino salvo')).toBeVisible();
  expect(gateway.calls(removeDestination)[0]?.body).toEqual({ pixKey: '12345678909' });
});

test('without a PIN nothing can be turned on or saved, and the PIN can be set on the page', async () => {
  gateway.answer(checkWithdrawalPin, { ...pinSet, has_pin: false });
  gateway.answer(setWithdrawalPin, { ...pinSet, success: true, message: 'ok' });
  const { screen } = await openPage();
  await expect.element(screen.getByText('PIN de Saque não configurado.')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Ligar o saque pela API' })).toBeDisabled();
  await screen.getByRole('button', { name: 'Definir PIN' }).click();
  const dialog = screen.getByRole('dialog');
  await dialog.getByLabelText('Senha atual').fill('lojista-demo');
  await dialog.getByLabelText('Novo PIN', { exact: true }).fill('4829');
  await dialog.getByLabelText('Confirmar PIN', { exact: true }).fill('4829');
  await dialog.getByRole('button', { name: 'Definir PIN' }).click();
  await expect.element(screen.getByRole('button', { name: 'Ligar o saque pela API' })).toBeEnabled();
});

test('a failure to load is shown and can be retried', async () => {
  gateway.fail(getApiWithdrawals);
  const { screen } = await openPage();
  await expect.element(screen.getByText('Erro ao buscar o saque pela API.')).toBeVisible();
  gateway.answer(getApiWithdrawals, enabledState);
  await screen.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(screen.getByText('Conta da Marina')).toBeVisible();
});

test('an account that is not approved, or whose gateway’s bank sends no Pix, sees the reason', async () => {
  gateway.answer(getKyc, kycNone);
  const first = await openPage(false);
  await expect.element(first.screen.getByText(/Sua conta ainda não foi aprovada/)).toBeVisible();
  await first.screen.unmount();
  gateway.answer(publicSettings, { ...settings, withdrawals: false });
  const { screen } = await openPage();
  await expect
    .element(screen.getByText('O banco deste gateway não envia Pix: saques não são possíveis.'))
    .toBeVisible();
});

test('a provider without withdrawals by API shows that they are unavailable', async () => {
  gateway.refuse(getApiWithdrawals, 'NOT_FOUND');
  const { screen } = await openPage();
  await expect.element(screen.getByText('Este gateway não oferece saques pela chave de API.')).toBeVisible();
});
