import {
  getWebhookDelivery,
  listWebhookDeliveries,
  listWebhookEndpoints,
  resendWebhookDeliveries,
  resendWebhookDelivery,
  webhookDoctor,
} from '@jangada/contract';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { renderScreen } from '../../testing/render-screen.tsx';
import { type StubbedGateway, stubGateway } from '../../testing/stub-gateway.ts';
import { webhookDelivery, webhookDeliveryDetail, webhookEndpoint } from '../../testing/webhook-samples.ts';
import { DeliveriesPage } from './deliveries-page.tsx';
import { DoctorPage } from './doctor-page.tsx';
import { POLL_FIRST_ATTEMPT_MS } from './webhooks-queries.ts';

const failed = webhookDelivery;
const delivered = {
  ...failed,
  id: 'evt_b',
  endpoint_id: null,
  type: 'withdrawal.paid',
  state: 'delivered' as const,
  attempts: 1,
  last_status: 200,
};
const held = { ...failed, id: 'evt_c.1', state: 'held' as const, type: 'dispute.opened', attempts: 0 };
const firstPage = { deliveries: [failed, delivered, held], has_more: false, next: null };

let gateway: StubbedGateway;
beforeEach(async () => {
  await page.viewport(1440, 900);
  gateway = stubGateway();
  gateway.answer(listWebhookEndpoints, { endpoints: [webhookEndpoint], limit: 16 });
  gateway.answer(listWebhookDeliveries, firstPage);
  gateway.answer(getWebhookDelivery, webhookDeliveryDetail);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const openLog = (search = '') => renderScreen(`/webhooks/deliveries${search}`, DeliveriesPage);
const openDoctor = (search = '') => renderScreen(`/webhooks/doctor${search}`, DoctorPage);

test('the filter is kept in the URL and sent to the gateway', async () => {
  const { screen, currentUrl } = await openLog();
  await expect
    .element(screen.getByRole('row', { name: /Pagamento recebido.*Falhou.*HTTP 500/ }))
    .toBeVisible();
  await screen.getByText('Falharam', { exact: true }).click();
  await screen.getByLabelText('Endereço', { exact: true }).selectOptions('Loja online');
  await screen.getByLabelText('Evento', { exact: true }).selectOptions('Pagamento recebido');
  const search = screen.getByLabelText('ID da cobrança, do saque ou da disputa');
  await search.fill('5e92fa10');
  await expect.element(screen.getByText('Cole o ID inteiro, com os hífens.')).toBeVisible();
  await search.fill(failed.subject_id);
  await expect
    .poll(() => gateway.calls(listWebhookDeliveries).at(-1)?.query.get('subject'))
    .toBe(failed.subject_id);
  const lastQuery = gateway.calls(listWebhookDeliveries).at(-1)?.query;
  expect(Object.fromEntries(lastQuery ?? [])).toEqual({
    endpoint: webhookEndpoint.id,
    type: 'payment.paid',
    state: 'failed',
    subject: failed.subject_id,
    limit: '25',
  });
  expect(currentUrl()).toContain('state=failed');
  gateway.answer(listWebhookDeliveries, { deliveries: [], has_more: false, next: null });
  await screen.getByText('Em espera', { exact: true }).first().click();
  await screen.getByRole('button', { name: 'Limpar filtros' }).click();
  await expect.element(screen.getByText('Nenhuma entrega ainda')).toBeVisible();
  expect(currentUrl()).toBe('/webhooks/deliveries');
});

test('the next page is requested by the cursor of the page before it', async () => {
  gateway.answer(listWebhookDeliveries, ({ query }) =>
    query.get('before') === 'evt_c.1'
      ? { deliveries: [{ ...failed, id: 'evt_z', type: 'refund.failed' }], has_more: false, next: null }
      : { ...firstPage, has_more: true, next: 'evt_c.1' },
  );
  const { screen } = await openLog();
  await screen.getByRole('button', { name: 'Carregar mais' }).click();
  await expect.element(screen.getByRole('row', { name: /Estorno recusado/ })).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Carregar mais' })).not.toBeInTheDocument();
});

test('a delivery shows each attempt with its request and response and advice, and can be resent', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { screen, currentUrl } = await openLog();
  await screen
    .getByRole('row', { name: /Falhou/ })
    .getByRole('button', { name: 'Detalhes' })
    .click();
  const dialog = screen.getByRole('dialog', { name: 'Entrega' });
  await expect.element(dialog.getByText(/^Seu código falhou/)).toBeVisible();
  await expect.element(dialog.getByText(/webhook-signature: v1,K5oZ/)).toBeVisible();
  await expect.element(dialog.getByText('TypeError: order is undefined')).toBeVisible();
  await expect.element(dialog.getByText(/^\{"type":"payment\.paid"/)).toBeVisible();
  await expect.element(dialog.getByText('1ª: Tempo esgotado')).toBeVisible();
  await expect
    .element(dialog.getByRole('link', { name: '5e92fa10' }))
    .toHaveAttribute('href', `/transactions?id=${failed.subject_id}`);
  gateway.refuse(resendWebhookDelivery, 'WEBHOOK_EVENT_FORGOTTEN');
  await dialog.getByRole('button', { name: 'Reenviar' }).click();
  await expect.element(dialog.getByText(/não é mais guardado/)).toBeVisible();

  const resentDelivery = { ...failed, id: 'evt_7f3a9c1e5b2d4860.0d1c7a52.1', resent: true };
  gateway.answer(resendWebhookDelivery, { ...resentDelivery, state: 'waiting', attempts: 0 });
  gateway.answer(getWebhookDelivery, {
    ...webhookDeliveryDetail,
    ...resentDelivery,
    state: 'waiting',
    attempts: 0,
    log: [],
  });
  await dialog.getByRole('button', { name: 'Reenviar' }).click();
  await expect.element(dialog.getByText('Esperando a resposta do seu servidor…')).toBeVisible();
  expect(currentUrl()).toBe(`/webhooks/deliveries?id=${resentDelivery.id}`);
  const acceptedLog = webhookDeliveryDetail.log
    .slice(1)
    .map((attempt) => ({ ...attempt, number: 1, status: 200 }));
  gateway.answer(getWebhookDelivery, {
    ...webhookDeliveryDetail,
    ...resentDelivery,
    state: 'delivered',
    log: acceptedLog,
  });
  await vi.advanceTimersByTimeAsync(POLL_FIRST_ATTEMPT_MS);
  await expect.element(dialog.getByText(/Seu servidor respondeu 200 em 132.ms/)).toBeVisible();
});

test.each([
  ['desktop', 1440],
  ['phone', 390],
])(
  'on a %s several deliveries are selected and resent, without those that cannot be resent',
  async (_device, width) => {
    await page.viewport(width, 844);
    const { screen } = await openLog();
    await screen.getByRole('button', { name: 'Reenviar várias' }).click();
    const bar = screen.getByRole('region', { name: 'Reenviar várias' });
    await expect.element(bar.getByRole('button', { name: 'Reenviar' })).toBeDisabled();
    if (width === 390)
      await screen.getByRole('button', { name: /Não escolhida:.*Pagamento recebido/ }).click();
    else await screen.getByRole('checkbox', { name: /^Escolher Pagamento recebido/ }).click();
    await expect.element(bar.getByText('1 escolhida.')).toBeVisible();
    await bar.getByRole('button', { name: 'Todas da lista' }).click();
    await expect.element(bar.getByText('2 escolhidas.')).toBeVisible();
    gateway.fail(resendWebhookDeliveries);
    await bar.getByRole('button', { name: 'Reenviar' }).click();
    await expect.element(bar.getByText('Erro ao reenviar. Tente novamente.')).toBeVisible();
    gateway.answer(resendWebhookDeliveries, { resent: 1, skipped: 1, has_more: false, last_at: null });
    await bar.getByRole('button', { name: 'Reenviar' }).click();
    await expect.element(screen.getByText('1 entrega a caminho; 1 não pôde ir de novo')).toBeVisible();
    expect(gateway.calls(resendWebhookDeliveries).at(-1)?.body).toEqual({ ids: [failed.id, delivered.id] });
    await expect.element(bar).not.toBeInTheDocument();
  },
);

test('all deliveries that failed in a period are resent, page by page, to the end', async () => {
  const { screen } = await openLog(`?endpoint=${webhookEndpoint.id}`);
  await screen.getByRole('button', { name: 'Reenviar várias' }).click();
  await screen.getByRole('button', { name: 'Um período' }).click();
  const form = screen.getByRole('dialog', { name: 'Reenviar o que falhou' });
  await expect.element(form.getByLabelText('Endereço')).toHaveValue(webhookEndpoint.id);
  await form.getByLabelText('De', { exact: true }).fill('2026-11-22T10:00');
  await form.getByLabelText('Até').fill('2026-11-22T09:00');
  await form.getByRole('button', { name: 'Reenviar' }).click();
  await expect.element(form.getByText('O início vem antes do fim.')).toBeVisible();
  await form.getByLabelText('Até').fill('2026-11-22T12:00');
  const middle = '2026-11-22T14:00:00.000Z';
  gateway.answer(resendWebhookDeliveries, ({ body }) =>
    JSON.stringify(body).includes(middle)
      ? { resent: 20, skipped: 1, has_more: false, last_at: null }
      : { resent: 1000, skipped: 0, has_more: true, last_at: middle },
  );
  await form.getByRole('button', { name: 'Reenviar' }).click();
  await expect.element(screen.getByText('1020 entregas a caminho; 1 não pôde ir de novo')).toBeVisible();
  const to = '2026-11-22T15:00:00.000Z';
  expect(gateway.calls(resendWebhookDeliveries).map(({ body }) => body)).toEqual([
    { endpoint: webhookEndpoint.id, from: '2026-11-22T13:00:00.000Z', to, state: 'failed' },
    { endpoint: webhookEndpoint.id, from: middle, to, state: 'failed' },
  ]);
});

test('a failed load of the log can be retried', async () => {
  gateway.fail(listWebhookDeliveries);
  const { screen } = await openLog();
  await expect.element(screen.getByText('Erro ao buscar as entregas')).toBeVisible();
  gateway.answer(listWebhookDeliveries, firstPage);
  await screen.getByRole('button', { name: 'Tentar Novamente' }).click();
  await expect.element(screen.getByRole('row', { name: /Saque concluído/ })).toBeVisible();
});

test('the doctor gets the received request, and shows the most likely cause first', async () => {
  const { screen } = await openDoctor();
  await screen.getByRole('button', { name: 'Examinar' }).click();
  await expect.element(screen.getByText('Cole os cabeçalhos do aviso que chegou.')).toBeVisible();
  expect(gateway.calls(webhookDoctor)).toEqual([]);
  await screen.getByLabelText('Cabeçalhos que chegaram').fill('webhook-id: evt_1');
  await screen.getByLabelText('Corpo que chegou').fill('{"a": 1}\n');
  await screen.getByLabelText(/^Assinatura que o seu código/).fill(' abc ');
  await screen.getByLabelText('Endereço').selectOptions('loja.example/webhooks/jangada');
  gateway.answer(webhookDoctor, {
    ok: false,
    verdict: 'body-reserialised',
    findings: [
      { code: 'timestamp-old', message: 'Foi assinado há 12 minutos.', hint: 'Confira o relógio.' },
      { code: 'body-reserialised', message: 'É o mesmo JSON em outros bytes.', hint: 'Use o corpo cru.' },
    ],
  });
  await screen.getByRole('button', { name: 'Examinar' }).click();
  await expect.element(screen.getByRole('heading', { name: 'A assinatura não confere' })).toHaveFocus();
  const findings = screen.getByRole('region', { name: 'A assinatura não confere' }).getByRole('listitem');
  await expect.element(findings.first().getByText('É o mesmo JSON em outros bytes.')).toBeVisible();
  expect(gateway.calls(webhookDoctor)[0]?.body).toEqual({
    headers: 'webhook-id: evt_1',
    body: '{"a": 1}\n',
    endpoint: webhookEndpoint.id,
    computed: 'abc',
  });
  gateway.answer(webhookDoctor, { ok: true, verdict: 'valid', findings: [] });
  await screen.getByRole('button', { name: 'Examinar' }).click();
  await expect.element(screen.getByRole('heading', { name: 'A assinatura confere' })).toBeVisible();
});

test('the doctor starts with what was sent for a delivery, and the input survives a failure', async () => {
  const { screen } = await openDoctor(`?delivery=${failed.id}`);
  await expect
    .element(screen.getByLabelText('Cabeçalhos que chegaram'))
    .toHaveValue(
      [
        'content-type: application/json',
        'user-agent: Jangada-Webhook/1',
        'webhook-id: evt_7f3a9c1e5b2d4860',
        'webhook-timestamp: 1795352405',
        'webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
      ].join('\n'),
    );
  await expect
    .element(screen.getByLabelText('Corpo que chegou'))
    .toHaveValue(webhookDeliveryDetail.body ?? '');
  await expect.element(screen.getByLabelText('Endereço')).toHaveValue(webhookEndpoint.id);
  gateway.fail(webhookDoctor);
  await screen.getByRole('button', { name: 'Examinar' }).click();
  await expect.element(screen.getByText(/O que você colou continua aqui/)).toBeVisible();
});

test('for an endpoint that was removed since, the doctor is asked to try every secret', async () => {
  const ofRemovedEndpoint = { ...webhookDeliveryDetail, endpoint_id: '00000000-0000-4000-8000-000000000000' };
  gateway.answer(getWebhookDelivery, ofRemovedEndpoint);
  gateway.answer(webhookDoctor, { ok: true, verdict: 'valid', findings: [] });
  const { screen } = await openDoctor(`?delivery=${failed.id}`);
  await screen.getByRole('button', { name: 'Examinar' }).click();
  await expect.element(screen.getByRole('heading', { name: 'A assinatura confere' })).toBeVisible();
  expect(gateway.calls(webhookDoctor)[0]?.body).not.toHaveProperty('endpoint');
});
