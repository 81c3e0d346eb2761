import {
  accountTaxes,
  apiKeyStatus,
  beginTotp,
  changePassword,
  confirmPassword,
  confirmTotp,
  createScopedKey,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  generateApiKey,
  getBrand,
  getKyc,
  getNotificationPreferences,
  getSecurity,
  getWebhookDelivery,
  listNotifications,
  listScopedKeys,
  listSessions,
  listWebhookDeliveries,
  listWebhookEndpoints,
  removeTotp,
  requestClosing,
  revealApiKey,
  rotateScopedKey,
  type ScopedKey,
  stepUpOptions,
  testWebhookEndpoint,
  uploadAvatar,
  verifyCpf,
  webhookDoctor,
  webhookEndpointSecret,
} from '@jangada/contract';
import type { Page } from 'playwright-core';
import { paidNotification, pinNotification } from '../../web/src/testing/notification-samples.ts';
import { apiKey } from '../../web/src/testing/samples.ts';
import { otherSession, recoveryCodes, security, session } from '../../web/src/testing/security-samples.ts';
import {
  webhookDelivery,
  webhookDeliveryDetail,
  webhookEndpoint,
} from '../../web/src/testing/webhook-samples.ts';
import { answer, fail, hold, refuse, type Screen } from './screen.ts';
import type { World } from './world.ts';

const KEY = 'jgd_0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f4f2a';
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const password = (page: Page) => page.getByRole('dialog').getByLabel('Senha', { exact: true });

const scoped: ScopedKey = {
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
  scoped,
  {
    ...scoped,
    id: 'a3c1e5d2-0000-4d0e-9b3a-61f2d8c07a5b',
    name: 'ERP da matriz, com o fechamento do caixa e a emissão de notas',
    expires_at: inDays(3.1),
    allowed_addresses: [],
  },
  { ...scoped, id: 'a3c1e5d2-0000-4d0e-9b3a-61f2d8c07a5c', name: 'Antiga', status: 'replaced' as const },
  {
    ...scoped,
    id: 'a3c1e5d2-0000-4d0e-9b3a-61f2d8c07a5d',
    name: 'Vencida há pouco',
    status: 'expired' as const,
  },
];
const withKeys = answer(listScopedKeys, { keys: scopedKeys });

const keys: readonly Screen[] = [
  { name: 'keys', who: 'merchant', at: '/api-keys', shows: 'Revogar chave' },
  { name: 'keys-scoped', who: 'merchant', at: '/api-keys', answers: [withKeys], shows: 'Vencida há pouco' },
  {
    name: 'keys-loading',
    who: 'merchant',
    at: '/api-keys',
    answers: [hold(apiKeyStatus), hold(listScopedKeys)],
    shows: (page) => page.locator('main .skeleton'),
    loading: true,
  },
  {
    name: 'keys-error',
    who: 'merchant',
    at: '/api-keys',
    answers: [fail(apiKeyStatus), fail(listScopedKeys)],
    shows: 'Failed to load API key status',
  },
  { name: 'keys-none', who: 'approved', at: '/api-keys', shows: 'Gerar chave' },
  { name: 'keys-unapproved', who: 'newcomer', at: '/api-keys', shows: 'Nenhuma chave ainda' },
  {
    name: 'keys-inactive',
    who: 'merchant',
    at: '/api-keys',
    answers: [answer(apiKeyStatus, { ...apiKey, active: false })],
    shows: /Fale com o suporte para ativá-la/,
  },
  {
    name: 'key-password',
    who: 'merchant',
    at: '/api-keys',
    answers: [refuse(revealApiKey, 'PASSWORD_WRONG'), answer(apiKeyStatus, apiKey)],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Mostrar chave' }).click();
      await password(page).fill('errada');
      await page.keyboard.press('Enter');
    },
    shows: 'Senha incorreta.',
  },
  {
    name: 'key-shown',
    who: 'merchant',
    at: '/api-keys',
    answers: [answer(apiKeyStatus, { ...apiKey, key: KEY })],
    steps: (page) => page.getByRole('button', { name: 'Mostrar chave' }).click(),
    shows: KEY,
  },
  {
    name: 'key-made',
    who: 'approved',
    at: '/api-keys',
    answers: [answer(generateApiKey, { apiKey: KEY, active: true })],
    steps: (page) => page.getByRole('button', { name: 'Gerar chave' }).click(),
    shows: KEY,
    passing: true,
  },
  {
    name: 'key-rotate',
    who: 'merchant',
    at: '/api-keys',
    answers: [fail(generateApiKey)],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Gerar nova chave' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Gerar nova chave' }).click();
    },
    shows: (page) => page.getByRole('alertdialog').getByRole('alert').filter({ hasText: /\S/ }),
  },
  {
    name: 'key-revoke',
    who: 'merchant',
    at: '/api-keys',
    steps: (page) => page.getByRole('button', { name: 'Revogar chave' }).first().click(),
    shows: (page) => page.getByRole('alertdialog'),
  },
  {
    name: 'scoped-key-form',
    who: 'merchant',
    at: '/api-keys',
    steps: async (page) => {
      await page.getByRole('button', { name: 'Criar chave' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Criar chave' }).click();
    },
    shows: 'Dê um nome à chave.',
  },
  {
    name: 'scoped-key-made',
    who: 'merchant',
    at: '/api-keys',
    answers: [answer(createScopedKey, { apiKey: KEY, key: scoped })],
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
    who: 'merchant',
    at: '/api-keys',
    answers: [withKeys, answer(rotateScopedKey, { apiKey: KEY, key: scoped })],
    steps: (page) => page.getByRole('button', { name: /^Trocar a chave Loja online/ }).click(),
    shows: 'A chave atual vale ainda por',
  },
  {
    name: 'scoped-key-revoke',
    who: 'merchant',
    at: '/api-keys',
    answers: [withKeys],
    steps: (page) => page.getByRole('button', { name: /^Revogar a chave Loja online/ }).click(),
    shows: /Foi usada/,
  },
];

const off = {
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
  { ...off, id: 'c', url: 'https://fim.example/hook' },
];
const oneEndpoint = answer(listWebhookEndpoints, { endpoints: [webhookEndpoint], limit: 16 });
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

const webhooks: readonly Screen[] = [
  { name: 'webhooks-empty', who: 'merchant', at: '/webhooks', shows: 'Nenhum endereço ainda' },
  {
    name: 'webhooks',
    who: 'merchant',
    at: '/webhooks',
    answers: [answer(listWebhookEndpoints, { endpoints, limit: 16 })],
    shows: 'Falhando',
  },
  {
    name: 'webhooks-loading',
    who: 'merchant',
    at: '/webhooks',
    answers: [hold(listWebhookEndpoints)],
    shows: (page) => page.locator('main .skeleton'),
    loading: true,
  },
  {
    name: 'webhooks-error',
    who: 'merchant',
    at: '/webhooks',
    answers: [fail(listWebhookEndpoints)],
    shows: 'Erro ao buscar os endereços',
  },
  {
    name: 'webhook-form',
    who: 'merchant',
    at: '/webhooks',
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
    who: 'merchant',
    at: '/webhooks',
    answers: [
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
    who: 'merchant',
    at: endpointPage,
    answers: [oneEndpoint, someDeliveries, hiddenSecret],
    shows: 'Últimas entregas',
  },
  {
    name: 'webhook-page-off',
    who: 'merchant',
    at: endpointPage,
    answers: [answer(listWebhookEndpoints, { endpoints: [off], limit: 16 })],
    shows: /respondeu 410/,
  },
  {
    name: 'webhook-test',
    who: 'merchant',
    at: endpointPage,
    answers: [
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
    who: 'merchant',
    at: endpointPage,
    answers: [
      oneEndpoint,
      answer(webhookEndpointSecret, { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }),
    ],
    steps: (page) => page.getByRole('button', { name: 'Mostrar segredo' }).click(),
    shows: /whsec_MfKQ/,
  },
  {
    name: 'webhook-remove',
    who: 'merchant',
    at: endpointPage,
    answers: [oneEndpoint, fail(deleteWebhookEndpoint)],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Remover' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remover' }).click();
    },
    shows: (page) => page.getByRole('alertdialog').getByRole('alert').filter({ hasText: /\S/ }),
  },
  {
    name: 'webhook-not-there',
    who: 'merchant',
    at: endpointPage,
    shows: 'Endereço não encontrado',
  },
  {
    name: 'deliveries',
    who: 'merchant',
    at: '/webhooks/deliveries',
    answers: [oneEndpoint, someDeliveries],
    shows: 'Carregar mais',
  },
  { name: 'deliveries-empty', who: 'merchant', at: '/webhooks/deliveries', shows: 'Nenhuma entrega ainda' },
  {
    name: 'deliveries-no-result',
    who: 'merchant',
    at: '/webhooks/deliveries?state=failed',
    shows: 'Limpar filtros',
  },
  {
    name: 'deliveries-loading',
    who: 'merchant',
    at: '/webhooks/deliveries',
    answers: [hold(listWebhookDeliveries)],
    shows: (page) => page.locator('main .skeleton'),
    loading: true,
  },
  {
    name: 'deliveries-error',
    who: 'merchant',
    at: '/webhooks/deliveries',
    answers: [fail(listWebhookDeliveries)],
    shows: 'Erro ao buscar as entregas',
  },
  {
    name: 'deliveries-chosen',
    who: 'merchant',
    at: '/webhooks/deliveries',
    answers: [oneEndpoint, someDeliveries],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Reenviar várias' }).click();
      await page.getByRole('button', { name: 'Todas da lista' }).click();
    },
    shows: '2 escolhidas.',
  },
  {
    name: 'deliveries-period',
    who: 'merchant',
    at: '/webhooks/deliveries',
    answers: [oneEndpoint, someDeliveries],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Reenviar várias' }).click();
      await page.getByRole('button', { name: 'Um período' }).click();
    },
    shows: 'Reenviar o que falhou',
  },
  {
    name: 'delivery',
    who: 'merchant',
    at: `/webhooks/deliveries?id=${webhookDelivery.id}`,
    answers: [oneEndpoint, someDeliveries, oneDelivery],
    shows: 'Corpo enviado',
  },
  {
    name: 'doctor',
    who: 'merchant',
    at: '/webhooks/doctor',
    answers: [oneEndpoint],
    shows: 'Onde achar o que colar',
  },
  {
    name: 'doctor-diagnosis',
    who: 'merchant',
    at: `/webhooks/doctor?delivery=${webhookDelivery.id}`,
    answers: [
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
    who: 'merchant',
    at: '/webhooks/doctor',
    steps: (page) => page.getByRole('button', { name: 'Examinar' }).click(),
    shows: 'Cole os cabeçalhos do aviso que chegou.',
  },
];

const profiles: readonly Screen[] = [
  { name: 'profile', who: 'merchant', at: '/profile', shows: 'Como quem paga vê' },
  { name: 'profile-large', who: 'longNamed', at: '/profile', shows: 'Como quem paga vê' },
  { name: 'profile-new', who: 'newcomer', at: '/profile', shows: 'Como quem paga vê' },
  {
    name: 'profile-loading',
    who: 'merchant',
    at: '/profile',
    answers: [hold(accountTaxes), hold(getBrand), hold(getNotificationPreferences)],
    shows: (page) => page.locator('main .skeleton'),
    loading: true,
  },
  {
    name: 'profile-parts-missing',
    who: 'merchant',
    at: '/profile',
    answers: [fail(accountTaxes), fail(getBrand)],
    shows: 'Não foi possível carregar as informações de taxas.',
  },
  {
    name: 'profile-picture-wrong',
    who: 'merchant',
    at: '/profile',
    answers: [fail(uploadAvatar)],
    steps: (page) =>
      page
        .getByLabel('Escolher foto')
        .setInputFiles({ name: 'foto.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF') }),
    shows: /selecione uma imagem válida/,
  },
  {
    name: 'profile-brand-colour-wrong',
    who: 'merchant',
    at: '/profile',
    steps: async (page) => {
      await page.getByLabel('Nome de exibição').fill('Empório Capibaribe');
      await page.getByLabel('Cor', { exact: true }).fill('amarelo');
      await page.getByRole('button', { name: 'Salvar' }).click();
    },
    shows: 'Informe a cor como #1a2b3c.',
  },
];

const withApp = { ...security, totp: true, recovery_codes_left: 8, given: true };
const manySessions = answer(listSessions, { sessions: [session, otherSession] });
const totp = answer(beginTotp, {
  secret: 'JBSWY3DPEHPK3PXP',
  uri: 'otpauth://totp/x',
  image: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
});
const passkeys = [
  { id: 'p1', name: 'Notebook do balcão', created_at: '2026-11-01T12:00:00.000Z', last_used_at: null },
];

async function turnOnApp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Ligar' }).click();
  await page.getByText('JBSW Y3DP EHPK 3PXP').waitFor();
  await page.getByLabel('Código do aplicativo').fill('123456');
  await page.getByRole('dialog').getByRole('button', { name: 'Ligar' }).click();
}

const safety: readonly Screen[] = [
  {
    name: 'security',
    who: 'merchant',
    at: '/profile/security',
    answers: [answer(listSessions, { sessions: [session] })],
    shows: 'Encerrar a conta',
  },
  {
    name: 'security-full',
    who: 'merchant',
    at: '/profile/security',
    answers: [
      answer(getSecurity, {
        ...withApp,
        passkeys,
        pending_email: 'nova.marina@emporiocapibaribe.example',
        closing_requested_at: '2026-11-22T12:00:00.000Z',
      }),
      manySessions,
    ],
    shows: 'Notebook do balcão',
  },
  {
    name: 'security-loading',
    who: 'merchant',
    at: '/profile/security',
    answers: [hold(getSecurity), hold(listSessions)],
    shows: (page) => page.locator('main .skeleton'),
    loading: true,
  },
  {
    name: 'security-error',
    who: 'merchant',
    at: '/profile/security',
    answers: [fail(getSecurity)],
    shows: 'Não foi possível carregar a segurança da conta',
  },
  {
    name: 'security-demanded',
    who: 'merchant',
    at: '/profile/security',
    answers: [answer(getSecurity, { ...security, demanded: true }), manySessions],
    shows: 'Seu papel exige um segundo fator.',
  },
  {
    name: 'security-app',
    who: 'merchant',
    at: '/profile/security',
    answers: [totp, refuse(confirmTotp, 'SECOND_FACTOR_WRONG')],
    steps: turnOnApp,
    shows: /O código não confere/,
  },
  {
    name: 'security-codes',
    who: 'merchant',
    at: '/profile/security',
    answers: [
      totp,
      answer(confirmTotp, { recovery_codes: Array.from({ length: 5 }, () => recoveryCodes).flat() }),
    ],
    steps: turnOnApp,
    shows: 'Já guardei',
  },
  {
    name: 'security-passkey',
    who: 'merchant',
    at: '/profile/security',
    steps: (page) => page.getByRole('button', { name: 'Adicionar' }).click(),
    shows: 'Nome da chave',
  },
  {
    name: 'security-step-up',
    who: 'merchant',
    at: '/profile/security',
    answers: [
      answer(getSecurity, withApp),
      refuse(removeTotp, 'STEP_UP_REQUIRED', { methods: ['totp', 'recovery-code'] }),
      answer(stepUpOptions, { methods: ['totp', 'recovery-code'], challenge: null, options: null }),
    ],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Desligar' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Desligar' }).click();
    },
    shows: 'Confirme que é você',
  },
  {
    name: 'security-password',
    who: 'merchant',
    at: '/profile/security',
    answers: [refuse(changePassword, 'PASSWORD_COMMON')],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Trocar senha' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Trocar senha' }).click();
    },
    shows: 'Senha atual é obrigatória',
  },
  {
    name: 'security-name',
    who: 'merchant',
    at: '/profile/security',
    steps: (page) => page.getByRole('button', { name: 'Trocar nome' }).click(),
    shows: (page) => page.getByRole('dialog').getByLabel('Nome completo'),
  },
  {
    name: 'security-email',
    who: 'merchant',
    at: '/profile/security',
    steps: async (page) => {
      await page.getByRole('button', { name: 'Trocar e-mail' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Novo e-mail').fill('x@y');
      await password(page).fill('certa');
      await dialog.getByRole('button', { name: 'Trocar e-mail' }).click();
    },
    shows: /Informe o e-mail inteiro/,
  },
  {
    name: 'security-sessions',
    who: 'merchant',
    at: '/profile/security',
    answers: [manySessions],
    steps: (page) => page.getByRole('button', { name: 'Encerrar todas as outras' }).click(),
    shows: (page) => page.getByRole('alertdialog'),
  },
  {
    name: 'security-closing',
    who: 'merchant',
    at: '/profile/security',
    answers: [refuse(requestClosing, 'PASSWORD_WRONG')],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Pedir encerramento' }).click();
      await password(page).fill('errada');
      await page.getByRole('dialog').getByRole('button', { name: 'Pedir encerramento' }).click();
    },
    shows: 'Senha incorreta.',
  },
  {
    name: 'security-asks-password',
    who: 'merchant',
    at: '/profile/security',
    answers: [refuse(beginTotp, 'PASSWORD_REQUIRED'), hold(confirmPassword)],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Ligar' }).click();
      await password(page).fill('lojista-demo');
      await page.keyboard.press('Enter');
    },
    shows: 'Confirme sua senha',
  },
];

const many = Array.from({ length: 4 }, (_, at) => ({
  ...paidNotification,
  id: `0193f1c0-0000-7000-8000-00000000001${at}`,
  read: at > 1,
}));
const notes = answer(listNotifications, {
  notifications: [
    ...many,
    {
      ...pinNotification,
      body: 'Uma disputa foi aberta sobre o pagamento de R$ 14.999,99 de 21/11/2026. Responda até 28/11/2026 para que o banco leia a sua defesa.',
    },
  ],
  unread: 2,
  next: pinNotification.id,
});

const notifications: readonly Screen[] = [
  { name: 'notifications', who: 'merchant', at: '/notifications', shows: 'Saque concluído' },
  {
    name: 'notifications-unread',
    who: 'merchant',
    at: '/notifications',
    answers: [notes],
    shows: 'Carregar mais',
  },
  {
    name: 'notifications-loading',
    who: 'merchant',
    at: '/notifications',
    answers: [hold(listNotifications)],
    shows: (page) => page.locator('main .skeleton'),
    loading: true,
  },
  {
    name: 'notifications-error',
    who: 'merchant',
    at: '/notifications',
    answers: [fail(listNotifications)],
    shows: 'Erro ao buscar notificações',
  },
  {
    name: 'notifications-empty',
    who: 'newcomer',
    at: '/notifications',
    answers: [answer(listNotifications, { notifications: [], unread: 0, next: null })],
    shows: 'Nenhuma notificação',
  },
  {
    name: 'bell',
    who: 'merchant',
    at: '/profile',
    answers: [notes],
    steps: (page) => page.getByRole('button', { name: /^Notificações, 2/ }).click(),
    shows: 'Ver todas',
  },
];

const sides = ['Frente do documento', 'Verso do documento', 'Selfie com o documento'];

async function chooseDocuments(page: Page, { documents }: World): Promise<void> {
  for (const [at, side] of sides.entries()) {
    const buffer = documents[at] ?? Buffer.alloc(0);
    await page
      .getByLabel(`Escolher imagem: ${side}`)
      .setInputFiles({ name: `${at}.jpg`, mimeType: 'image/jpeg', buffer });
    await page.getByRole('img', { name: side }).waitFor();
  }
}

const verification: readonly Screen[] = [
  { name: 'kyc', who: 'newcomer', at: '/kyc-verification', shows: 'Enviar Documentos' },
  {
    name: 'kyc-missing',
    who: 'newcomer',
    at: '/kyc-verification',
    steps: (page) => page.getByRole('button', { name: 'Enviar Documentos' }).click(),
    shows: 'Por favor, envie todas as imagens necessárias.',
  },
  {
    name: 'kyc-chosen',
    who: 'newcomer',
    at: '/kyc-verification',
    steps: chooseDocuments,
    shows: 'Enviar Documentos',
  },
  {
    name: 'kyc-failed',
    who: 'newcomer',
    at: '/kyc-verification',
    answers: [fail(verifyCpf)],
    steps: async (page, world) => {
      await chooseDocuments(page, world);
      await page.getByRole('button', { name: 'Enviar Documentos' }).click();
    },
    shows: (page) => page.getByRole('alert').filter({ hasText: /\S/ }),
  },
  {
    name: 'kyc-wrong-file',
    who: 'newcomer',
    at: '/kyc-verification',
    steps: (page) =>
      page
        .getByLabel('Escolher imagem: Frente do documento')
        .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') }),
    shows: 'Envie só imagens: fotos em JPEG, PNG ou WebP.',
  },
  {
    name: 'kyc-loading',
    who: 'newcomer',
    at: '/kyc-verification',
    answers: [hold(getKyc)],
    shows: (page) => page.locator('main .skeleton'),
    loading: true,
  },
  {
    name: 'kyc-error',
    who: 'newcomer',
    at: '/kyc-verification',
    answers: [fail(getKyc)],
    shows: 'Não foi possível carregar a verificação',
  },
  {
    name: 'kyc-waiting',
    who: 'waiting',
    at: '/kyc-verification',
    shows: 'Aguarde a análise da nossa equipe.',
  },
  {
    name: 'kyc-rejected',
    who: 'rejected',
    at: '/kyc-verification',
    shows: /Seus documentos não foram aceitos/,
  },
  { name: 'kyc-approved', who: 'merchant', at: '/kyc-verification', shows: 'Conta aprovada' },
  { name: 'kyc-company', who: 'company', at: '/kyc-verification', shows: 'contas@jangada.example' },
];

/** The frame around every screen of the panel. */
const frame: readonly Screen[] = [
  {
    name: 'drawer',
    who: 'merchant',
    at: '/dashboard',
    steps: (page) => page.getByRole('button', { name: 'Abrir menu' }).click(),
    shows: (page) => page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Início' }),
    widths: ['phone', 'tablet'],
  },
  {
    name: 'account-menu',
    who: 'longNamed',
    at: '/profile',
    steps: (page) =>
      page
        .getByRole('banner')
        .getByRole('button', { name: /^Conta/ })
        .click(),
    shows: (page) => page.getByRole('menuitem', { name: 'Sair' }),
  },
  {
    name: 'api-docs',
    who: 'merchant',
    at: '/pix-api-docs',
    shows: (page) => page.getByRole('heading', { level: 1 }),
  },
  {
    name: 'not-found-inside',
    who: 'merchant',
    at: '/nada-disso',
    shows: (page) => page.getByRole('heading', { level: 1 }),
  },
  {
    name: 'route-failure',
    who: 'merchant',
    at: '/profile',
    steps: async (page) => {
      await page.getByText('Como quem paga vê').waitFor();
      await page.route(/\/assets\/wallet-page.*\.js/, (route) => route.abort());
      await page.getByRole('link', { name: 'Carteira' }).first().click();
    },
    shows: 'Não foi possível abrir esta tela',
  },
  {
    name: 'toast',
    who: 'merchant',
    at: '/webhooks',
    answers: [oneEndpoint],
    steps: async (page) => {
      await page.getByText('loja.example/webhooks/jangada').first().waitFor();
      await page.goto(page.url().replace(/\/webhooks.*/, '/admin/health'));
    },
    shows: (page) => page.locator('.toast-card'),
    passing: true,
  },
];

export const merchantAccount: readonly Screen[] = [
  ...keys,
  ...webhooks,
  ...profiles,
  ...safety,
  ...notifications,
  ...verification,
  ...frame,
];
