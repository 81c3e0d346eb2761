// The screens of members: who acts for an account, invitations, and what each role is shown.
import {
  acceptInvitation,
  checkInvitation,
  enterAccount,
  inviteMember,
  listAccounts,
  listMembers,
  listPayments,
  profile,
  removeMember,
  stepUpOptions,
} from '@jangada/contract';
import type { Page } from 'playwright-core';
import {
  accounts,
  cashier,
  finance,
  holder,
  invitation,
  linkedInvitation,
} from '../../web/src/testing/member-samples.ts';
import { user } from '../../web/src/testing/samples.ts';
import { answer, fail, refuse, type Screen, stall } from './screen.ts';

const LONG_NAME = 'Maria da Conceição Vasconcelos Albuquerque de Melo e Silva Cavalcanti Neta';
const LONG_EMAIL = 'maria.da.conceicao.vasconcelos.albuquerque.de.melo@contabilidade-capibaribe.example.com';

const everybody = answer(listMembers, {
  members: [
    holder,
    { ...finance, refund_limit: 14_999.99, withdrawal_limit: 999_999.99 },
    cashier,
    { ...cashier, id: '33', name: LONG_NAME, email: LONG_EMAIL, role: 'accountant' },
    { ...cashier, id: '34', name: 'Lia Sereno', email: 'lia@example.com', role: 'owner' },
  ],
  invitations: [
    invitation,
    {
      ...invitation,
      id: '0193f1c0-0000-7000-8000-0000000000a2',
      email: LONG_EMAIL,
      invited_by: LONG_NAME,
      role: 'finance',
      withdrawal_limit: 2500,
      refund_limit: 300,
    },
  ],
});
const onlyHolder = answer(listMembers, { members: [holder], invitations: [] });

const openInvite = (page: Page) => page.getByRole('button', { name: 'Convidar' }).click();
async function openMember(page: Page, name: string): Promise<void> {
  // The row opens by a press at every width.
  await page.getByText(name).first().click();
  await page.getByRole('dialog').getByText('Remover da conta').waitFor();
}

const membersScreens: readonly Screen[] = [
  { name: 'members', visitor: 'merchant', path: '/membros', shows: 'Rafael Monteiro' },
  {
    name: 'members-full',
    visitor: 'merchant',
    path: '/membros',
    stubs: [everybody],
    shows: 'Convites abertos',
  },
  { name: 'members-alone', visitor: 'merchant', path: '/membros', stubs: [onlyHolder], shows: 'Titular' },
  { name: 'members-new', visitor: 'newcomer', path: '/membros', shows: /assim que ela for aprovada/ },
  {
    name: 'members-loading',
    visitor: 'merchant',
    path: '/membros',
    stubs: [stall(listMembers)],
    shows: (page) => page.locator('main .skeleton'),
    isLoading: true,
  },
  {
    name: 'members-error',
    visitor: 'merchant',
    path: '/membros',
    stubs: [fail(listMembers)],
    shows: 'Erro ao buscar os membros',
  },
  {
    name: 'members-roles',
    visitor: 'merchant',
    path: '/membros',
    stubs: [onlyHolder],
    steps: (page) => page.getByText('Cria cobranças e vê as que ele mesmo criou hoje.').click(),
    shows: 'Ver cobranças: o Caixa, só as que criou hoje',
    widths: ['phone'],
  },
  {
    name: 'members-invite',
    visitor: 'merchant',
    path: '/membros',
    stubs: [onlyHolder],
    steps: async (page) => {
      await openInvite(page);
      await page.getByRole('radio', { name: /^Financeiro/ }).click();
    },
    shows: 'Limite de saques por dia',
  },
  {
    name: 'members-invite-owner',
    visitor: 'merchant',
    path: '/membros',
    stubs: [onlyHolder, refuse(inviteMember, 'MEMBER_EXISTS')],
    steps: async (page) => {
      await openInvite(page);
      await page.getByLabel('E-mail').fill('rafael@example.com');
      await page.getByRole('radio', { name: /^Dono/ }).click();
      await page.getByRole('button', { name: 'Enviar convite' }).click();
    },
    shows: 'Esta pessoa já é membro da conta.',
  },
  {
    name: 'members-invite-wrong',
    visitor: 'merchant',
    path: '/membros',
    stubs: [onlyHolder],
    steps: async (page) => {
      await openInvite(page);
      await page.getByLabel('E-mail').fill('rafael@example');
      await page.getByRole('button', { name: 'Enviar convite' }).click();
    },
    shows: /Informe o e-mail inteiro/,
  },
  {
    name: 'members-invite-step-up',
    visitor: 'merchant',
    path: '/membros',
    stubs: [
      onlyHolder,
      refuse(inviteMember, 'STEP_UP_REQUIRED', { methods: ['totp', 'recovery-code'] }),
      answer(stepUpOptions, { methods: ['totp', 'recovery-code'], challenge: null, options: null }),
    ],
    steps: async (page) => {
      await openInvite(page);
      await page.getByLabel('E-mail').fill('rafael@example.com');
      await page.getByRole('button', { name: 'Enviar convite' }).click();
    },
    shows: 'Confirme que é você',
  },
  {
    name: 'members-change',
    visitor: 'merchant',
    path: '/membros',
    stubs: [everybody],
    steps: (page) => openMember(page, 'Rafael Monteiro'),
    shows: 'Remover da conta',
  },
  {
    name: 'members-remove',
    visitor: 'merchant',
    path: '/membros',
    stubs: [everybody, fail(removeMember)],
    steps: async (page) => {
      await openMember(page, LONG_NAME);
      await page.getByRole('button', { name: 'Remover da conta' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remover' }).click();
    },
    shows: 'Escolha o que acontece com as chaves.',
  },
  {
    name: 'members-withdraw-invitation',
    visitor: 'merchant',
    path: '/membros',
    stubs: [everybody],
    steps: (page) => page.getByRole('button', { name: `Desfazer o convite para ${LONG_EMAIL}` }).click(),
    shows: 'Desfazer o convite?',
  },
];

const linked = (changes: Partial<typeof linkedInvitation> = {}) =>
  answer(checkInvitation, { ...linkedInvitation, ...changes });
const INVITATION = '/convite?token=a-token-of-a-mailed-invitation';
const invitedUser = answer(profile, { user: { ...user, email: linkedInvitation.email } });

const invitations: readonly Screen[] = [
  {
    name: 'invitation-registered',
    visitor: 'nobody',
    path: INVITATION,
    stubs: [linked()],
    shows: 'Entrar para aceitar',
  },
  {
    name: 'invitation-unregistered',
    visitor: 'nobody',
    path: INVITATION,
    stubs: [linked({ registered: false, role: 'cashier', refund_limit: null, withdrawal_limit: null })],
    shows: 'Criar conta para aceitar',
  },
  {
    name: 'invitation-long',
    visitor: 'nobody',
    path: INVITATION,
    stubs: [linked({ account_name: LONG_NAME, invited_by: LONG_NAME, email: LONG_EMAIL })],
    shows: 'Entrar para aceitar',
  },
  {
    name: 'invitation-accept',
    visitor: 'merchant',
    path: INVITATION,
    stubs: [linked(), invitedUser, refuse(acceptInvitation, 'ACCOUNT_FROZEN')],
    steps: (page) => page.getByRole('button', { name: 'Aceitar convite' }).click(),
    shows: (page) => page.getByRole('alert').filter({ hasText: /\S/ }),
  },
  {
    name: 'invitation-other',
    visitor: 'merchant',
    path: INVITATION,
    stubs: [linked()],
    shows: /Você entrou como/,
  },
  {
    name: 'invitation-gone',
    visitor: 'nobody',
    path: INVITATION,
    stubs: [refuse(checkInvitation, 'LINK_EXPIRED')],
    shows: 'Convite inválido',
  },
  {
    name: 'invitation-loading',
    visitor: 'nobody',
    path: INVITATION,
    stubs: [stall(checkInvitation)],
    shows: (page) => page.locator('main .skeleton'),
    isLoading: true,
  },
  {
    name: 'invitation-error',
    visitor: 'nobody',
    path: INVITATION,
    stubs: [fail(checkInvitation)],
    shows: 'Não foi possível abrir o convite',
  },
  {
    name: 'invitation-register',
    visitor: 'nobody',
    path: INVITATION,
    stubs: [linked({ registered: false })],
    steps: (page) => page.getByRole('link', { name: 'Criar conta para aceitar' }).click(),
    shows: 'O convite é para este e-mail.',
  },
];

const openAccountMenu = (page: Page) =>
  page
    .getByRole('banner')
    .getByRole('button', { name: /^Conta/ })
    // By keyboard, since a pointer would stay behind when the width changes, and close the menu.
    .press('Enter');

const accountScreens: readonly Screen[] = [
  {
    name: 'accounts-menu',
    visitor: 'finance',
    path: '/profile',
    steps: openAccountMenu,
    shows: (page) => page.getByRole('group', { name: 'Contas' }).getByText('Sua conta'),
  },
  {
    name: 'accounts-menu-long',
    visitor: 'accountant',
    path: '/profile',
    stubs: [
      answer(listAccounts, {
        accounts: [
          ...accounts.accounts,
          {
            account_id: '99',
            name: LONG_NAME,
            role: 'developer',
            own: false,
            current: false,
            frozen: false,
          },
        ],
      }),
    ],
    steps: openAccountMenu,
    shows: (page) => page.getByRole('menuitem', { name: /Padaria da Aurora/ }),
  },
  {
    name: 'accounts-menu-loading',
    visitor: 'finance',
    path: '/profile',
    stubs: [stall(listAccounts)],
    steps: openAccountMenu,
    shows: (page) => page.getByRole('group', { name: 'Contas' }).locator('.skeleton'),
    isLoading: true,
  },
  {
    name: 'accounts-menu-error',
    visitor: 'finance',
    path: '/profile',
    stubs: [fail(listAccounts)],
    steps: openAccountMenu,
    shows: 'Erro ao buscar as suas contas.',
  },
  {
    name: 'accounts-switched-elsewhere',
    visitor: 'finance',
    path: '/dashboard',
    steps: async (page) => {
      await page.evaluate(() =>
        sessionStorage.setItem(
          'account-change',
          'A conta desta sessão foi trocada em outra aba. O que estava aberto aqui era de outra conta, e nada mais foi feito nela.',
        ),
      );
      await page.reload();
    },
    shows: 'Entendi',
  },
  {
    name: 'accounts-frozen',
    visitor: 'finance',
    path: '/wallet',
    stubs: [fail(enterAccount)],
    steps: async (page) => {
      await page.route('**/api/authed/profile', async (route) => {
        const response = await route.fetch();
        const { user, account } = await response.json();
        await route.fulfill({
          response,
          json: { user, account: { ...account, balance: null, frozen: true } },
        });
      });
      await page.reload();
    },
    shows: 'Conta congelada',
  },
  {
    name: 'accounts-leave',
    visitor: 'finance',
    path: '/profile',
    steps: (page) => page.getByRole('button', { name: 'Deixar esta conta' }).click(),
    shows: 'Deixar esta conta?',
  },
];

const byRole: readonly Screen[] = [
  { name: 'role-finance-start', visitor: 'finance', path: '/dashboard', shows: 'Transações recentes' },
  { name: 'role-finance-withdrawals', visitor: 'finance', path: '/withdrawals', shows: 'Solicitar Saque' },
  { name: 'role-operator-start', visitor: 'operator', path: '/dashboard', shows: 'Transações recentes' },
  { name: 'role-operator-links', visitor: 'operator', path: '/payment-links', shows: 'Criar link' },
  { name: 'role-operator-profile', visitor: 'operator', path: '/profile', shows: 'Conta em que você age' },
  { name: 'role-cashier-start', visitor: 'cashier', path: '/dashboard', shows: 'Suas cobranças de hoje' },
  {
    name: 'role-cashier-empty',
    visitor: 'cashier',
    path: '/dashboard',
    stubs: [answer(listPayments, { data: [], next: null })],
    shows: 'Nenhuma cobrança sua hoje',
  },
  {
    name: 'role-cashier-loading',
    visitor: 'cashier',
    path: '/dashboard',
    stubs: [stall(listPayments)],
    shows: (page) => page.locator('main .skeleton'),
    isLoading: true,
  },
  {
    name: 'role-cashier-error',
    visitor: 'cashier',
    path: '/dashboard',
    stubs: [fail(listPayments)],
    shows: 'Erro ao buscar as suas cobranças de hoje',
  },
  { name: 'role-cashier-charges', visitor: 'cashier', path: '/transactions', shows: 'Cobranças de hoje' },
  { name: 'role-cashier-payment', visitor: 'cashier', path: '/pix-payment', shows: 'Gerar Pagamento' },
  { name: 'role-missing', visitor: 'cashier', path: '/wallet', shows: 'O seu papel não abre esta tela' },
  { name: 'role-accountant-start', visitor: 'accountant', path: '/dashboard', shows: 'Transações recentes' },
  { name: 'role-accountant-wallet', visitor: 'accountant', path: '/wallet', shows: 'Saldo disponível' },
  { name: 'role-developer-start', visitor: 'developer', path: '/dashboard', shows: /Uma para cada sistema/ },
  { name: 'role-developer-keys', visitor: 'developer', path: '/api-keys', shows: 'Chaves por sistema' },
  {
    name: 'role-drawer',
    visitor: 'accountant',
    path: '/dashboard',
    steps: (page) => page.getByRole('button', { name: 'Abrir menu' }).click(),
    shows: (page) => page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Extrato' }),
    widths: ['phone', 'tablet'],
  },
];

export const merchantMembers: readonly Screen[] = [
  ...membersScreens,
  ...invitations,
  ...accountScreens,
  ...byRole,
];
