import {
  accountTaxes,
  beginTotp,
  changePassword,
  confirmPassword,
  confirmTotp,
  getBrand,
  getKyc,
  getNotificationPreferences,
  getSecurity,
  listNotifications,
  listSessions,
  removeTotp,
  requestClosing,
  stepUpOptions,
  uploadAvatar,
  verifyCpf,
} from '@jangada/contract';
import type { Page } from 'playwright-core';
import { paidNotification, pinNotification } from '../../web/src/testing/samples.ts';
import { otherSession, recoveryCodes, security, session } from '../../web/src/testing/security-samples.ts';
import { oneEndpoint, passwordField } from './merchant-account.ts';
import { answer, fail, refuse, type Screen, stall } from './screen.ts';
import type { World } from './world.ts';

const profiles: readonly Screen[] = [
  { name: 'profile', visitor: 'merchant', path: '/profile', shows: 'Como quem paga vê' },
  { name: 'profile-large', visitor: 'longNamed', path: '/profile', shows: 'Como quem paga vê' },
  { name: 'profile-new', visitor: 'newcomer', path: '/profile', shows: 'Como quem paga vê' },
  {
    name: 'profile-loading',
    visitor: 'merchant',
    path: '/profile',
    stubs: [stall(accountTaxes), stall(getBrand), stall(getNotificationPreferences)],
    shows: (page) => page.locator('main .skeleton'),
    isLoading: true,
  },
  {
    name: 'profile-parts-missing',
    visitor: 'merchant',
    path: '/profile',
    stubs: [fail(accountTaxes), fail(getBrand)],
    shows: (page) => page.getByRole('region', { name: 'Tarifas' }).getByRole('alert'),
  },
  {
    name: 'profile-picture-wrong',
    visitor: 'merchant',
    path: '/profile',
    stubs: [fail(uploadAvatar)],
    steps: (page) =>
      page
        .getByLabel('Escolher foto')
        .setInputFiles({ name: 'foto.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF') }),
    shows: /selecione uma imagem válida/,
  },
  {
    name: 'profile-brand-colour-wrong',
    visitor: 'merchant',
    path: '/profile',
    steps: async (page) => {
      await page.getByLabel('Nome de exibição').fill('Empório Capibaribe');
      await page.getByLabel('Cor', { exact: true }).fill('amarelo');
      await page.getByRole('button', { name: 'Salvar' }).click();
    },
    shows: 'Informe a cor como #1a2b3c.',
  },
];

const securityWithApp = { ...security, totp: true, recovery_codes_left: 8, given: true };
const manySessions = answer(listSessions, { sessions: [session, otherSession] });
const totp = answer(beginTotp, {
  secret: 'JBSWY3DPEHPK3PXP',
  uri: 'otpauth://totp/x',
  image: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
});
const passkeys = [
  {
    id: '7c0e4a1d-52b6-4f7e-8d3a-91f6c2b0e845',
    name: 'Notebook do balcão',
    created_at: '2026-11-01T12:00:00.000Z',
    last_used_at: null,
  },
];

async function turnOnApp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Ligar' }).click();
  await page.getByText('JBSW Y3DP EHPK 3PXP').waitFor();
  await page.getByLabel('Código do aplicativo').fill('123456');
  await page.getByRole('dialog').getByRole('button', { name: 'Ligar' }).click();
}

const securityScreens: readonly Screen[] = [
  {
    name: 'security',
    visitor: 'merchant',
    path: '/profile/security',
    stubs: [answer(listSessions, { sessions: [session] })],
    shows: 'Encerrar a conta',
  },
  {
    name: 'security-full',
    visitor: 'merchant',
    path: '/profile/security',
    stubs: [
      answer(getSecurity, {
        ...securityWithApp,
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
    visitor: 'merchant',
    path: '/profile/security',
    stubs: [stall(getSecurity), stall(listSessions)],
    shows: (page) => page.locator('main .skeleton'),
    isLoading: true,
  },
  {
    name: 'security-error',
    visitor: 'merchant',
    path: '/profile/security',
    stubs: [fail(getSecurity)],
    shows: 'Não foi possível carregar a segurança da conta',
  },
  {
    name: 'security-demanded',
    visitor: 'merchant',
    path: '/profile/security',
    stubs: [answer(getSecurity, { ...security, demanded: true }), manySessions],
    shows: 'Seu papel exige um segundo fator.',
  },
  {
    name: 'security-app',
    visitor: 'merchant',
    path: '/profile/security',
    stubs: [totp, refuse(confirmTotp, 'SECOND_FACTOR_WRONG')],
    steps: turnOnApp,
    shows: /O código não confere/,
  },
  {
    name: 'security-codes',
    visitor: 'merchant',
    path: '/profile/security',
    stubs: [
      totp,
      answer(confirmTotp, { recovery_codes: Array.from({ length: 5 }, () => recoveryCodes).flat() }),
    ],
    steps: turnOnApp,
    shows: 'Já guardei',
  },
  {
    name: 'security-passkey',
    visitor: 'merchant',
    path: '/profile/security',
    steps: (page) => page.getByRole('button', { name: 'Adicionar' }).click(),
    shows: 'Nome da chave',
  },
  {
    name: 'security-step-up',
    visitor: 'merchant',
    path: '/profile/security',
    stubs: [
      answer(getSecurity, securityWithApp),
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
    visitor: 'merchant',
    path: '/profile/security',
    stubs: [refuse(changePassword, 'PASSWORD_COMMON')],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Trocar senha' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Trocar senha' }).click();
    },
    shows: 'Senha atual é obrigatória',
  },
  {
    name: 'security-name',
    visitor: 'merchant',
    path: '/profile/security',
    steps: (page) => page.getByRole('button', { name: 'Trocar nome' }).click(),
    shows: (page) => page.getByRole('dialog').getByLabel('Nome completo'),
  },
  {
    name: 'security-email',
    visitor: 'merchant',
    path: '/profile/security',
    steps: async (page) => {
      await page.getByRole('button', { name: 'Trocar e-mail' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Novo e-mail').fill('x@y');
      await passwordField(page).fill('certa');
      await dialog.getByRole('button', { name: 'Trocar e-mail' }).click();
    },
    shows: /Informe o e-mail inteiro/,
  },
  {
    name: 'security-sessions',
    visitor: 'merchant',
    path: '/profile/security',
    stubs: [manySessions],
    steps: (page) => page.getByRole('button', { name: 'Encerrar todas as outras' }).click(),
    shows: (page) => page.getByRole('alertdialog'),
  },
  {
    name: 'security-closing',
    visitor: 'merchant',
    path: '/profile/security',
    stubs: [refuse(requestClosing, 'PASSWORD_WRONG')],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Pedir encerramento' }).click();
      await passwordField(page).fill('errada');
      await page.getByRole('dialog').getByRole('button', { name: 'Pedir encerramento' }).click();
    },
    shows: 'Senha incorreta.',
  },
  {
    name: 'security-asks-password',
    visitor: 'merchant',
    path: '/profile/security',
    stubs: [refuse(beginTotp, 'PASSWORD_REQUIRED'), stall(confirmPassword)],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Ligar' }).click();
      await passwordField(page).fill('lojista-demo');
      await page.keyboard.press('Enter');
    },
    shows: 'Confirme sua senha',
  },
];

const paidNotifications = Array.from({ length: 4 }, (_, index) => ({
  ...paidNotification,
  id: `0193f1c0-0000-7000-8000-00000000001${index}`,
  read: index > 1,
}));
const notificationList = answer(listNotifications, {
  notifications: [
    ...paidNotifications,
    {
      ...pinNotification,
      body: 'Uma disputa foi aberta sobre o pagamento de R$ 14.999,99 de 21/11/2026. Responda até 28/11/2026 para que o banco leia a sua defesa.',
    },
  ],
  unread: 2,
  next: pinNotification.id,
});

const notifications: readonly Screen[] = [
  { name: 'notifications', visitor: 'merchant', path: '/notifications', shows: 'Saque concluído' },
  {
    name: 'notifications-unread',
    visitor: 'merchant',
    path: '/notifications',
    stubs: [notificationList],
    shows: 'Carregar mais',
  },
  {
    name: 'notifications-loading',
    visitor: 'merchant',
    path: '/notifications',
    stubs: [stall(listNotifications)],
    shows: (page) => page.locator('main .skeleton'),
    isLoading: true,
  },
  {
    name: 'notifications-error',
    visitor: 'merchant',
    path: '/notifications',
    stubs: [fail(listNotifications)],
    shows: 'Erro ao buscar notificações',
  },
  {
    name: 'notifications-empty',
    visitor: 'newcomer',
    path: '/notifications',
    stubs: [answer(listNotifications, { notifications: [], unread: 0, next: null })],
    shows: 'Nenhuma notificação',
  },
  {
    name: 'bell',
    visitor: 'merchant',
    path: '/profile',
    stubs: [notificationList],
    steps: (page) => page.getByRole('button', { name: /^Notificações, 2/ }).click(),
    shows: 'Ver todas',
  },
];

const sides = ['Frente do documento', 'Verso do documento', 'Selfie com o documento'];

async function chooseDocuments(page: Page, { documents }: World): Promise<void> {
  for (const [index, side] of sides.entries()) {
    const buffer = documents[index] ?? Buffer.alloc(0);
    await page
      .getByLabel(`Escolher imagem: ${side}`)
      .setInputFiles({ name: `${index}.jpg`, mimeType: 'image/jpeg', buffer });
    await page.getByRole('img', { name: side }).waitFor();
  }
}

const verification: readonly Screen[] = [
  { name: 'kyc', visitor: 'newcomer', path: '/kyc-verification', shows: 'Enviar Documentos' },
  {
    name: 'kyc-missing',
    visitor: 'newcomer',
    path: '/kyc-verification',
    steps: (page) => page.getByRole('button', { name: 'Enviar Documentos' }).click(),
    shows: 'Por favor, envie todas as imagens necessárias.',
  },
  {
    name: 'kyc-chosen',
    visitor: 'newcomer',
    path: '/kyc-verification',
    steps: chooseDocuments,
    shows: 'Enviar Documentos',
  },
  {
    name: 'kyc-failed',
    visitor: 'newcomer',
    path: '/kyc-verification',
    stubs: [fail(verifyCpf)],
    steps: async (page, world) => {
      await chooseDocuments(page, world);
      await page.getByRole('button', { name: 'Enviar Documentos' }).click();
    },
    shows: (page) => page.getByRole('alert').filter({ hasText: /\S/ }),
  },
  {
    name: 'kyc-wrong-file',
    visitor: 'newcomer',
    path: '/kyc-verification',
    steps: (page) =>
      page
        .getByLabel('Escolher imagem: Frente do documento')
        .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') }),
    shows: 'Envie só imagens: fotos em JPEG, PNG ou WebP.',
  },
  {
    name: 'kyc-loading',
    visitor: 'newcomer',
    path: '/kyc-verification',
    stubs: [stall(getKyc)],
    shows: (page) => page.locator('main .skeleton'),
    isLoading: true,
  },
  {
    name: 'kyc-error',
    visitor: 'newcomer',
    path: '/kyc-verification',
    stubs: [fail(getKyc)],
    shows: 'Não foi possível carregar a verificação',
  },
  {
    name: 'kyc-waiting',
    visitor: 'waiting',
    path: '/kyc-verification',
    shows: 'Aguarde a análise da nossa equipe.',
  },
  {
    name: 'kyc-rejected',
    visitor: 'rejected',
    path: '/kyc-verification',
    shows: /Seus documentos não foram aceitos/,
  },
  { name: 'kyc-approved', visitor: 'merchant', path: '/kyc-verification', shows: 'Conta aprovada' },
  { name: 'kyc-company', visitor: 'company', path: '/kyc-verification', shows: 'contas@jangada.example' },
];

/** The menu and messages around all screens of the panel, and its error pages. */
const frame: readonly Screen[] = [
  {
    name: 'drawer',
    visitor: 'merchant',
    path: '/dashboard',
    steps: (page) => page.getByRole('button', { name: 'Abrir menu' }).click(),
    shows: (page) => page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Início' }),
    widths: ['phone', 'tablet'],
  },
  {
    name: 'account-menu',
    visitor: 'longNamed',
    path: '/profile',
    steps: (page) =>
      page
        .getByRole('banner')
        .getByRole('button', { name: /^Conta/ })
        // The menu is opened by keyboard, since a pointer would stay behind when the width changes, and close the menu.
        .press('Enter'),
    shows: (page) => page.getByRole('menuitem', { name: 'Sair' }),
  },
  {
    name: 'api-docs',
    visitor: 'merchant',
    path: '/pix-api-docs',
    shows: (page) => page.getByRole('heading', { level: 1 }),
  },
  {
    name: 'not-found-inside',
    visitor: 'merchant',
    path: '/nada-disso',
    shows: (page) => page.getByRole('heading', { level: 1 }),
  },
  {
    name: 'route-failure',
    visitor: 'merchant',
    path: '/profile',
    steps: async (page) => {
      await page.getByText('Como quem paga vê').waitFor();
      await page.route(/\/assets\/wallet-page.*\.js/, (route) => route.abort());
      await page.getByRole('link', { name: 'Carteira' }).first().click();
    },
    shows: 'Não foi possível abrir esta tela',
  },
  {
    name: 'live-lost',
    visitor: 'merchant',
    path: '/wallet',
    steps: async (page) => {
      await page.routeWebSocket(/./, (socket) => socket.close());
      await page.reload();
    },
    shows: /^Atualizações ao vivo interrompidas/,
  },
  {
    name: 'offline',
    visitor: 'merchant',
    path: '/wallet',
    steps: async (page) => {
      await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
      await page.context().setOffline(true);
      await page.reload();
      await page.getByRole('button', { name: 'Tentar novamente' }).click();
    },
    shows: /^Ainda sem conexão/,
    needsOwnContext: true,
  },
  {
    name: 'toast',
    visitor: 'merchant',
    path: '/webhooks',
    stubs: [oneEndpoint],
    steps: async (page) => {
      await page.getByText('loja.example/webhooks/jangada').first().waitFor();
      await page.goto(page.url().replace(/\/webhooks.*/, '/admin/health'));
    },
    shows: (page) => page.locator('.toast-card'),
    isTransient: true,
  },
];

export const merchantPerson: readonly Screen[] = [
  ...profiles,
  ...securityScreens,
  ...notifications,
  ...verification,
  ...frame,
];
