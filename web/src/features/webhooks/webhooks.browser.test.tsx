import {
  confirmPassword,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  disableWebhookEndpoint,
  enableWebhookEndpoint,
  getWebhookDelivery,
  listWebhookDeliveries,
  listWebhookEndpoints,
  rotateWebhookEndpointSecret,
  testWebhookEndpoint,
  updateWebhookEndpoint,
  type WebhookEndpoint,
  webhookEndpointSecret,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { StepUp } from '../../panel/step-up/step-up.tsx';
import { renderScreen, spyClipboard } from '../../testing/render-screen.tsx';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { webhookDelivery, webhookDeliveryDetail, webhookEndpoint } from '../../testing/webhook-samples.ts';
import { WebhooksPage } from './webhooks-page.tsx';
import { POLL_FIRST_ATTEMPT_MS } from './webhooks-queries.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
let gateway: StubbedGateway;
const stubEndpoints = (...endpoints: WebhookEndpoint[]) =>
  gateway.answer(listWebhookEndpoints, { endpoints, limit: 16 });
beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  stubEndpoints(webhookEndpoint);
  gateway.answer(listWebhookDeliveries, { deliveries: [], has_more: false, next: null });
  gateway.answer(webhookEndpointSecret, { secret: null });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const openList = () => renderScreen('/webhooks', WebhooksPage);
const openEndpoint = () => renderScreen(`/webhooks?id=${webhookEndpoint.id}`, WebhooksPage);
const off: WebhookEndpoint = {
  ...webhookEndpoint,
  state: 'off',
  off_reason: 'gone',
  off_at: '2026-11-22T13:00:00.000Z',
};

test('each endpoint shows its events, its state and the reason for it, at any width', async () => {
  const failing = { ...webhookEndpoint, id: 'b', url: 'https://erp.example/pix', events: [], failures: 7 };
  const offForFailures = {
    ...off,
    id: 'd',
    url: 'https://antigo.example/hook',
    off_reason: 'failing' as const,
  };
  stubEndpoints(
    webhookEndpoint,
    { ...failing, failing_since: '2026-11-22T12:00:00.000Z' },
    { ...off, id: 'c', url: 'https://fim.example/hook' },
    offForFailures,
  );
  const { screen } = await openList();
  const row = (name: RegExp) => screen.getByRole('row', { name });
  await expect
    .element(row(/loja\.example.*Pagamento recebido, Pagamento estornado e mais 1.*Ligado/))
    .toBeVisible();
  await expect
    .element(row(/erp\.example.*Todos os eventos.*Falhando ?7 falhas desde 22\/11\/2026/))
    .toBeVisible();
  await expect.element(row(/fim\.example.*Desligado ?Respondeu 410 em 22\/11\/2026/)).toBeVisible();
  await expect.element(row(/antigo\.example.*Desligado ?Só falhava em/)).toBeVisible();
  await page.viewport(390, 844);
  const items = screen.getByRole('list', { name: 'Endereços de webhook' }).getByRole('listitem');
  await expect.element(items.filter({ hasText: 'erp.example' }).getByText('Falhando')).toBeVisible();
});

test('an endpoint is added with the chosen events, and its secret is shown', async () => {
  const written = spyClipboard();
  stubEndpoints();
  const { screen, currentUrl } = await openList();
  await screen.getByRole('button', { name: 'Adicionar endereço' }).click();
  const form = screen.getByRole('dialog', { name: 'Adicionar endereço' });
  const send = form.getByRole('button', { name: 'Adicionar' });
  await send.click();
  await expect.element(form.getByText('Informe o endereço do seu servidor.')).toBeVisible();
  await form.getByLabelText('Endereço (URL)').fill('loja.example/hook');
  await form.getByText('Escolher', { exact: true }).click();
  await send.click();
  await expect.element(form.getByText(/^Informe o endereço inteiro/)).toBeVisible();
  await expect.element(form.getByText('Escolha ao menos um evento.')).toBeVisible();
  expect(gateway.calls(createWebhookEndpoint)).toEqual([]);

  await form.getByLabelText('Endereço (URL)').fill(' https://loja.example/hook ');
  await form.getByRole('checkbox', { name: /Pagamento recebido/ }).click();
  await form.getByRole('checkbox', { name: /Disputa aberta/ }).click();
  gateway.refuse(createWebhookEndpoint, 'INVALID_CALLBACK_URL');
  await send.click();
  await expect.element(form.getByLabelText('Endereço (URL)')).toHaveAttribute('aria-invalid', 'true');
  gateway.answer(createWebhookEndpoint, { ...webhookEndpoint, secret: SECRET });
  gateway.stall(listWebhookEndpoints);
  await send.click();
  const secretDialog = screen.getByRole('dialog', { name: 'Endereço adicionado' });
  await expect.element(secretDialog.getByText(SECRET)).toBeVisible();
  expect(gateway.calls(createWebhookEndpoint).at(-1)?.body).toEqual({
    url: 'https://loja.example/hook',
    description: '',
    events: ['payment.paid', 'dispute.opened'],
  });
  await secretDialog.getByRole('button', { name: 'Copiar segredo' }).click();
  expect(written).toEqual([SECRET]);
  await secretDialog.getByRole('button', { name: 'Continuar' }).click();
  await expect.element(screen.getByText('Nada foi enviado ainda.', { exact: false })).toBeVisible();
  expect(currentUrl()).toBe(`/webhooks?id=${webhookEndpoint.id}`);
  await expect.element(screen.getByText(SECRET)).not.toBeInTheDocument();
});

test('adding an endpoint prompts for the password when the gateway requires it', async () => {
  stubEndpoints();
  const { screen } = await renderScreen('/webhooks', () => (
    <>
      <WebhooksPage />
      <StepUp />
    </>
  ));
  await screen.getByRole('button', { name: 'Adicionar endereço' }).click();
  const form = screen.getByRole('dialog', { name: 'Adicionar endereço' });
  await form.getByLabelText('Endereço (URL)').fill('https://loja.example/hook');
  gateway.refuse(createWebhookEndpoint, 'STEP_UP_REQUIRED', { methods: ['password'] });
  await form.getByRole('button', { name: 'Adicionar' }).click();

  const passwordDialog = screen.getByRole('dialog', { name: 'Confirme sua senha' });
  gateway.refuse(confirmPassword, 'PASSWORD_WRONG');
  await passwordDialog.getByLabelText('Senha', { exact: true }).fill('errada');
  await passwordDialog.getByRole('button', { name: 'Confirmar' }).click();
  await expect.element(passwordDialog.getByText('Senha incorreta.')).toBeVisible();

  gateway.answer(confirmPassword, { success: true });
  gateway.answer(createWebhookEndpoint, { ...webhookEndpoint, secret: SECRET });
  await passwordDialog.getByLabelText('Senha', { exact: true }).fill('certa');
  await passwordDialog.getByRole('button', { name: 'Confirmar' }).click();
  const secretDialog = screen.getByRole('dialog', { name: 'Endereço adicionado' });
  await expect.element(secretDialog.getByText(SECRET)).toBeVisible();
  expect(gateway.calls(createWebhookEndpoint)).toHaveLength(2);
});

test('after an unknown outcome the merchant is asked to check the list of endpoints before trying again', async () => {
  stubEndpoints();
  gateway.fail(createWebhookEndpoint);
  const { screen } = await openList();
  await screen.getByRole('button', { name: 'Adicionar endereço' }).click();
  const form = screen.getByRole('dialog', { name: 'Adicionar endereço' });
  await form.getByLabelText('Endereço (URL)').fill('https://loja.example/hook');
  stubEndpoints(webhookEndpoint);
  await form.getByRole('button', { name: 'Adicionar' }).click();
  await expect
    .element(form.getByRole('alert'))
    .toHaveTextContent('Não sabemos se o endereço foi adicionado. Confira a lista antes de tentar de novo.');
  await expect.poll(() => gateway.calls(listWebhookEndpoints)).toHaveLength(2);
});

test('at the limit of endpoints the list says that one must be removed first', async () => {
  gateway.answer(listWebhookEndpoints, { endpoints: [webhookEndpoint], limit: 1 });
  const { screen } = await openList();
  await expect.element(screen.getByText(/^São no máximo 1 endereços/)).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Adicionar endereço' })).toBeDisabled();
});

test('the form of a change starts with the saved values, and all events are sent as an empty list', async () => {
  const { screen } = await openEndpoint();
  await screen.getByRole('button', { name: 'Alterar' }).click();
  const form = screen.getByRole('dialog', { name: 'Alterar endereço' });
  await expect.element(form.getByLabelText('Endereço (URL)')).toHaveValue(webhookEndpoint.url);
  await expect.element(form.getByRole('checkbox', { name: /Pagamento estornado/ })).toBeChecked();
  await form.getByText('Todos', { exact: true }).click();
  gateway.answer(updateWebhookEndpoint, { ...webhookEndpoint, events: [] });
  await form.getByRole('button', { name: 'Salvar' }).click();
  await expect.element(screen.getByText('Endereço alterado')).toBeVisible();
  expect(gateway.calls(updateWebhookEndpoint)[0]?.body).toMatchObject({
    url: webhookEndpoint.url,
    description: 'Loja online',
    events: [],
  });
});

test('a test event is polled until the receiver has responded, and advice is shown', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const sent = { ...webhookDelivery, type: 'webhook.test', state: 'waiting' as const };
  const waiting = { ...webhookDeliveryDetail, ...sent };
  gateway.answer(testWebhookEndpoint, { ...sent, attempts: 0, last_status: null });
  gateway.answer(getWebhookDelivery, { ...waiting, attempts: 0, log: [] });
  const { screen } = await openEndpoint();
  await screen.getByRole('button', { name: 'Enviar teste' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Evento de teste' });
  await expect.element(dialog.getByText('Esperando a resposta do seu servidor…')).toBeVisible();
  gateway.answer(getWebhookDelivery, { ...waiting, next_attempt_at: '2026-11-22T13:02:00.000Z' });
  await vi.advanceTimersByTimeAsync(POLL_FIRST_ATTEMPT_MS);
  await expect.element(dialog.getByText(/Seu servidor respondeu 500 em 132.ms\./)).toBeVisible();
  await expect.element(dialog.getByText(/^Seu código falhou/)).toBeVisible();
  await expect.element(dialog.getByText('TypeError: order is undefined')).toBeVisible();
  await expect.element(dialog.getByText(/^Tentamos de novo em 22\/11\/2026/)).toBeVisible();
});

test('a test that cannot be sent shows an error and opens no dialog', async () => {
  gateway.refuse(testWebhookEndpoint, 'WEBHOOK_ENDPOINT_OFF');
  const { screen } = await openEndpoint();
  await screen.getByRole('button', { name: 'Enviar teste' }).click();
  await expect.element(screen.getByText(/está desligado ou foi removido/)).toBeVisible();
  expect(screen.getByRole('dialog').elements()).toEqual([]);
});

test('the secret of an endpoint is shown and replaced after the password', async () => {
  const { screen } = await openEndpoint();
  await expect.element(screen.getByRole('button', { name: 'Mostrar segredo' })).toBeVisible();
  expect(gateway.calls(webhookEndpointSecret)).toEqual([]);
  await screen.getByRole('button', { name: 'Mostrar segredo' }).click();
  await expect.element(screen.getByLabelText('Senha', { exact: true })).toHaveFocus();
  gateway.answer(confirmPassword, () => {
    gateway.answer(webhookEndpointSecret, { secret: SECRET });
    return { success: true as const };
  });
  await userEvent.keyboard('certa{Enter}');
  await expect.element(screen.getByText(SECRET)).toBeVisible();
  gateway.answer(rotateWebhookEndpointSecret, { secret: 'whsec_second' });
  await screen.getByRole('button', { name: 'Trocar segredo' }).click();
  const confirmation = screen.getByRole('alertdialog');
  await expect.element(confirmation.getByText(/Por 24 horas/)).toBeVisible();
  await confirmation.getByRole('button', { name: 'Trocar segredo' }).click();
  await expect.element(screen.getByText('whsec_second')).toBeVisible();
});

test('an endpoint is turned off after a confirmation, and on again', async () => {
  const { screen } = await openEndpoint();
  await screen.getByRole('button', { name: 'Desligar' }).click();
  gateway.answer(disableWebhookEndpoint, () => {
    stubEndpoints({ ...off, off_reason: 'merchant' });
    return { ...off, off_reason: 'merchant' as const };
  });
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Desligar' }).click();
  await expect.element(screen.getByText(/^Você o desligou/)).toBeVisible();
  await expect.element(screen.getByText(/espera até 3 dias/)).toBeVisible();
  gateway.answer(enableWebhookEndpoint, () => {
    stubEndpoints(webhookEndpoint);
    return webhookEndpoint;
  });
  await screen.getByRole('button', { name: 'Ligar' }).click();
  await expect.element(screen.getByText('Endereço ligado')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Enviar teste' })).toBeVisible();
});

test('the page of an endpoint shows why it was turned off', async () => {
  stubEndpoints(off);
  const { screen } = await openEndpoint();
  await expect.element(screen.getByText(/respondeu 410, que quer dizer “não envie mais”/)).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Ligar' })).toBeVisible();
});

test('an endpoint is removed after a confirmation that names it', async () => {
  const { screen, currentUrl } = await openEndpoint();
  await screen.getByRole('button', { name: 'Remover' }).click();
  const confirmation = screen.getByRole('alertdialog');
  await expect.element(confirmation.getByText(webhookEndpoint.url)).toBeVisible();
  gateway.fail(deleteWebhookEndpoint);
  await confirmation.getByRole('button', { name: 'Remover' }).click();
  await expect.element(confirmation.getByText('Erro ao remover o endereço. Tente novamente.')).toBeVisible();
  gateway.answer(deleteWebhookEndpoint, () => {
    stubEndpoints();
    return { success: true as const };
  });
  let wasNotFoundShown = false;
  const observer = new MutationObserver(() => {
    wasNotFoundShown ||= document.body.textContent.includes('Endereço não encontrado');
  });
  observer.observe(document.body, { subtree: true, childList: true });
  onTestFinished(() => observer.disconnect());
  await confirmation.getByRole('button', { name: 'Remover' }).click();
  await expect.element(screen.getByText('Nenhum endereço ainda')).toBeVisible();
  expect(wasNotFoundShown).toBe(false);
  expect(currentUrl()).toBe('/webhooks');
});

test('an endpoint that does not exist, and a failed load of the list, are reported', async () => {
  stubEndpoints();
  const { screen } = await openEndpoint();
  await expect.element(screen.getByText('Endereço não encontrado')).toBeVisible();
  gateway.fail(listWebhookEndpoints);
  const { screen: listScreen } = await openList();
  await expect.element(listScreen.getByText('Erro ao buscar os endereços')).toBeVisible();
  stubEndpoints(webhookEndpoint);
  await listScreen.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(listScreen.getByText('loja.example/webhooks/jangada')).toBeVisible();
});
