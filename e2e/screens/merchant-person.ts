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
import { oneEndpoint, password } from './merchant-account.ts';
import { answer, fail, hold, refuse, type Screen } from './screen.ts';
import type { World } from './world.ts';

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
    shows: (page) => page.getByRole('region', { name: 'Tarifas' }).getByRole('alert'),
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

/** The frame around all screens of the panel. */
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
        // By keyboard: a pointer would stay behind when the width changes, and close the menu.
        .press('Enter'),
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
    name: 'live-lost',
    who: 'merchant',
    at: '/wallet',
    steps: async (page) => {
      await page.routeWebSocket(/./, (socket) => socket.close());
      await page.reload();
    },
    shows: /^Atualizações ao vivo interrompidas/,
  },
  {
    name: 'offline',
    who: 'merchant',
    at: '/wallet',
    steps: async (page) => {
      await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
      await page.context().setOffline(true);
      await page.reload();
      await page.getByRole('button', { name: 'Tentar novamente' }).click();
    },
    shows: /^Ainda sem conexão/,
    apart: true,
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

export const merchantPerson: readonly Screen[] = [
  ...profiles,
  ...safety,
  ...notifications,
  ...verification,
  ...frame,
];
