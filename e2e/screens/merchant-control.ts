// The screens about who controls an account: the operator's support that looks in, and handing the account over. Also
// those that name who made what.
import {
  allowSupport,
  type Endpoint,
  getHandover,
  getSupportAccess,
  getWithdrawal,
  listMembers,
  listRefunds,
  listScopedKeys,
  listWithdrawals,
  type ResponseOf,
  transactionFeed,
} from '@jangada/contract';
import type { Page } from 'playwright-core';
import {
  finance,
  handover,
  holder,
  lookedIntoAccount,
  noSupportAccess,
  otherOwner,
  supportAccess,
} from '../../web/src/testing/member-samples.ts';
import { feedOf, refund, refundsOf, transaction } from '../../web/src/testing/samples.ts';
import { withdrawal, withdrawalsOf } from '../../web/src/testing/withdrawal-samples.ts';
import { answer, fail, type Screen, type StubbedCall, stall } from './screen.ts';

const LONG_NAME = 'Maria da Conceição Vasconcelos Albuquerque de Melo e Silva Cavalcanti Neta';

/** Makes a call respond with what concerns the person who looks at the screen, in their own account. */
function answerTo<E extends Endpoint>(endpoint: E, bodyFor: (ownId: string) => ResponseOf<E>): StubbedCall {
  return {
    endpoint,
    reply: (route) => route.fulfill({ json: bodyFor(route.request().headers()['x-account'] ?? '') }),
  };
}

const heir = { ...otherOwner, name: LONG_NAME };
const membersOfHolder = answerTo(listMembers, (id) => ({
  members: [{ ...holder, id }, heir, finance],
  invitations: [],
}));
const membersOfHeir = answerTo(listMembers, (id) => ({
  members: [holder, { ...otherOwner, id }, finance],
  invitations: [],
}));
const noHandover = answer(getHandover, { handover: null });
const offeredByReader = answerTo(getHandover, (id) => ({
  handover: {
    ...handover,
    offered_by: { ...handover.offered_by, id },
    offered_to: { id: heir.id, name: LONG_NAME },
  },
}));
const offeredToReader = answerTo(getHandover, (id) => ({
  handover: { ...handover, offered_to: { ...handover.offered_to, id } },
}));
const members = { visitor: 'merchant', path: '/membros' } as const;
const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click();
const lookedAt = answer(getSupportAccess, {
  ...supportAccess,
  visits: [
    ...supportAccess.visits,
    {
      at: '2026-11-20T13:05:00.000Z',
      by: { id: '4', name: LONG_NAME },
      reason: `${LONG_NAME}, por telefone.`,
    },
  ],
});

const supportScreens: readonly Screen[] = [
  { ...members, name: 'support-access', stubs: [lookedAt], shows: /^O suporte pode olhar até/ },
  {
    ...members,
    name: 'support-access-none',
    stubs: [answer(getSupportAccess, noSupportAccess)],
    shows: 'Deixar o suporte olhar',
  },
  {
    ...members,
    name: 'support-access-allow',
    stubs: [answer(getSupportAccess, noSupportAccess), fail(allowSupport)],
    steps: async (page) => {
      await press('Deixar o suporte olhar')(page);
      await press('Deixar olhar')(page);
    },
    shows: (page) => page.getByRole('dialog').getByRole('alert'),
  },
  {
    ...members,
    name: 'support-access-end',
    stubs: [lookedAt],
    steps: press('Encerrar agora'),
    shows: 'Encerrar o acesso do suporte?',
  },
  {
    ...members,
    name: 'support-access-loading',
    stubs: [stall(getSupportAccess)],
    shows: (page) => page.locator('main .skeleton'),
    isLoading: true,
  },
  {
    ...members,
    name: 'support-access-error',
    stubs: [fail(getSupportAccess)],
    shows: (page) => page.getByRole('main').getByRole('alert'),
  },
  {
    name: 'support-looks-in',
    // An accountant reads what support reads.
    visitor: 'accountant',
    path: '/wallet',
    steps: async (page) => {
      await page.route('**/api/authed/profile', async (route) => {
        const response = await route.fetch();
        const body = await response.json();
        await route.fulfill({
          response,
          json: { ...body, account: { ...body.account, supportUntil: lookedIntoAccount.expires_at } },
        });
      });
      await page.reload();
    },
    shows: /Só leitura, até/,
  },
];

const handoverScreens: readonly Screen[] = [
  {
    ...members,
    name: 'handover-offer',
    stubs: [membersOfHolder, noHandover],
    steps: press('Passar a conta'),
    shows: 'Novo titular',
  },
  {
    ...members,
    name: 'handover-holder',
    stubs: [membersOfHolder, noHandover],
    shows: /A conta está no seu nome/,
  },
  {
    ...members,
    name: 'handover-pending',
    stubs: [membersOfHolder, offeredByReader],
    shows: /ainda não confirmou/,
  },
  {
    ...members,
    name: 'handover-heir',
    stubs: [membersOfHeir, offeredToReader],
    shows: /propôs passar a conta a você/,
  },
  {
    ...members,
    name: 'handover-confirm',
    stubs: [membersOfHeir, offeredToReader],
    steps: press('Ser o titular'),
    shows: 'Ser o titular desta conta?',
  },
  {
    ...members,
    name: 'handover-decline',
    stubs: [membersOfHeir, offeredToReader],
    steps: press('Recusar'),
    shows: 'Recusar a conta?',
  },
  {
    ...members,
    name: 'handover-third',
    stubs: [answer(getHandover, { handover })],
    shows: /propôs passar a conta a Lia Sereno/,
  },
  {
    ...members,
    name: 'handover-expired',
    stubs: [answer(getHandover, { handover: { ...handover, expires_at: '2026-01-01T12:00:00.000Z' } })],
    shows: 'A proposta de passar a conta venceu.',
  },
];

const made_by = { id: '33', name: LONG_NAME, member: false };
const makerScreens: readonly Screen[] = [
  {
    name: 'withdrawals-makers',
    visitor: 'merchant',
    path: '/withdrawal-history',
    stubs: [answer(listWithdrawals, withdrawalsOf([{ ...withdrawal, made_by }]))],
    shows: /por Maria da Conceição/,
  },
  {
    name: 'withdrawal-detail-maker',
    visitor: 'merchant',
    path: `/withdrawal-history?id=${withdrawal.id}`,
    stubs: [answer(getWithdrawal, { ...withdrawal, made_by })],
    shows: 'Pedido por',
  },
  {
    name: 'transaction-detail-makers',
    visitor: 'merchant',
    path: `/transactions?id=${transaction.id}`,
    stubs: [
      answer(transactionFeed, feedOf([transaction])),
      answer(listRefunds, refundsOf(transaction, [{ ...refund, made_by }])),
    ],
    shows: /pedido por Maria da Conceição/,
  },
  {
    name: 'keys-makers',
    visitor: 'merchant',
    path: '/api-keys',
    stubs: [
      answer(listScopedKeys, {
        keys: [
          {
            id: 'a3c1e5d2-0000-4d0e-9b3a-61f2d8c07a55',
            name: 'Loja online',
            masked: 'jgd_••••••••4f2a',
            scopes: ['read', 'charges'],
            allowed_addresses: [],
            status: 'active',
            created_at: '2026-11-01T15:00:00.000Z',
            expires_at: null,
            last_used_at: null,
            last_used_address: null,
            made_by,
          },
        ],
      }),
    ],
    shows: /Criada por Maria da Conceição/,
  },
];

export const merchantControl: readonly Screen[] = [...supportScreens, ...handoverScreens, ...makerScreens];
