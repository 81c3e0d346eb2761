import {
  apiKeyStatus,
  createScopedKey,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  generateApiKey,
  getWebhookDelivery,
  listScopedKeys,
  listWebhookDeliveries,
  listWebhookEndpoints,
  revealApiKey,
  rotateScopedKey,
  type ScopedKey,
  testWebhookEndpoint,
  webhookDoctor,
  webhookEndpointSecret,
} from '@jangada/contract';
import type { Page } from 'playwright-core';
import { apiKey } from '../../web/src/testing/samples.ts';
import {
  webhookDelivery,
  webhookDeliveryDetail,
  webhookEndpoint,
} from '../../web/src/testing/webhook-samples.ts';
import { answer, fail, refuse, type Screen, stall } from './screen.ts';

const KEY = 'jgd_0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f4f2a';
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
export const passwordField = (page: Page) => page.getByRole('dialog').getByLabel('Senha', { exact: true });

const scopedKey: ScopedKey = {
  id: 'a3c1e5d2-0000-4d0e-9b3a-61f2d8c07a55',
  name: 'Loja online',
  masked: 'jgd_••••••••4f2a',
  scopes: ['read', 'charges'],
  allowed_addresses: ['203.0.113.7', '2001:db8::/32'],
  status: 'active',
  created_at: '2026-11-01T15:00:00.000Z',
  expires_at: inDays(300),
  last_used_at: inDays(-1),
  last_used_address: '203.0.113.7',
};
const scopedKeys = [
  scopedKey,
  {
    ...scopedKey,
    id: 'a3c1e5d2-0000-4d0e-9b3a-61f2d8c07a5b',
    name: 'ERP da matriz, com o fechamento do caixa e a emissão de notas',
    expires_at: inDays(3.1),
    allowed_addresses: [],
  },
  { ...scopedKey, id: 'a3c1e5d2-0000-4d0e-9b3a-61f2d8c07a5c', name: 'Antiga', status: 'replaced' as const },
  {
    ...scopedKey,
    id: 'a3c1e5d2-0000-4d0e-9b3a-61f2d8c07a5d',
    name: 'Vencida há pouco',
    status: 'expired' as const,
  },
];
const scopedKeysStub = answer(listScopedKeys, { keys: scopedKeys });

const keyScreens: readonly Screen[] = [
  { name: 'keys', visitor: 'merchant', path: '/api-keys', shows: 'Revogar chave' },
  {
    name: 'keys-scoped',
    visitor: 'merchant',
    path: '/api-keys',
    stubs: [scopedKeysStub],
    shows: 'Vencida há pouco',
  },
  {
    name: 'keys-loading',
    visitor: 'merchant',
    path: '/api-keys',
    stubs: [stall(apiKeyStatus), stall(listScopedKeys)],
    shows: (page) => page.locator('main .skeleton'),
    isLoading: true,
  },
  {
    name: 'keys-error',
    visitor: 'merchant',
    path: '/api-keys',
    stubs: [fail(apiKeyStatus), fail(listScopedKeys)],
    shows: 'Failed to load API key status',
  },
  { name: 'keys-none', visitor: 'approved', path: '/api-keys', shows: 'Gerar chave' },
  { name: 'keys-unapproved', visitor: 'newcomer', path: '/api-keys', shows: 'Nenhuma chave ainda' },
  {
    name: 'keys-inactive',
    visitor: 'merchant',
    path: '/api-keys',
    stubs: [answer(apiKeyStatus, { ...apiKey, active: false })],
    shows: /Fale com o suporte para ativá-la/,
  },
  {
    name: 'key-password',
    visitor: 'merchant',
    path: '/api-keys',
    stubs: [refuse(revealApiKey, 'PASSWORD_WRONG'), answer(apiKeyStatus, apiKey)],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Mostrar chave' }).click();
      await passwordField(page).fill('errada');
      await page.keyboard.press('Enter');
    },
    shows: 'Senha incorreta.',
  },
  {
    name: 'key-shown',
    visitor: 'merchant',
    path: '/api-keys',
    stubs: [answer(apiKeyStatus, { ...apiKey, key: KEY })],
    steps: (page) => page.getByRole('button', { name: 'Mostrar chave' }).click(),
    shows: KEY,
  },
  {
    name: 'key-made',
    visitor: 'approved',
    path: '/api-keys',
    stubs: [answer(generateApiKey, { key: KEY, apiKey: KEY, active: true })],
    steps: (page) => page.getByRole('button', { name: 'Gerar chave' }).click(),
    shows: KEY,
    isTransient: true,
  },
  {
    name: 'key-rotate',
    visitor: 'merchant',
    path: '/api-keys',
    stubs: [fail(generateApiKey)],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Gerar nova chave' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Gerar nova chave' }).click();
    },
    shows: (page) => page.getByRole('alertdialog').getByRole('alert').filter({ hasText: /\S/ }),
  },
  {
    name: 'key-revoke',
    visitor: 'merchant',
    path: '/api-keys',
    steps: (page) => page.getByRole('button', { name: 'Revogar chave' }).first().click(),
    shows: (page) => page.getByRole('alertdialog'),
  },
  {
    name: 'scoped-key-form',
    visitor: 'merchant',
    path: '/api-keys',
    steps: async (page) => {
      await page.getByRole('button', { name: 'Criar chave' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Criar chave' }).click();
    },
    shows: 'Dê um nome à chave.',
  },
  {
    name: 'scoped-key-made',
    visitor: 'merchant',
    path: '/api-keys',
    stubs: [answer(createScopedKey, { apiKey: KEY, key: scopedKey })],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Criar chave' }).click();
      const form = page.getByRole('dialog', { name: 'Criar chave' });
      await form.getByLabel('Nome do sistema').fill('Loja online');
      await form.getByRole('button', { name: 'Criar chave' }).click();
      await page
        .getByRole('dialog', { name: 'Chave criada' })
        .getByRole('button', { name: 'Fechar' })
        .last()
        .click();
    },
    shows: 'A chave ainda não foi copiada.',
  },
  {
    name: 'scoped-key-rotate',
    visitor: 'merchant',
    path: '/api-keys',
    stubs: [scopedKeysStub, answer(rotateScopedKey, { apiKey: KEY, key: scopedKey })],
    steps: (page) => page.getByRole('button', { name: /^Trocar a chave Loja online/ }).click(),
    shows: 'A chave atual vale ainda por',
  },
  {
    name: 'scoped-key-revoke',
    visitor: 'merchant',
    path: '/api-keys',
    stubs: [scopedKeysStub],
    steps: (page) => page.getByRole('button', { name: /^Revogar a chave Loja online/ }).click(),
    shows: /Foi usada/,
  },
];

const disabledEndpoint = {
  ...webhookEndpoint,
  state: 'off' as const,
  off_reason: 'gone' as const,
  off_at: '2026-11-22T13:00:00.000Z',
};
const endpoints = [
  webhookEndpoint,
  {
    ...webhookEndpoint,
    id: 'b',
    url: 'https://integracoes.emporio-nossa-senhora-da-conceicao.example/pix/recebimentos/v2/notificacoes?loja=recife-antigo',
    description: 'ERP da matriz, que fecha o caixa das quatro lojas',
    events: [],
    failures: 7,
    failing_since: '2026-11-22T12:00:00.000Z',
  },
  { ...disabledEndpoint, id: 'c', url: 'https://fim.example/hook' },
];
export const oneEndpoint = answer(listWebhookEndpoints, { endpoints: [webhookEndpoint], limit: 16 });
const endpointPage = `/webhooks?id=${webhookEndpoint.id}`;
const hiddenSecret = answer(webhookEndpointSecret, { secret: null });
const deliveries = [
  webhookDelivery,
  {
    ...webhookDelivery,
    id: 'evt_b',
    type: 'withdrawal.paid' as const,
    state: 'delivered' as const,
    attempts: 1,
    last_status: 200,
  },
  { ...webhookDelivery, id: 'evt_c.1', state: 'held' as const, type: 'dispute.opened' as const, attempts: 0 },
];
const someDeliveries = answer(listWebhookDeliveries, { deliveries, has_more: true, next: 'evt_c.1' });
const oneDelivery = answer(getWebhookDelivery, webhookDeliveryDetail);

const webhookScreens: readonly Screen[] = [
  { name: 'webhooks-empty', visitor: 'approved', path: '/webhooks', shows: 'Nenhum endereço ainda' },
  {
    name: 'webhooks',
    visitor: 'merchant',
    path: '/webhooks',
    stubs: [answer(listWebhookEndpoints, { endpoints, limit: 16 })],
    shows: 'Falhando',
  },
  {
    name: 'webhooks-loading',
    visitor: 'merchant',
    path: '/webhooks',
    stubs: [stall(listWebhookEndpoints)],
    shows: (page) => page.locator('main .skeleton'),
    isLoading: true,
  },
  {
    name: 'webhooks-error',
    visitor: 'merchant',
    path: '/webhooks',
    stubs: [fail(listWebhookEndpoints)],
    shows: 'Erro ao buscar os endereços',
  },
  {
    name: 'webhook-form',
    visitor: 'merchant',
    path: '/webhooks',
    steps: async (page) => {
      await page.getByRole('button', { name: 'Adicionar endereço' }).first().click();
      const form = page.getByRole('dialog');
      await form.getByLabel('Endereço (URL)').fill('loja.example/hook');
      await form.getByText('Escolher', { exact: true }).click();
      await form.getByRole('button', { name: 'Adicionar' }).click();
    },
    shows: 'Escolha ao menos um evento.',
  },
  {
    name: 'webhook-added',
    visitor: 'merchant',
    path: '/webhooks',
    stubs: [
      answer(createWebhookEndpoint, { ...webhookEndpoint, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }),
    ],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Adicionar endereço' }).first().click();
      const form = page.getByRole('dialog');
      await form.getByLabel('Endereço (URL)').fill('https://loja.example/hook');
      await form.getByRole('button', { name: 'Adicionar' }).click();
    },
    shows: 'Endereço adicionado',
  },
  {
    name: 'webhook-page',
    visitor: 'merchant',
    path: endpointPage,
    stubs: [oneEndpoint, someDeliveries, hiddenSecret],
    shows: 'Últimas entregas',
  },
  {
    name: 'webhook-page-off',
    visitor: 'merchant',
    path: endpointPage,
    stubs: [
      answer(listWebhookEndpoints, { endpoints: [disabledEndpoint], limit: 16 }),
      someDeliveries,
      hiddenSecret,
    ],
    shows: /respondeu 410/,
  },
  {
    name: 'webhook-test',
    visitor: 'merchant',
    path: endpointPage,
    stubs: [
      oneEndpoint,
      hiddenSecret,
      answer(testWebhookEndpoint, { ...webhookDelivery, type: 'webhook.test', state: 'waiting' }),
      answer(getWebhookDelivery, {
        ...webhookDeliveryDetail,
        type: 'webhook.test',
        state: 'waiting',
        next_attempt_at: '2026-11-22T13:02:00.000Z',
      }),
    ],
    steps: (page) => page.getByRole('button', { name: 'Enviar teste' }).click(),
    shows: /Seu servidor respondeu 500/,
  },
  {
    name: 'webhook-secret',
    visitor: 'merchant',
    path: endpointPage,
    stubs: [oneEndpoint, answer(webhookEndpointSecret, { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })],
    steps: (page) => page.getByRole('button', { name: 'Mostrar segredo' }).click(),
    shows: /whsec_MfKQ/,
  },
  {
    name: 'webhook-remove',
    visitor: 'merchant',
    path: endpointPage,
    stubs: [oneEndpoint, fail(deleteWebhookEndpoint)],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Remover' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remover' }).click();
    },
    shows: (page) => page.getByRole('alertdialog').getByRole('alert').filter({ hasText: /\S/ }),
  },
  {
    name: 'webhook-not-there',
    visitor: 'merchant',
    path: endpointPage,
    shows: 'Endereço não encontrado',
  },
  {
    name: 'deliveries',
    visitor: 'merchant',
    path: '/webhooks/deliveries',
    stubs: [oneEndpoint, someDeliveries],
    shows: 'Carregar mais',
  },
  {
    name: 'deliveries-empty',
    visitor: 'approved',
    path: '/webhooks/deliveries',
    shows: 'Nenhuma entrega ainda',
  },
  {
    name: 'deliveries-no-result',
    visitor: 'merchant',
    path: '/webhooks/deliveries?state=failed',
    shows: 'Limpar filtros',
  },
  {
    name: 'deliveries-loading',
    visitor: 'merchant',
    path: '/webhooks/deliveries',
    stubs: [stall(listWebhookDeliveries)],
    shows: (page) => page.locator('main .skeleton'),
    isLoading: true,
  },
  {
    name: 'deliveries-error',
    visitor: 'merchant',
    path: '/webhooks/deliveries',
    stubs: [fail(listWebhookDeliveries)],
    shows: 'Erro ao buscar as entregas',
  },
  {
    name: 'deliveries-chosen',
    visitor: 'merchant',
    path: '/webhooks/deliveries',
    stubs: [oneEndpoint, someDeliveries],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Reenviar várias' }).click();
      await page.getByRole('button', { name: 'Todas da lista' }).click();
    },
    shows: '2 escolhidas.',
  },
  {
    name: 'deliveries-period',
    visitor: 'merchant',
    path: '/webhooks/deliveries',
    stubs: [oneEndpoint, someDeliveries],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Reenviar várias' }).click();
      await page.getByRole('button', { name: 'Um período' }).click();
    },
    shows: 'Reenviar o que falhou',
  },
  {
    name: 'delivery',
    visitor: 'merchant',
    path: `/webhooks/deliveries?id=${webhookDelivery.id}`,
    stubs: [oneEndpoint, someDeliveries, oneDelivery],
    shows: 'Corpo enviado',
  },
  {
    name: 'doctor',
    visitor: 'merchant',
    path: '/webhooks/doctor',
    stubs: [oneEndpoint],
    shows: 'Onde achar o que colar',
  },
  {
    name: 'doctor-diagnosis',
    visitor: 'merchant',
    path: `/webhooks/doctor?delivery=${webhookDelivery.id}`,
    stubs: [
      oneEndpoint,
      oneDelivery,
      answer(webhookDoctor, {
        ok: false,
        verdict: 'body-reserialised',
        findings: [
          {
            code: 'timestamp-old',
            message: 'Foi assinado há 12 minutos.',
            hint: 'Confira o relógio do servidor.',
          },
          {
            code: 'body-reserialised',
            message: 'É o mesmo JSON em outros bytes.',
            hint: 'Use o corpo cru, antes de o interpretar.',
          },
        ],
      }),
    ],
    steps: async (page) => {
      await page
        .getByText(/webhook-signature/)
        .first()
        .waitFor();
      await page.getByRole('button', { name: 'Examinar' }).click();
    },
    shows: 'A assinatura não confere',
  },
  {
    name: 'doctor-empty',
    visitor: 'merchant',
    path: '/webhooks/doctor',
    steps: (page) => page.getByRole('button', { name: 'Examinar' }).click(),
    shows: 'Cole os cabeçalhos do aviso que chegou.',
  },
];

export const merchantAccount: readonly Screen[] = [...keyScreens, ...webhookScreens];
