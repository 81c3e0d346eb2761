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
import { answer, fail, hold, refuse, type Screen } from './screen.ts';

const TOKEN = '1ysXIk7mCqjTpVnSGKMh9fz2mQ0o8Jx5W4dLrVtE3aY';
const methods = ['totp', 'passkey', 'recovery-code'];
const secondFactor = refuse(login, 'SECOND_FACTOR_REQUIRED', {
  challenge: 'c1',
  methods,
  passkey: { challenge: 'AAAA', rpId: 'localhost' },
});

async function enter(page: Page): Promise<void> {
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

async function askForLink(page: Page): Promise<void> {
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
  { name: 'login', who: 'nobody', at: '/login', shows: 'Entrar' },
  {
    name: 'login-empty-fields',
    who: 'nobody',
    at: '/login',
    steps: (page) => page.getByRole('button', { name: 'Entrar', exact: true }).click(),
    shows: 'Por favor, digite usuário e senha',
  },
  {
    name: 'login-error',
    who: 'nobody',
    at: '/login',
    answers: [refuse(login, 'INVALID_CREDENTIALS')],
    steps: enter,
    shows: 'Usuário ou senha inválidos',
  },
  {
    name: 'login-frozen',
    who: 'nobody',
    at: '/login',
    answers: [refuse(login, 'ACCOUNT_FROZEN')],
    steps: enter,
    shows: (page) => page.getByRole('alert').filter({ hasText: /\S/ }),
  },
  {
    name: 'login-sending',
    who: 'nobody',
    at: '/login',
    answers: [hold(login)],
    steps: enter,
    shows: 'Entrando',
  },
  {
    name: 'login-second-factor',
    who: 'nobody',
    at: '/login',
    answers: [secondFactor],
    steps: enter,
    shows: 'Confirme que é você',
  },
  {
    name: 'login-second-factor-wrong',
    who: 'nobody',
    at: '/login',
    answers: [secondFactor, refuse(secondFactorLogin, 'SECOND_FACTOR_WRONG')],
    steps: async (page) => {
      await enter(page);
      await page.getByLabel('Código do aplicativo autenticador').fill('000000');
      await page.keyboard.press('Enter');
    },
    shows: /O código não confere/,
  },
  {
    name: 'login-recovery-code',
    who: 'nobody',
    at: '/login',
    answers: [secondFactor],
    steps: async (page) => {
      await enter(page);
      await page.getByRole('button', { name: /código de recuperação/i }).click();
    },
    shows: 'Código de recuperação',
  },
  {
    name: 'login-passkey-refused',
    who: 'nobody',
    at: '/login',
    answers: [
      answer(passkeyLoginOptions, {
        challenge: 'c2',
        options: { challenge: 'AAAA', rpId: 'nowhere.example' },
      }),
    ],
    steps: (page) => page.getByRole('button', { name: 'Entrar com chave de acesso' }).click(),
    shows: /A chave de acesso não foi confirmada/,
  },
  { name: 'register', who: 'nobody', at: '/register', shows: 'Criar conta' },
  {
    name: 'register-company',
    who: 'nobody',
    at: '/register',
    steps: (page) => page.getByText('CNPJ', { exact: true }).first().click(),
    shows: (page) => page.getByRole('textbox', { name: 'CNPJ' }),
  },
  {
    name: 'register-errors',
    who: 'nobody',
    at: '/register',
    steps: (page) => page.getByRole('button', { name: 'Criar conta' }).click(),
    shows: 'Nome de usuário é obrigatório',
  },
  {
    name: 'register-sending',
    who: 'nobody',
    at: '/register',
    answers: [hold(register)],
    steps: fillRegistration,
    shows: (page) => page.locator('button .spin'),
  },
  {
    name: 'register-failed',
    who: 'nobody',
    at: '/register',
    answers: [fail(register)],
    steps: fillRegistration,
    shows: 'Erro no Registro',
  },
  {
    name: 'register-name-taken',
    who: 'nobody',
    at: '/register',
    answers: [refuse(register, 'USERNAME_TAKEN')],
    steps: async (page) => {
      await fillRegistration(page);
      await page.getByRole('alertdialog').waitFor();
      await page.keyboard.press('Escape');
    },
    shows: /usuário já/i,
  },
  { name: 'recover', who: 'nobody', at: '/recuperar-senha', shows: 'Enviar link' },
  {
    name: 'recover-missing',
    who: 'nobody',
    at: '/recuperar-senha',
    steps: (page) => page.getByRole('button', { name: 'Enviar link' }).click(),
    shows: 'Email é obrigatório',
  },
  {
    name: 'recover-off',
    who: 'nobody',
    at: '/recuperar-senha',
    answers: [refuse(recoverPassword, 'RECOVERY_OFF')],
    steps: askForLink,
    shows: /peça ao suporte/,
  },
  {
    name: 'recover-sent',
    who: 'nobody',
    at: '/recuperar-senha',
    answers: [answer(recoverPassword, { success: true })],
    steps: askForLink,
    shows: /Se houver uma conta com este endereço/,
  },
  {
    name: 'reset',
    who: 'nobody',
    at: `/redefinir-senha?token=${TOKEN}`,
    answers: [answer(checkResetLink, { success: true })],
    shows: 'Nova senha',
  },
  {
    name: 'reset-checking',
    who: 'nobody',
    at: `/redefinir-senha?token=${TOKEN}`,
    answers: [hold(checkResetLink)],
    shows: (page) => page.locator('[aria-busy=true], .loading, [role=status]'),
    loading: true,
  },
  {
    name: 'reset-too-short',
    who: 'nobody',
    at: `/redefinir-senha?token=${TOKEN}`,
    answers: [answer(checkResetLink, { success: true })],
    steps: (page) => setPassword(page, 'curta'),
    shows: 'A senha deve ter no mínimo 8 caracteres',
  },
  {
    name: 'reset-common',
    who: 'nobody',
    at: `/redefinir-senha?token=${TOKEN}`,
    answers: [answer(checkResetLink, { success: true }), refuse(resetPassword, 'PASSWORD_COMMON')],
    steps: (page) => setPassword(page, 'password123'),
    shows: /comum demais/,
  },
  {
    name: 'reset-done',
    who: 'nobody',
    at: `/redefinir-senha?token=${TOKEN}`,
    answers: [answer(checkResetLink, { success: true }), answer(resetPassword, { success: true })],
    steps: (page) => setPassword(page, 'vento leste, rede cheia'),
    shows: 'Senha trocada',
  },
  {
    name: 'reset-link-gone',
    who: 'nobody',
    at: `/redefinir-senha?token=${TOKEN}`,
    shows: /já foi usado ou não vale mais/,
  },
  { name: 'reset-link-broken', who: 'nobody', at: '/redefinir-senha', shows: 'Link inválido' },
  {
    name: 'confirm-email',
    who: 'nobody',
    at: `/confirmar-email?token=${TOKEN}`,
    answers: [answer(checkEmailLink, { success: true })],
    shows: (page) => page.getByRole('button', { name: 'Confirmar e-mail' }),
  },
  {
    name: 'confirm-email-done',
    who: 'nobody',
    at: `/confirmar-email?token=${TOKEN}`,
    answers: [
      answer(checkEmailLink, { success: true }),
      answer(confirmEmail, { email: 'marina@emporiocapibaribe.example' }),
    ],
    steps: (page) => page.getByRole('button', { name: 'Confirmar e-mail' }).click(),
    shows: 'marina@emporiocapibaribe.example',
  },
  {
    name: 'confirm-email-gone',
    who: 'nobody',
    at: `/confirmar-email?token=${TOKEN}`,
    shows: /já foi usado ou não vale mais/,
  },
  {
    name: 'mailbox',
    who: 'nobody',
    at: '/mailbox',
    answers: [answer(sandboxMails, { mails })],
    shows: 'Crie outra senha',
  },
  {
    name: 'mailbox-empty',
    who: 'nobody',
    at: '/mailbox',
    answers: [answer(sandboxMails, { mails: [] })],
    shows: 'Nenhum e-mail ainda',
  },
  {
    name: 'mailbox-error',
    who: 'nobody',
    at: '/mailbox',
    answers: [fail(sandboxMails)],
    shows: 'Não foi possível abrir a caixa de e-mails',
  },
  { name: 'docs', who: 'nobody', at: '/docs', shows: (page) => page.getByRole('heading', { level: 1 }) },
  {
    name: 'not-found',
    who: 'nobody',
    at: '/nada-disso',
    shows: (page) => page.getByRole('heading', { level: 1 }),
  },
];
