import {
  adminAcceptKyc,
  adminFreezeUser,
  adminGetUser,
  adminKycPicture,
  adminLookIn,
  adminPayouts,
  adminPendingKyc,
  adminSystemHealth,
  adminUpdateUser,
  adminUserBasics,
} from '@jangada/contract';
import type { Page } from 'playwright-core';
import { payouts, systemHealth } from '../../web/src/testing/admin-money-samples.ts';
import { adminUser, pendingKyc } from '../../web/src/testing/admin-samples.ts';
import { answer, fail, refuse, type Screen, type StubbedCall, stall } from './screen.ts';

export const LONG = 'Maria da Conceição Vasconcelos Albuquerque';
/** A screen of the administrator. */
export const admin = (
  name: string,
  path: Screen['path'],
  shows: Screen['shows'],
  options: Partial<Omit<Screen, 'name' | 'visitor'>> = {},
): Screen => ({ name: `admin-${name}`, visitor: 'admin', path, shows, ...options });
export const withStubs = (...stubs: StubbedCall[]) => ({ stubs });
export const skeleton = (page: Page) => page.locator('main .skeleton');
export const openDetails = (page: Page) => page.getByRole('button', { name: 'Detalhes' }).first().click();

const startScreens: readonly Screen[] = [
  admin('start', '/dashboard', 'Saúde do sistema'),
  admin(
    'start-busy',
    '/dashboard',
    /assuntos esperam por você/,
    withStubs(
      answer(adminSystemHealth, systemHealth),
      answer(adminPayouts, { ...payouts, stopped_because: 'O saldo no banco não fecha com os livros.' }),
    ),
  ),
  admin('start-loading', '/dashboard', skeleton, {
    ...withStubs(stall(adminSystemHealth), stall(adminPayouts)),
    isLoading: true,
  }),
  admin('start-error', '/dashboard', 'Erro ao buscar o que espera por você.', withStubs(fail(adminPayouts))),
];

const openUser = '/admin/user-management?id=12';
const frozenUser = {
  ...adminUser,
  frozen_at: '2026-11-21T17:32:00.000Z',
  frozen_because: 'Suspeita de fraude',
};
const userWithLongValues = {
  ...adminUser,
  name: `${LONG} de Melo e Silva Cavalcanti Neta`,
  username: 'maria.da.conceicao.vasconcelos.albuquerque',
  email: 'maria.da.conceicao.vasconcelos.albuquerque@emporiocapibaribe.com.br',
  balance: 98_765_432.1,
};
const userStub = answer(adminGetUser, { user: adminUser });
const handedOver = answer(adminGetUser, {
  user: {
    ...adminUser,
    held_by: { id: '34', name: `${LONG} de Melo e Silva` },
    identity_review_since: '2026-11-21T17:32:00.000Z',
  },
});

const userScreens: readonly Screen[] = [
  admin('users', '/admin/user-management', /1–\d+ de/),
  admin('users-loading', '/admin/user-management', skeleton, {
    ...withStubs(stall(adminUserBasics)),
    isLoading: true,
  }),
  admin(
    'users-error',
    '/admin/user-management',
    'Erro ao carregar usuários',
    withStubs(fail(adminUserBasics)),
  ),
  admin('users-no-result', '/admin/user-management?search=zzz', 'Nenhum usuário encontrado'),
  admin('user', openUser, 'Editar usuário', withStubs(userStub)),
  admin('user-loading', openUser, (page) => page.getByRole('dialog'), {
    ...withStubs(stall(adminGetUser)),
    isLoading: true,
  }),
  admin('user-error', openUser, 'Erro ao carregar dados do usuário', withStubs(fail(adminGetUser))),
  admin('user-balance', openUser, 'Informe o motivo do ajuste de saldo.', {
    ...withStubs(userStub),
    steps: async (page) => {
      await page.getByLabel('Saldo disponível').fill('300,00');
      await page.getByRole('button', { name: 'Salvar' }).click();
    },
  }),
  admin('user-uncovered', openUser, 'O banco não cobre este crédito.', {
    ...withStubs(userStub, answer(adminPayouts, payouts)),
    steps: (page) => page.getByLabel('Saldo disponível').fill('98.765.432,10'),
  }),
  admin('user-fees-wrong', openUser, 'Informe um número.', {
    ...withStubs(userStub),
    steps: async (page) => {
      await page.getByLabel('Entrada (%)').fill('150');
      await page.getByLabel('Percentual (%)').fill('x');
      await page.getByLabel('Nome', { exact: true }).fill('');
      await page.getByRole('button', { name: 'Salvar' }).click();
    },
  }),
  admin('user-fees', openUser, 'Liberação (dias)', {
    ...withStubs(userStub),
    steps: (page) => page.getByLabel('Liberação (dias)').scrollIntoViewIfNeeded(),
  }),
  admin(
    'user-long',
    openUser,
    'Editar usuário',
    withStubs(answer(adminGetUser, { user: userWithLongValues })),
  ),
  admin('user-own', '/admin/user-management?search=admin', /^Esta é a sua conta/, {
    steps: (page) => page.getByRole('button', { name: 'Editar' }).first().click(),
  }),
  admin('user-discard', openUser, 'Descartar alterações?', {
    ...withStubs(userStub),
    steps: async (page) => {
      await page.getByLabel('Nome', { exact: true }).fill('Outro Nome');
      await page.getByRole('button', { name: 'Cancelar' }).click();
    },
  }),
  admin('user-stale', openUser, /alterado por outra pessoa/, {
    ...withStubs(userStub, refuse(adminUpdateUser, 'STALE_VERSION')),
    steps: async (page) => {
      await page.getByLabel('Nome', { exact: true }).fill('Outro Nome');
      await page.getByRole('button', { name: 'Salvar' }).click();
    },
  }),
  admin('user-frozen', openUser, /^Congelado em/, withStubs(answer(adminGetUser, { user: frozenUser }))),
  admin(
    'user-closing',
    openUser,
    /^Encerramento pedido em/,
    withStubs(
      answer(adminGetUser, {
        user: {
          ...adminUser,
          closing_requested_at: '2026-11-21T17:32:00.000Z',
          closing_reason: 'Mudei de ramo',
        },
      }),
    ),
  ),
  admin('user-unfreeze', openUser, /volta a entrar, a cobrar e a sacar/, {
    ...withStubs(answer(adminGetUser, { user: frozenUser })),
    steps: (page) => page.getByRole('button', { name: 'Descongelar' }).click(),
  }),
  admin('user-look-in', openUser, /Nenhum dono desta conta deixou/, {
    ...withStubs(userStub, refuse(adminLookIn, 'SUPPORT_NOT_ALLOWED')),
    steps: async (page) => {
      await page.getByRole('button', { name: 'Olhar a conta' }).click();
      const dialog = page.getByRole('dialog', { name: 'Olhar a conta' });
      await dialog.getByLabel('Motivo').fill('Chamado 4711.');
      await dialog.getByRole('button', { name: 'Olhar a conta' }).click();
    },
  }),
  admin('user-handed-over', openUser, /A conta mudou de titular/, withStubs(handedOver)),
  admin('user-identity-reviewed', openUser, /Você registra que conferiu/, {
    ...withStubs(handedOver),
    steps: (page) => page.getByRole('button', { name: 'Registrar conferência' }).click(),
  }),
  admin('user-freeze', openUser, 'Congelar usuário', {
    ...withStubs(userStub, fail(adminFreezeUser)),
    steps: (page) => page.getByRole('button', { name: 'Congelar' }).click(),
  }),
];

const pendingSubmission = (id: string, name: string, email: string, day: number) => ({
  user: { id, name, email },
  document: { ...pendingKyc.document, createdAt: `2026-11-${day}T12:14:00.000Z` },
});
const manyPending = answer(adminPendingKyc, {
  items: [
    pendingKyc,
    pendingSubmission('21', `${LONG} de Melo e Silva Cavalcanti Neta`, userWithLongValues.email, 19),
    pendingSubmission('22', 'José Raimundo Nonato da Silva', 'zenonato@example.com', 20),
    pendingSubmission('23', 'Ana Lúcia Gonçalves d’Ávila', 'analu@example.com', 21),
  ],
  total: 47,
  page: 1,
  limit: 20,
});

const kycScreens: readonly Screen[] = [
  admin('kyc', '/admin/kyc-management', 'Pendente'),
  admin('kyc-many', '/admin/kyc-management', /^47 pessoas esperam/, withStubs(manyPending)),
  admin('kyc-loading', '/admin/kyc-management', skeleton, {
    ...withStubs(stall(adminPendingKyc)),
    isLoading: true,
  }),
  admin(
    'kyc-error',
    '/admin/kyc-management',
    'Erro ao carregar verificações pendentes',
    withStubs(fail(adminPendingKyc)),
  ),
  admin(
    'kyc-empty',
    '/admin/kyc-management',
    'Tudo em dia',
    withStubs(answer(adminPendingKyc, { items: [], total: 0, page: 1, limit: 20 })),
  ),
  admin('kyc-view', '/admin/kyc-management', (page) => page.getByRole('dialog'), { steps: openFirst }),
  admin('kyc-too-late', '/admin/kyc-management', /já foi decidida/, {
    ...withStubs(refuse(adminAcceptKyc, 'KYC_DECIDED')),
    steps: async (page) => {
      await openFirst(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Aprovar' }).click();
    },
  }),
  admin('kyc-decision-failed', '/admin/kyc-management', /^Ocorreu um erro inesperado/, {
    ...withStubs(fail(adminAcceptKyc)),
    steps: async (page) => {
      await openFirst(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Aprovar' }).click();
    },
  }),
  admin(
    'kyc-picture',
    '/admin/kyc-management',
    (page) => page.getByRole('button', { name: 'Girar para a direita' }),
    {
      steps: async (page) => {
        await openFirst(page);
        await page.getByRole('button', { name: 'Ampliar selfie com o documento' }).click();
      },
    },
  ),
  admin('kyc-picture-closer', '/admin/kyc-management', '200%', {
    steps: async (page) => {
      await openFirst(page);
      await page.getByRole('button', { name: 'Ampliar frente do documento' }).click();
      for (const _ of [1, 2]) await page.getByRole('button', { name: 'Aproximar' }).click();
      await page.getByRole('button', { name: 'Girar para a direita' }).click();
    },
  }),
  admin('kyc-picture-error', '/admin/kyc-management', 'Tentar Novamente', {
    ...withStubs(fail(adminKycPicture)),
    steps: async (page) => {
      await openFirst(page);
      await page.getByRole('button', { name: 'Ampliar selfie com o documento' }).click();
    },
  }),
  admin('kyc-reject', '/admin/kyc-management', 'Informe o motivo da rejeição.', {
    steps: async (page) => {
      await openFirst(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Rejeitar' }).click();
      await page
        .getByRole('dialog', { name: 'Rejeitar verificação' })
        .getByRole('button', { name: 'Rejeitar' })
        .click();
    },
  }),
  admin('kyc-approve', '/admin/kyc-management', (page) => page.getByRole('alertdialog'), {
    steps: (page) =>
      page
        .getByRole('button', { name: /^Aprovar / })
        .first()
        .click(),
  }),
];

/** Opens the first person's documents. */
function openFirst(page: Page): Promise<void> {
  return page.getByRole('button', { name: /^Ver / }).first().click();
}

/** The administrator's start page, users and identity checks (KYC). */
export const adminScreens: readonly Screen[] = [...startScreens, ...userScreens, ...kycScreens];
