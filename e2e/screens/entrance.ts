import {
  checkEmailLink,
  checkResetLink,
  confirmEmail,
  login,
  passkeyLoginOptions,
  recoverPassword,
  register,
  resetPassword,
  sandboxMails,
  secondFactorLogin,
} from '@jangada/contract';
import type { Page } from 'playwright-core';
import { answer, fail, refuse, type Screen, stall } from './screen.ts';

const TOKEN = '1ysXIk7mCqjTpVnSGKMh9fz2mQ0o8Jx5W4dLrVtE3aY';
const methods = ['totp', 'passkey', 'recovery-code'];
const secondFactor = refuse(login, 'SECOND_FACTOR_REQUIRED', {
  challenge: 'c1',
  methods,
  passkey: { challenge: 'AAAA', rpId: 'localhost' },
});

async function submitSignIn(page: Page): Promise<void> {
  await page.getByLabel('Usuário').fill('lojista');
  await page.getByLabel('Senha', { exact: true }).fill('segredo-do-mar');
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
}

async function fillRegistration(page: Page): Promise<void> {
  await page.getByLabel('Nome de usuário').fill('ana.lima');
  await page.getByLabel('Nome completo').fill('Ana Lima');
  await page.getByLabel('E-mail').fill('ana@loja.example');
  await page.getByRole('textbox', { name: 'CPF' }).pressSequentially('31852607408');
  await page.getByLabel('Senha', { exact: true }).fill('segredo-da-ana');
  await page.getByLabel('Confirmar senha').fill('segredo-da-ana');
  await page.getByRole('button', { name: 'Criar conta' }).click();
}

async function requestLink(page: Page): Promise<void> {
  await page.getByLabel('E-mail').fill('marina@example.com');
  await page.getByRole('button', { name: 'Enviar link' }).click();
}

async function setPassword(page: Page, password: string): Promise<void> {
  await page.getByLabel('Nova senha').fill(password);
  await page.getByLabel('Confirmar senha').fill(password);
  await page.getByRole('button', { name: 'Trocar senha' }).click();
}

const mails = [
  {
    id: '3',
    to: 'marina@example.com',
    subject: 'Crie outra senha',
    text: `Alguém pediu outra senha para a sua conta.\n\nAbra o link:\nhttp://localhost:3000/redefinir-senha?token=${TOKEN}\n\nEle vale uma vez, por 30 minutos.`,
    created_at: '2026-11-22T12:00:00.000Z',
  },
  {
    id: '2',
    to: 'maria.da.conceicao.vasconcelos.albuquerque@emporio-nossa-senhora-da-conceicao.example',
    subject: 'Sua senha foi trocada',
    text: 'Se não foi você, fale com quem administra este gateway.',
    created_at: '2026-11-21T09:30:00.000Z',
  },
];

/** Screens before the sign-in. */
export const entrance: readonly Screen[] = [
  { name: 'login', visitor: 'nobody', path: '/login', shows: 'Entrar' },
  {
    name: 'login-empty-fields',
    visitor: 'nobody',
    path: '/login',
    steps: (page) => page.getByRole('button', { name: 'Entrar', exact: true }).click(),
    shows: 'Por favor, digite usuário e senha',
  },
  {
    name: 'login-error',
    visitor: 'nobody',
    path: '/login',
    stubs: [refuse(login, 'INVALID_CREDENTIALS')],
    steps: submitSignIn,
    shows: 'Usuário ou senha inválidos',
  },
  {
    name: 'login-frozen',
    visitor: 'nobody',
    path: '/login',
    stubs: [refuse(login, 'ACCOUNT_FROZEN')],
    steps: submitSignIn,
    shows: (page) => page.getByRole('alert').filter({ hasText: /\S/ }),
  },
  {
    name: 'login-sending',
    visitor: 'nobody',
    path: '/login',
    stubs: [stall(login)],
    steps: submitSignIn,
    shows: 'Entrando',
  },
  {
    name: 'login-second-factor',
    visitor: 'nobody',
    path: '/login',
    stubs: [secondFactor],
    steps: submitSignIn,
    shows: 'Confirme que é você',
  },
  {
    name: 'login-second-factor-wrong',
    visitor: 'nobody',
    path: '/login',
    stubs: [secondFactor, refuse(secondFactorLogin, 'SECOND_FACTOR_WRONG')],
    steps: async (page) => {
      await submitSignIn(page);
      await page.getByLabel('Código do aplicativo autenticador').fill('000000');
      await page.keyboard.press('Enter');
    },
    shows: /O código não confere/,
  },
  {
    name: 'login-recovery-code',
    visitor: 'nobody',
    path: '/login',
    stubs: [secondFactor],
    steps: async (page) => {
      await submitSignIn(page);
      await page.getByRole('button', { name: /código de recuperação/i }).click();
    },
    shows: 'Código de recuperação',
  },
  {
    name: 'login-passkey-refused',
    visitor: 'nobody',
    path: '/login',
    stubs: [
      answer(passkeyLoginOptions, {
        challenge: 'c2',
        options: { challenge: 'AAAA', rpId: 'nowhere.example' },
      }),
    ],
    steps: (page) => page.getByRole('button', { name: 'Entrar com chave de acesso' }).click(),
    shows: /A chave de acesso não foi confirmada/,
  },
  { name: 'register', visitor: 'nobody', path: '/register', shows: 'Criar conta' },
  {
    name: 'register-company',
    visitor: 'nobody',
    path: '/register',
    steps: (page) => page.getByText('CNPJ', { exact: true }).first().click(),
    shows: (page) => page.getByRole('textbox', { name: 'CNPJ' }),
  },
  {
    name: 'register-errors',
    visitor: 'nobody',
    path: '/register',
    steps: (page) => page.getByRole('button', { name: 'Criar conta' }).click(),
    shows: 'Nome de usuário é obrigatório',
  },
  {
    name: 'register-sending',
    visitor: 'nobody',
    path: '/register',
    stubs: [stall(register)],
    steps: fillRegistration,
    shows: (page) => page.locator('button .spin'),
  },
  {
    name: 'register-failed',
    visitor: 'nobody',
    path: '/register',
    stubs: [fail(register)],
    steps: fillRegistration,
    shows: 'Erro no Registro',
  },
  {
    name: 'register-name-taken',
    visitor: 'nobody',
    path: '/register',
    stubs: [refuse(register, 'USERNAME_TAKEN')],
    steps: async (page) => {
      await fillRegistration(page);
      await page.getByRole('alertdialog').waitFor();
      await page.keyboard.press('Escape');
    },
    shows: /usuário já/i,
  },
  { name: 'recover', visitor: 'nobody', path: '/recuperar-senha', shows: 'Enviar link' },
  {
    name: 'recover-missing',
    visitor: 'nobody',
    path: '/recuperar-senha',
    steps: (page) => page.getByRole('button', { name: 'Enviar link' }).click(),
    shows: 'Email é obrigatório',
  },
  {
    name: 'recover-off',
    visitor: 'nobody',
    path: '/recuperar-senha',
    stubs: [refuse(recoverPassword, 'RECOVERY_OFF')],
    steps: requestLink,
    shows: /peça ao suporte/,
  },
  {
    name: 'recover-sent',
    visitor: 'nobody',
    path: '/recuperar-senha',
    stubs: [answer(recoverPassword, { success: true })],
    steps: requestLink,
    shows: /Se houver uma conta com este endereço/,
  },
  {
    name: 'reset',
    visitor: 'nobody',
    path: `/redefinir-senha?token=${TOKEN}`,
    stubs: [answer(checkResetLink, { success: true })],
    shows: 'Nova senha',
  },
  {
    name: 'reset-checking',
    visitor: 'nobody',
    path: `/redefinir-senha?token=${TOKEN}`,
    stubs: [stall(checkResetLink)],
    shows: (page) => page.locator('[aria-busy=true], .loading, [role=status]'),
    isLoading: true,
  },
  {
    name: 'reset-too-short',
    visitor: 'nobody',
    path: `/redefinir-senha?token=${TOKEN}`,
    stubs: [answer(checkResetLink, { success: true })],
    steps: (page) => setPassword(page, 'curta'),
    shows: 'A senha deve ter no mínimo 8 caracteres',
  },
  {
    name: 'reset-common',
    visitor: 'nobody',
    path: `/redefinir-senha?token=${TOKEN}`,
    stubs: [answer(checkResetLink, { success: true }), refuse(resetPassword, 'PASSWORD_COMMON')],
    steps: (page) => setPassword(page, 'password123'),
    shows: /comum demais/,
  },
  {
    name: 'reset-done',
    visitor: 'nobody',
    path: `/redefinir-senha?token=${TOKEN}`,
    stubs: [answer(checkResetLink, { success: true }), answer(resetPassword, { success: true })],
    steps: (page) => setPassword(page, 'vento leste, rede cheia'),
    shows: 'Senha trocada',
  },
  {
    name: 'reset-link-gone',
    visitor: 'nobody',
    path: `/redefinir-senha?token=${TOKEN}`,
    shows: /já foi usado ou não vale mais/,
  },
  { name: 'reset-link-broken', visitor: 'nobody', path: '/redefinir-senha', shows: 'Link inválido' },
  {
    name: 'confirm-email',
    visitor: 'nobody',
    path: `/confirmar-email?token=${TOKEN}`,
    stubs: [answer(checkEmailLink, { success: true })],
    shows: (page) => page.getByRole('button', { name: 'Confirmar e-mail' }),
  },
  {
    name: 'confirm-email-done',
    visitor: 'nobody',
    path: `/confirmar-email?token=${TOKEN}`,
    stubs: [
      answer(checkEmailLink, { success: true }),
      answer(confirmEmail, { email: 'marina@emporiocapibaribe.example' }),
    ],
    steps: (page) => page.getByRole('button', { name: 'Confirmar e-mail' }).click(),
    shows: 'marina@emporiocapibaribe.example',
  },
  {
    name: 'confirm-email-gone',
    visitor: 'nobody',
    path: `/confirmar-email?token=${TOKEN}`,
    shows: /já foi usado ou não vale mais/,
  },
  {
    name: 'mailbox',
    visitor: 'nobody',
    path: '/mailbox',
    stubs: [answer(sandboxMails, { mails })],
    shows: 'Crie outra senha',
  },
  {
    name: 'mailbox-empty',
    visitor: 'nobody',
    path: '/mailbox',
    stubs: [answer(sandboxMails, { mails: [] })],
    shows: 'Nenhum e-mail ainda',
  },
  {
    name: 'mailbox-error',
    visitor: 'nobody',
    path: '/mailbox',
    stubs: [fail(sandboxMails)],
    shows: 'Não foi possível abrir a caixa de e-mails',
  },
  {
    name: 'docs',
    visitor: 'nobody',
    path: '/docs',
    shows: (page) => page.getByRole('heading', { level: 1 }),
  },
  {
    name: 'not-found',
    visitor: 'nobody',
    path: '/nada-disso',
    shows: (page) => page.getByRole('heading', { level: 1 }),
  },
];
