import {
  apiKeyStatus,
  confirmPassword,
  generateApiKey,
  listScopedKeys,
  publicSettings,
  revealApiKey,
  revokeApiKey,
  rotateWebhookSecret,
  webhookSecret,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { call } from '../../api/client.ts';
import { stepUpPrompt } from '../../api/step-up.ts';
import { renderScreen, spyClipboard } from '../../testing/render-screen.tsx';
import { apiKey, settings } from '../../testing/samples.ts';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { ApiKeyCard } from './api-key-card.tsx';
import { ApiKeysPage } from './api-keys-page.tsx';

const KEY = 'jgd_0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f4f2a';
let gateway: StubbedGateway;
beforeEach(() => {
  gateway = stubGateway();
  gateway.answer(apiKeyStatus, apiKey);
  gateway.answer(publicSettings, { ...settings, adminEmail: 'docs@example.com' });
  gateway.answer(webhookSecret, { secret: 'whsec_first' });
  gateway.answer(listScopedKeys, { keys: [] });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const openPage = (approved = true) => renderScreen('/api-keys', ApiKeysPage, { approved });
const noKey = { hasKey: false, active: false, key: null, masked: null };

test('showing the key asks for the password, and a wrong password is reported in the dialog', async () => {
  const { screen } = await openPage();
  await screen.getByRole('button', { name: 'Mostrar chave' }).click();
  await expect.element(screen.getByLabelText('Senha', { exact: true })).toHaveFocus();
  gateway.refuse(revealApiKey, 'PASSWORD_WRONG');
  await userEvent.keyboard('errada{Enter}');
  await expect.element(screen.getByText('Senha incorreta.')).toBeVisible();
  gateway.answer(revealApiKey, { key: KEY });
  await screen.getByRole('button', { name: 'Confirmar' }).click();
  await expect.element(screen.getByText(KEY)).toBeVisible();
  await screen.getByRole('button', { name: 'Esconder chave' }).click();
  await expect.element(screen.getByText(KEY)).not.toBeInTheDocument();
});

test('copying the key without the password asks for it first', async () => {
  const copiedTexts = spyClipboard();
  gateway.answer(revealApiKey, { key: KEY });
  const { screen } = await openPage();
  await screen.getByRole('button', { name: 'Copiar chave' }).click();
  await expect.element(screen.getByLabelText('Senha', { exact: true })).toHaveFocus();
  await userEvent.keyboard('certa{Enter}');
  await expect.element(screen.getByText('API key copied to clipboard')).toBeVisible();
  expect(copiedTexts).toEqual([KEY]);
});

test('a key that the server sends with the status is shown and copied without a password', async () => {
  const copiedTexts = spyClipboard();
  gateway.answer(apiKeyStatus, { ...apiKey, key: KEY });
  const { screen } = await openPage();
  await screen.getByRole('button', { name: 'Mostrar chave' }).click();
  await expect.element(screen.getByText(KEY)).toBeVisible();
  await screen.getByRole('button', { name: 'Copiar chave' }).click();
  expect(copiedTexts).toEqual([KEY]);
});

test('a new key is shown once, in a dialog', async () => {
  gateway.answer(apiKeyStatus, noKey);
  gateway.answer(generateApiKey, { key: KEY, apiKey: KEY, active: true });
  const { screen } = await openPage();
  await screen.getByRole('button', { name: 'Gerar chave' }).click();
  await expect.element(screen.getByText('Chave API gerada com sucesso')).toBeInTheDocument();
  await expect.element(screen.getByRole('dialog').getByText(KEY)).toBeVisible();
  await screen.getByRole('dialog').getByRole('button', { name: 'Fechar' }).last().click();
  await expect.element(screen.getByText(KEY)).not.toBeInTheDocument();
  await expect.element(screen.getByText('Ativa')).toBeVisible();
});

test('replacing a key asks for confirmation, and shows a failure', async () => {
  gateway.fail(generateApiKey);
  const { screen } = await openPage();
  await screen.getByRole('button', { name: 'Gerar nova chave' }).click();
  const dialog = screen.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Gerar nova chave' }).click();
  await expect.element(dialog.getByText('Failed to generate API key')).toBeVisible();
});

test('revoking the key asks for confirmation, and afterwards the page shows that there is no key', async () => {
  gateway.fail(revokeApiKey);
  const { screen } = await openPage();
  await screen.getByRole('button', { name: 'Revogar chave' }).click();
  const dialog = screen.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Revogar chave' }).click();
  await expect.element(dialog.getByText('Failed to revoke API key')).toBeVisible();
  gateway.answer(revokeApiKey, { success: true });
  await dialog.getByRole('button', { name: 'Revogar chave' }).click();
  await expect.element(screen.getByText('API key revoked successfully')).toBeVisible();
  await expect.element(screen.getByText('Nenhuma chave ainda')).toBeVisible();
});

test('an inactive key shows how to contact support', async () => {
  gateway.answer(apiKeyStatus, { ...apiKey, active: false });
  const { screen } = await openPage();
  await expect.element(screen.getByText('Fale com o suporte para ativá-la', { exact: false })).toBeVisible();
  await expect
    .element(screen.getByRole('link', { name: 'docs@example.com' }))
    .toHaveAttribute('href', 'mailto:docs@example.com');
});

test('an account that is not approved cannot generate a key', async () => {
  gateway.answer(apiKeyStatus, noKey);
  const { screen } = await openPage(false);
  await expect.element(screen.getByText('Nenhuma chave ainda')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Gerar chave' }).elements()).toEqual([]);
});

test('a failure to load the status is shown and can be retried', async () => {
  gateway.fail(apiKeyStatus);
  const { screen } = await openPage();
  await expect.element(screen.getByText('Failed to load API key status')).toBeVisible();
  gateway.answer(apiKeyStatus, apiKey);
  await screen.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(screen.getByText('Ativa')).toBeVisible();
});

test('the webhook secret is fetched only when it is shown, and is replaced after a confirmation', async () => {
  gateway.answer(rotateWebhookSecret, { secret: 'whsec_second' });
  const { screen } = await openPage();
  await expect.element(screen.getByRole('button', { name: 'Mostrar segredo' })).toBeVisible();
  expect(screen.getByText('whsec_first').elements()).toEqual([]);
  expect(gateway.calls(webhookSecret)).toEqual([]);
  await screen.getByRole('button', { name: 'Mostrar segredo' }).click();
  await expect.element(screen.getByText('whsec_first')).toBeVisible();
  await screen.getByRole('button', { name: 'Trocar segredo' }).click();
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Trocar segredo' }).click();
  await expect.element(screen.getByText('whsec_second')).toBeVisible();
});

test('the webhook secret is shown, copied and replaced after the password where the server requires it', async () => {
  const copiedTexts = spyClipboard();
  /** Makes the call require the password, and succeed once the password was given. */
  const answerAfterPassword = (
    endpoint: typeof webhookSecret | typeof rotateWebhookSecret,
    secret: string,
  ) => {
    if (endpoint === webhookSecret) gateway.answer(webhookSecret, { secret: null });
    else gateway.refuse(endpoint, 'PASSWORD_REQUIRED');
    gateway.answer(confirmPassword, () => {
      gateway.answer(endpoint, { secret });
      return { success: true as const };
    });
  };
  answerAfterPassword(webhookSecret, 'whsec_first');
  const { screen } = await openPage();
  await screen.getByRole('button', { name: 'Mostrar segredo' }).click();
  await expect.element(screen.getByLabelText('Senha', { exact: true })).toHaveFocus();
  await userEvent.keyboard('certa{Enter}');
  await expect.element(screen.getByText('whsec_first')).toBeVisible();
  expect(gateway.calls(confirmPassword).map(({ body }) => body)).toEqual([{ password: 'certa' }]);

  answerAfterPassword(rotateWebhookSecret, 'whsec_second');
  await screen.getByRole('button', { name: 'Trocar segredo' }).click();
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Trocar segredo' }).click();
  await expect.element(screen.getByLabelText('Senha', { exact: true })).toHaveFocus();
  await screen.getByLabelText('Senha', { exact: true }).fill('certa');
  await screen.getByRole('button', { name: 'Confirmar' }).click();
  await expect.element(screen.getByText('whsec_second')).toBeVisible();

  await screen.unmount();
  answerAfterPassword(webhookSecret, 'whsec_third');
  const reopenedPage = await openPage();
  await reopenedPage.screen.getByRole('button', { name: 'Copiar segredo' }).click();
  await expect.element(reopenedPage.screen.getByLabelText('Senha', { exact: true })).toHaveFocus();
  await userEvent.keyboard('certa{Enter}');
  await expect.element(reopenedPage.screen.getByText('Segredo copiado')).toBeVisible();
  expect(copiedTexts).toEqual(['whsec_third']);
  expect(reopenedPage.screen.getByText('whsec_third').elements()).toEqual([]);
});

test('a wrong password leaves the webhook secret masked, and the dialog open', async () => {
  gateway.answer(webhookSecret, { secret: null });
  gateway.refuse(confirmPassword, 'PASSWORD_WRONG');
  const { screen } = await openPage();
  await screen.getByRole('button', { name: 'Mostrar segredo' }).click();
  await expect.element(screen.getByLabelText('Senha', { exact: true })).toHaveFocus();
  await userEvent.keyboard('errada{Enter}');
  await expect.element(screen.getByText('Senha incorreta.')).toBeVisible();
  await screen.getByRole('button', { name: 'Cancelar' }).click();
  await expect.element(screen.getByRole('button', { name: 'Mostrar segredo' })).toBeVisible();
});

test('the webhook secret is shown after the password and the second factor, where the account has one', async () => {
  gateway.answer(webhookSecret, { secret: null });
  gateway.answer(confirmPassword, { success: true });
  const { screen } = await openPage();
  await screen.getByRole('button', { name: 'Mostrar segredo' }).click();
  await expect.element(screen.getByLabelText('Senha', { exact: true })).toHaveFocus();
  await userEvent.keyboard('certa{Enter}');
  const openPrompt = () => stepUpPrompt.getState().prompt ?? expect.fail('not asked yet');
  const prompt = await vi.waitFor(openPrompt, 60_000);
  gateway.answer(webhookSecret, { secret: 'whsec_first' });
  prompt.answer(true);
  await expect.element(screen.getByText('whsec_first')).toBeVisible();
});

test('a failure to load the webhook secret is shown, and pressing again shows the secret', async () => {
  gateway.fail(webhookSecret);
  const { screen } = await openPage();
  await screen.getByRole('button', { name: 'Mostrar segredo' }).click();
  await expect.element(screen.getByText('Erro ao buscar o segredo dos webhooks.')).toBeVisible();
  gateway.answer(webhookSecret, { secret: 'whsec_first' });
  await screen.getByRole('button', { name: 'Mostrar segredo' }).click();
  await expect.element(screen.getByText('whsec_first')).toBeVisible();
});

test('the header that contains the key is explained', async () => {
  const { screen } = await openPage();
  const explanation = screen.getByRole('complementary', { name: 'Como usar a chave' });
  await expect.element(explanation.getByText('X-API-Key', { exact: true })).toBeVisible();
  await expect.element(explanation.getByText(/X-API-Key: sua-chave/)).toBeVisible();
});

test('the dashboard card shows the status of the key, and links to its page', async () => {
  const { screen } = await renderScreen('/dashboard', ApiKeyCard);
  const card = screen.getByRole('region', { name: 'Chave de API' });
  await expect.element(card.getByText('Ativa')).toBeVisible();
  await expect.element(card.getByText(apiKey.masked)).toBeVisible();
  await expect
    .element(card.getByRole('link', { name: 'Chaves de API' }))
    .toHaveAttribute('href', '/api-keys');
});

// This test is the last, because the page remembers from then on that the provider does not offer more.
test('a provider without a webhook secret leaves that part out', async () => {
  gateway.refuse(publicSettings, 'NOT_FOUND');
  const { screen } = await openPage();
  await call(publicSettings, {}).catch(() => {});
  await expect.element(screen.getByText('Ativa')).toBeVisible();
  await expect.element(screen.getByText('Segredo dos webhooks')).not.toBeInTheDocument();
});
