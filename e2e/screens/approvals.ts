import {
  approvalOptions,
  approve,
  getApproval,
  getApprovalPolicy,
  listApprovals,
  profile,
  saveDestination,
  setApprovalPolicy,
} from '@jangada/contract';
import type { Page } from 'playwright-core';
import {
  approvedOwnRequest as approvedOwnSample,
  detailOf,
  openRequest as openSample,
  policyOff,
  policyOn,
  rejectedRequest,
} from '../../web/src/testing/approval-samples.ts';
import { answer, fail, refuse, type Screen, type StubbedCall, stall } from './screen.ts';

/** The requests with a deadline that is near when the pictures are taken. */
const expires_at = new Date(Date.now() + 41 * 3_600_000).toISOString();
const openRequest = { ...openSample, expires_at };
const approvedOwnRequest = { ...approvedOwnSample, expires_at };

/** The visitor's own profile, in an account with approvals. */
const withApprovals: StubbedCall = {
  endpoint: profile,
  reply: async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), approvals: { waiting: 2 } } });
  },
};
const on = answer(getApprovalPolicy, policyOn);
const off = answer(getApprovalPolicy, policyOff);
const nothing = answer(listApprovals, { open: [], ended: [], waiting_for_you: 0 });
const several = answer(listApprovals, {
  open: [
    openRequest,
    {
      ...openRequest,
      id: '0f6b9a52-4444-4d0e-9b3a-61f2d8c07a55',
      kind: 'destination',
      order_id: null,
      summary:
        'Novo destino de saque por API: contas.a.pagar.da.matriz@emporiocapibaribedeolinda.com.br, até R$ 100,00 → R$ 999.999.999,99 por dia sem aprovação',
      amount_cents: null,
      unusual: [],
    },
    approvedOwnRequest,
  ],
  ended: [
    rejectedRequest,
    { ...rejectedRequest, id: '0f6b9a52-5555-4d0e-9b3a-61f2d8c07a55', status: 'expired' },
  ],
  waiting_for_you: 2,
});

const listPath = '/aprovacoes';
const detailPath = `/aprovacoes?id=${openRequest.id}`;
const detail = (approval: Parameters<typeof detailOf>[0]) =>
  answer(getApproval, { approval: detailOf(approval) });
const own = { ...openRequest, is_maker: true, may_approve: false };
const [firstApproval] = openRequest.approvals;

const list = (name: string, stubs: readonly StubbedCall[], shows: Screen['shows']): Screen => ({
  name: `approvals-${name}`,
  visitor: 'merchant',
  path: listPath,
  stubs: [withApprovals, ...stubs],
  shows,
});

const one = (name: string, stubs: readonly StubbedCall[], shows: Screen['shows']): Screen => ({
  name: `approval-${name}`,
  visitor: 'merchant',
  path: detailPath,
  stubs: [withApprovals, ...stubs],
  shows,
});

const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click();

const passkeyOptions = answer(approvalOptions, {
  methods: ['passkey', 'totp'],
  options: { challenge: 'AAAA' },
  digest: '',
});

export const approvals: readonly Screen[] = [
  list('list', [several, on], 'Esperam a sua aprovação'),
  list('off', [nothing, off], 'Ligar aprovações'),
  list('empty', [nothing, on], 'Nenhum pedido'),
  {
    ...list('loading', [stall(listApprovals), stall(getApprovalPolicy)], (page) =>
      page.locator('main .skeleton'),
    ),
    isLoading: true,
  },
  list('error', [fail(listApprovals), fail(getApprovalPolicy)], 'Erro ao buscar os pedidos'),
  list(
    'not-counted',
    [
      nothing,
      answer(getApprovalPolicy, {
        ...policyOn,
        approvers: policyOn.approvers.map((person) =>
          person.is_own ? { ...person, status: 'not-approved' as const } : person,
        ),
      }),
    ],
    'A sua aprovação ainda não conta.',
  ),
  {
    ...list('policy', [nothing, off], 'Só chaves de acesso'),
    steps: press('Ligar aprovações'),
  },
  {
    ...list(
      'policy-too-few',
      [nothing, off, refuse(setApprovalPolicy, 'APPROVERS_TOO_FEW')],
      /Faltam pessoas que aprovem: cada/,
    ),
    steps: async (page) => {
      await press('Ligar aprovações')(page);
      await press('Ligar')(page);
    },
  },
  {
    ...list(
      'policy-sent',
      [several, on, refuse(setApprovalPolicy, 'APPROVAL_REQUESTED', { approval_id: openRequest.id })],
      'Pedido enviado a quem aprova',
    ),
    steps: async (page) => {
      await page.getByRole('button', { name: 'Desligar', exact: true }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Pedir para desligar' }).click();
    },
  },
  one('open', [detail(openRequest)], 'Fora do comum'),
  {
    ...one('text', [detail(openRequest)], /jangada-approval/),
    steps: (page) => page.getByText('Ver o texto que se assina').click(),
  },
  one('own', [detail(own)], /Você pediu isto/),
  one(
    'given',
    [
      detail({
        ...openRequest,
        may_approve: false,
        approvals: firstApproval ? [{ ...firstApproval, is_own: true }] : [],
      }),
    ],
    /^Você aprovou/,
  ),
  one('conclude', [detail(approvedOwnRequest)], /Conclua-o até/),
  one('rejected', [detail(rejectedRequest)], 'O cliente já recebeu outro produto.'),
  one(
    'expired',
    [detail({ ...openRequest, status: 'expired', may_approve: false, ended_at: openRequest.created_at })],
    'Vencido',
  ),
  { ...one('loading', [stall(getApproval)], (page) => page.locator('main .skeleton')), isLoading: true },
  one('error', [fail(getApproval)], 'Erro ao buscar o pedido'),
  one('not-found', [refuse(getApproval, 'APPROVAL_NOT_FOUND')], 'Pedido não encontrado.'),
  {
    ...one('factor', [detail(openRequest), passkeyOptions], 'Usar chave de acesso'),
    steps: press('Aprovar'),
  },
  {
    ...one(
      'wrong-code',
      [detail(openRequest), passkeyOptions, refuse(approve, 'SECOND_FACTOR_WRONG')],
      /O código não confere/,
    ),
    steps: async (page) => {
      await press('Aprovar')(page);
      await press('Usar o aplicativo autenticador')(page);
      await page.getByLabel('Código do aplicativo autenticador').fill('123456');
      await page.getByRole('dialog').getByRole('button', { name: 'Aprovar' }).click();
    },
  },
  {
    ...one(
      'not-counted',
      [detail(openRequest), refuse(approvalOptions, 'APPROVER_NOT_COUNTED')],
      'Pedir que conte',
    ),
    steps: press('Aprovar'),
  },
  { ...one('reject', [detail(openRequest)], 'Motivo (opcional)'), steps: press('Recusar') },
  {
    ...one(
      'retract',
      [
        detail({
          ...openRequest,
          may_approve: false,
          approvals: firstApproval ? [{ ...firstApproval, is_own: true }] : [],
        }),
      ],
      'Retirar a sua aprovação?',
    ),
    steps: press('Retirar minha aprovação'),
  },
  { ...one('cancel', [detail(own)], 'Desistir do pedido?'), steps: press('Desistir do pedido') },
  {
    name: 'approvals-notice',
    visitor: 'merchant',
    path: '/dashboard',
    stubs: [withApprovals],
    shows: '2 pedidos esperam a sua aprovação.',
  },
  {
    name: 'approvals-destination',
    visitor: 'merchant',
    path: '/api-withdrawals',
    stubs: [
      withApprovals,
      on,
      refuse(saveDestination, 'APPROVAL_REQUESTED', { approval_id: openRequest.id }),
    ],
    steps: (page) => page.getByRole('button', { name: 'Adicionar destino' }).first().click(),
    shows: 'Limite por dia sem aprovação',
  },
  {
    name: 'admin-approvals',
    visitor: 'admin',
    path: '/admin/aprovacoes',
    shows: 'Quando se pede aprovação',
  },
];
