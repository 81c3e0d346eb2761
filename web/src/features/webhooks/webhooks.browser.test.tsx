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

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
let gateway: StubbedGateway;
const hold = (...endpoints: WebhookEndpoint[]) =>
  gateway.answer(listWebhookEndpoints, { endpoints, limit: 16 });
beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  hold(webhookEndpoint);
  gateway.answer(listWebhookDeliveries, { deliveries: [], has_more: false, next: null });
  gateway.answer(webhookEndpointSecret, { secret: null });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const list = () => renderScreen('/webhooks', WebhooksPage);
const one = () => renderScreen(`/webhooks?id=${webhookEndpoint.id}`, WebhooksPage);
const off: WebhookEndpoint = {
  ...webhookEndpoint,
  state: 'off',
  off_reason: 'gone',
  off_at: '2026-11-22T13:00:00.000Z',
};

test('each endpoint says of what it is told, how it is and why, on a screen of any width', async () => {
  const failing = { ...webhookEndpoint, id: 'b', url: 'https://erp.example/pix', events: [], failures: 7 };
  const dead = { ...off, id: 'd', url: 'https://antigo.example/hook', off_reason: 'failing' as const };
  hold(
    webhookEndpoint,
    { ...failing, failing_since: '2026-11-22T12:00:00.000Z' },
    { ...off, id: 'c', url: 'https://fim.example/hook' },
    dead,
  );
  const { screen } = await list();
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

test('an endpoint is added with the events that were chosen, and its secret is shown', async () => {
  const written = spyClipboard();
  hold();
  const { screen, address } = await list();
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
  gateway.hang(listWebhookEndpoints);
  await send.click();
  const shown = screen.getByRole('dialog', { name: 'Endereço adicionado' });
  await expect.element(shown.getByText(SECRET)).toBeVisible();
  expect(gateway.calls(createWebhookEndpoint).at(-1)?.body).toEqual({
    url: 'https://loja.example/hook',
    description: '',
    events: ['payment.paid', 'dispute.opened'],
  });
  await shown.getByRole('button', { name: 'Copiar segredo' }).click();
  expect(written).toEqual([SECRET]);
  await shown.getByRole('button', { name: 'Continuar' }).click();
  await expect.element(screen.getByText('Nada foi enviado ainda.', { exact: false })).toBeVisible();
  expect(address()).toBe(`/webhooks?id=${webhookEndpoint.id}`);
  await expect.element(screen.getByText(SECRET)).not.toBeInTheDocument();
});

test('an endpoint that wants the password has it asked for, and is added then', async () => {
  hold();
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

  const asked = screen.getByRole('dialog', { name: 'Confirme sua senha' });
  gateway.refuse(confirmPassword, 'PASSWORD_WRONG');
  await asked.getByLabelText('Senha', { exact: true }).fill('errada');
  await asked.getByRole('button', { name: 'Confirmar' }).click();
  await expect.element(asked.getByText('Senha incorreta.')).toBeVisible();

  gateway.answer(confirmPassword, { success: true });
  gateway.answer(createWebhookEndpoint, { ...webhookEndpoint, secret: SECRET });
  await asked.getByLabelText('Senha', { exact: true }).fill('certa');
  await asked.getByRole('button', { name: 'Confirmar' }).click();
  const shown = screen.getByRole('dialog', { name: 'Endereço adicionado' });
  await expect.element(shown.getByText(SECRET)).toBeVisible();
  expect(gateway.calls(createWebhookEndpoint)).toHaveLength(2);
});

test('an endpoint of which nobody knows whether it was added is looked for, not just added again', async () => {
  hold();
  gateway.fail(createWebhookEndpoint);
  const { screen } = await list();
  await screen.getByRole('button', { name: 'Adicionar endereço' }).click();
  const form = screen.getByRole('dialog', { name: 'Adicionar endereço' });
  await form.getByLabelText('Endereço (URL)').fill('https://loja.example/hook');
  hold(webhookEndpoint);
  await form.getByRole('button', { name: 'Adicionar' }).click();
  await expect
    .element(form.getByRole('alert'))
    .toHaveTextContent('Não sabemos se o endereço foi adicionado. Confira a lista antes de tentar de novo.');
  await expect.poll(() => gateway.calls(listWebhookEndpoints)).toHaveLength(2);
});

test('a full list says that one must go before another comes', async () => {
  gateway.answer(listWebhookEndpoints, { endpoints: [webhookEndpoint], limit: 1 });
  const { screen } = await list();
  await expect.element(screen.getByText(/^São no máximo 1 endereços/)).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Adicionar endereço' })).toBeDisabled();
});

test('a change begins with what is so, and all events are none in particular', async () => {
  const { screen } = await one();
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

test('a test event is followed until the receiver has answered, and what to do is said', async () => {
  const sent = { ...webhookDelivery, type: 'webhook.test', state: 'waiting' as const };
  const waiting = { ...webhookDeliveryDetail, ...sent };
  gateway.answer(testWebhookEndpoint, { ...sent, attempts: 0, last_status: null });
  gateway.answer(getWebhookDelivery, { ...waiting, attempts: 0, log: [] });
  const { screen } = await one();
  await screen.getByRole('button', { name: 'Enviar teste' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Evento de teste' });
  await expect.element(dialog.getByText('Esperando a resposta do seu servidor…')).toBeVisible();
  gateway.answer(getWebhookDelivery, { ...waiting, next_attempt_at: '2026-11-22T13:02:00.000Z' });
  await expect.element(dialog.getByText(/Seu servidor respondeu 500 em 132.ms\./)).toBeVisible();
  await expect.element(dialog.getByText(/^Seu código falhou/)).toBeVisible();
  await expect.element(dialog.getByText('TypeError: order is undefined')).toBeVisible();
  await expect.element(dialog.getByText(/^Tentamos de novo em 22\/11\/2026/)).toBeVisible();
});

test('a test that cannot be sent says so and opens nothing', async () => {
  gateway.refuse(testWebhookEndpoint, 'WEBHOOK_ENDPOINT_OFF');
  const { screen } = await one();
  await screen.getByRole('button', { name: 'Enviar teste' }).click();
  await expect.element(screen.getByText(/está desligado ou foi removido/)).toBeVisible();
  expect(screen.getByRole('dialog').elements()).toEqual([]);
});

test('the secret of an endpoint is shown and replaced after the password', async () => {
  const { screen } = await one();
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
  const question = screen.getByRole('alertdialog');
  await expect.element(question.getByText(/Por 24 horas/)).toBeVisible();
  await question.getByRole('button', { name: 'Trocar segredo' }).click();
  await expect.element(screen.getByText('whsec_second')).toBeVisible();
});

test('an endpoint is turned off after a question, and on again', async () => {
  const { screen } = await one();
  await screen.getByRole('button', { name: 'Desligar' }).click();
  gateway.answer(disableWebhookEndpoint, () => {
    hold({ ...off, off_reason: 'merchant' });
    return { ...off, off_reason: 'merchant' as const };
  });
  await screen.getByRole('alertdialog').getByRole('button', { name: 'Desligar' }).click();
  await expect.element(screen.getByText(/^Você o desligou/)).toBeVisible();
  await expect.element(screen.getByText(/espera até 3 dias/)).toBeVisible();
  gateway.answer(enableWebhookEndpoint, () => {
    hold(webhookEndpoint);
    return webhookEndpoint;
  });
  await screen.getByRole('button', { name: 'Ligar' }).click();
  await expect.element(screen.getByText('Endereço ligado')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Enviar teste' })).toBeVisible();
});

test('why an endpoint was turned off stands on its page', async () => {
  hold(off);
  const { screen } = await one();
  await expect.element(screen.getByText(/respondeu 410, que quer dizer “não envie mais”/)).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Ligar' })).toBeVisible();
});

test('an endpoint is removed after a question that names it', async () => {
  const { screen, address } = await one();
  await screen.getByRole('button', { name: 'Remover' }).click();
  const question = screen.getByRole('alertdialog');
  await expect.element(question.getByText(webhookEndpoint.url)).toBeVisible();
  gateway.fail(deleteWebhookEndpoint);
  await question.getByRole('button', { name: 'Remover' }).click();
  await expect.element(question.getByText('Erro ao remover o endereço. Tente novamente.')).toBeVisible();
  gateway.answer(deleteWebhookEndpoint, () => {
    hold();
    return { success: true as const };
  });
  let missed = false;
  const watch = new MutationObserver(() => {
    missed ||= document.body.textContent.includes('Endereço não encontrado');
  });
  watch.observe(document.body, { subtree: true, childList: true });
  onTestFinished(() => watch.disconnect());
  await question.getByRole('button', { name: 'Remover' }).click();
  await expect.element(screen.getByText('Nenhum endereço ainda')).toBeVisible();
  expect(missed).toBe(false);
  expect(address()).toBe('/webhooks');
});

test('an endpoint that is not there, and a list that cannot be loaded, say so', async () => {
  hold();
  const { screen } = await one();
  await expect.element(screen.getByText('Endereço não encontrado')).toBeVisible();
  gateway.fail(listWebhookEndpoints);
  const { screen: broken } = await list();
  await expect.element(broken.getByText('Erro ao buscar os endereços')).toBeVisible();
  hold(webhookEndpoint);
  await broken.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(broken.getByText('loja.example/webhooks/jangada')).toBeVisible();
});
