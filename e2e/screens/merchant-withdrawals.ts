import {
  checkWithdrawalPin,
  getApiWithdrawals,
  getWalletStats,
  getWithdrawal,
  listWithdrawals,
  outFees,
  ownBank,
  publicSettings,
  saveDestination,
  setApiWithdrawals,
  withdraw,
  withdrawalSources,
} from '@jangada/contract';
import type { Page } from 'playwright-core';
import { paidIntoOwnBank } from '../../web/src/testing/connection-samples.ts';
import { settings, walletOf } from '../../web/src/testing/samples.ts';
import { outFee, pinSet, sources, withdrawal } from '../../web/src/testing/withdrawal-samples.ts';
import { emptyWallet, noPin } from './merchant-money.ts';
import { answer, disconnect, fail, refuse, type Screen, type StubbedCall, stall } from './screen.ts';

const KEY = 'financeiro@emporiocapibaribe.com.br';

async function requestWithdrawal(page: Page): Promise<void> {
  await page.getByText(/O PIN é pedido a cada saque\./).waitFor();
  await page.getByLabel('Valor', { exact: true }).pressSequentially('15000');
  await page.getByLabel('Tipo de chave').selectOption('email');
  await page.getByLabel('Chave PIX').fill(KEY);
  await page.getByRole('button', { name: 'Solicitar Saque' }).click();
  await page.getByRole('heading', { name: 'Confirmar saque' }).waitFor();
}

async function confirmWithPin(page: Page): Promise<void> {
  await requestWithdrawal(page);
  await page.getByLabel('PIN de saque', { exact: true }).fill('4829');
  await page.getByRole('button', { name: 'Confirmar' }).click();
}

const coveredBalance = answer(
  getWalletStats,
  walletOf({ available: 12_480.37, earned: 13_000, gross: 13_100, deposits: 40 }),
);
/** The answers to a merchant with money at the operator and at own banks. */
const direct = [answer(ownBank, paidIntoOwnBank), answer(withdrawalSources, sources)];
/** A screen after the request of a withdrawal was confirmed with the PIN. */
const afterRequest = (name: string, shows: Screen['shows'], ...stubs: StubbedCall[]): Screen => ({
  name,
  visitor: 'merchant',
  path: '/withdrawals',
  stubs: [coveredBalance, ...stubs],
  steps: confirmWithPin,
  shows,
});
/** A screen before anything is typed. */
const beforeRequest = (name: string, shows: Screen['shows'], ...stubs: StubbedCall[]): Screen => ({
  name,
  visitor: 'merchant',
  path: '/withdrawals',
  stubs: [coveredBalance, ...stubs],
  shows,
});

const withdrawals: readonly Screen[] = [
  beforeRequest('withdrawal', /O PIN é pedido a cada saque\./),
  {
    name: 'withdrawal-filled',
    visitor: 'merchant',
    path: '/withdrawals',
    stubs: [coveredBalance, answer(outFees, { ...outFee, outPercent: 0.5 })],
    steps: async (page) => {
      await page.getByText(/O PIN é pedido a cada saque\./).waitFor();
      await page.getByRole('button', { name: 'Sacar tudo' }).click();
      await page.getByLabel('Tipo de chave').selectOption('random');
      await page.getByLabel('Chave PIX').fill('123e4567-e12b-12d1-a456-426655440000');
    },
    shows: /A chave recebe/,
  },
  {
    name: 'withdrawal-errors',
    visitor: 'merchant',
    path: '/withdrawals',
    stubs: [coveredBalance],
    steps: async (page) => {
      await page.getByText(/O PIN é pedido a cada saque\./).waitFor();
      await page.getByLabel('Valor', { exact: true }).pressSequentially('1248038');
      await page.getByRole('button', { name: 'Solicitar Saque' }).click();
    },
    shows: 'O valor do saque é maior que o saldo disponível',
  },
  beforeRequest('withdrawal-sources', 'Sai de', ...direct),
  {
    ...afterRequest('withdrawal-from-own', /na fatura do mês/, ...direct),
    steps: async (page) => {
      await page.getByLabel('Sai de').selectOption('7');
      await requestWithdrawal(page);
    },
  },
  beforeRequest(
    'withdrawal-no-source',
    /estão em contas das quais a Jangada não envia Pix/,
    answer(ownBank, paidIntoOwnBank),
    answer(withdrawalSources, { ...sources, sources: [] }),
  ),
  beforeRequest('withdrawal-pin-checking', 'Verificando status do PIN...', stall(checkWithdrawalPin)),
  beforeRequest('withdrawal-pin-unknown', 'Erro ao verificar status do PIN.', fail(checkWithdrawalPin)),
  beforeRequest('withdrawal-no-pin', 'PIN de Saque não configurado.', noPin),
  beforeRequest(
    'withdrawal-fees-unknown',
    /Não foi possível carregar as informações de taxas\./,
    fail(outFees),
  ),
  beforeRequest('withdrawal-paused', /suspensos pelo operador/, answer(outFees, { ...outFee, paused: true })),
  beforeRequest(
    'withdrawal-held',
    /Saques suspensos até/,
    answer(checkWithdrawalPin, { ...pinSet, held_until: '2099-11-22T12:00:00.000Z' }),
  ),
  beforeRequest(
    'withdrawal-locked',
    /Saques bloqueados até/,
    answer(checkWithdrawalPin, { ...pinSet, locked_until: '2099-11-22T12:00:00.000Z' }),
  ),
  beforeRequest(
    'withdrawal-owing',
    /de disputas ainda descobertos/,
    answer(getWalletStats, { ...emptyWallet, available_balance: 100, owed_to_disputes: 95 }),
  ),
  {
    name: 'withdrawal-not-offered',
    visitor: 'merchant',
    path: '/withdrawals',
    stubs: [answer(publicSettings, { ...settings, withdrawals: false })],
    shows: /não envia Pix/,
  },
  {
    name: 'withdrawal-unapproved',
    visitor: 'newcomer',
    path: '/withdrawals',
    shows: /ainda não foi aprovada/,
  },
  {
    name: 'withdrawal-pin',
    visitor: 'merchant',
    path: '/withdrawals',
    stubs: [coveredBalance],
    steps: async (page) => {
      await requestWithdrawal(page);
      await page.getByLabel('PIN de saque', { exact: true }).fill('48');
    },
    shows: 'Confirmar saque',
  },
  {
    name: 'withdrawal-pin-short',
    visitor: 'merchant',
    path: '/withdrawals',
    stubs: [coveredBalance],
    steps: async (page) => {
      await requestWithdrawal(page);
      await page.getByRole('button', { name: 'Confirmar' }).click();
    },
    shows: 'PIN inválido. Deve ter 4 dígitos.',
  },
  afterRequest('withdrawal-sending', 'Confirmar saque', stall(withdraw)),
  afterRequest(
    'withdrawal-success',
    'Sucesso!',
    answer(withdraw, { success: true, message: 'Saque solicitado.', withdrawal }),
  ),
  afterRequest('withdrawal-pin-wrong', 'PIN incorreto.', refuse(withdraw, 'PIN_WRONG')),
  afterRequest('withdrawal-refused', 'Saldo insuficiente.', refuse(withdraw, 'INSUFFICIENT_BALANCE')),
  afterRequest('withdrawal-failed', /^Ocorreu um erro inesperado/, fail(withdraw)),
  afterRequest('withdrawal-unknown', 'Saque sem resposta', disconnect(withdraw)),
  afterRequest(
    'withdrawal-pending',
    /Já existe um saque em andamento/,
    refuse(withdraw, 'WITHDRAWAL_PENDING'),
  ),
];

const inDoubt = {
  ...withdrawal,
  status: 'processing' as const,
  completed_at: null,
  in_doubt: true,
  pix_key: '+5581999998888',
  pix_key_type: 'phone' as const,
};

const history: readonly Screen[] = [
  { name: 'withdrawals', visitor: 'merchant', path: '/withdrawal-history', shows: /^Página 1 de/ },
  {
    name: 'withdrawals-loading',
    visitor: 'merchant',
    path: '/withdrawal-history',
    stubs: [stall(listWithdrawals)],
    shows: (page) => page.locator('main .skeleton'),
    isLoading: true,
  },
  {
    name: 'withdrawals-error',
    visitor: 'merchant',
    path: '/withdrawal-history',
    stubs: [fail(listWithdrawals)],
    shows: 'Erro ao buscar saques.',
  },
  {
    name: 'withdrawals-empty',
    visitor: 'approved',
    path: '/withdrawal-history',
    shows: 'Nenhum saque encontrado',
  },
  {
    name: 'withdrawals-no-result',
    visitor: 'merchant',
    path: '/withdrawal-history?status=pending',
    shows: 'Nenhum saque encontrado',
  },
  {
    name: 'withdrawal-detail',
    visitor: 'merchant',
    path: ({ withdrawals }) => `/withdrawal-history?id=${withdrawals.completed}`,
    shows: 'Concluído em',
  },
  {
    name: 'withdrawal-detail-failed',
    visitor: 'merchant',
    path: ({ withdrawals }) => `/withdrawal-history?id=${withdrawals.failed}`,
    shows: (page) => page.getByRole('dialog').getByRole('alert'),
  },
  {
    name: 'withdrawal-detail-in-doubt',
    visitor: 'merchant',
    path: ({ withdrawals }) => `/withdrawal-history?id=${withdrawals.completed}`,
    stubs: [answer(getWithdrawal, inDoubt)],
    shows: /O banco ainda não confirmou este saque/,
  },
  {
    name: 'withdrawal-detail-unknown',
    visitor: 'merchant',
    path: '/withdrawal-history?id=11111111-2f60-4a53-9d0e-5a1b7c3e9f12',
    shows: /Saque não encontrado\./,
  },
];

const destination = {
  pix_key: '12345678909',
  pix_key_type: 'cpf' as const,
  label: 'Conta da Marina no Banco do Litoral, para o fim do mês',
  created_at: '2026-11-21T17:32:00.000Z',
};
const enabledWithDestinations = {
  enabled: true,
  destinations: [destination, { ...destination, pix_key: KEY, pix_key_type: 'email' as const, label: '' }],
};

async function fillPasswordAndPin(page: Page): Promise<void> {
  await page.getByLabel('Senha atual').fill('lojista-demo');
  await page.getByLabel('PIN de saque', { exact: true }).fill('4829');
}

const byApi: readonly Screen[] = [
  { name: 'api-withdrawals', visitor: 'merchant', path: '/api-withdrawals', shows: 'Conta da loja' },
  {
    name: 'api-withdrawals-empty',
    visitor: 'merchant',
    path: '/api-withdrawals',
    stubs: [answer(getApiWithdrawals, { enabled: false, destinations: [] })],
    shows: 'Nenhum destino salvo',
  },
  {
    name: 'api-withdrawals-on',
    visitor: 'merchant',
    path: '/api-withdrawals',
    stubs: [answer(getApiWithdrawals, enabledWithDestinations)],
    shows: '123.456.789-09',
  },
  {
    name: 'api-withdrawals-loading',
    visitor: 'merchant',
    path: '/api-withdrawals',
    stubs: [stall(getApiWithdrawals)],
    shows: (page) => page.locator('main .skeleton'),
    isLoading: true,
  },
  {
    name: 'api-withdrawals-error',
    visitor: 'merchant',
    path: '/api-withdrawals',
    stubs: [fail(getApiWithdrawals)],
    shows: 'Erro ao buscar o saque pela API.',
  },
  {
    name: 'api-withdrawals-no-pin',
    visitor: 'merchant',
    path: '/api-withdrawals',
    stubs: [noPin],
    shows: 'PIN de Saque não configurado.',
  },
  {
    name: 'api-withdrawals-unapproved',
    visitor: 'newcomer',
    path: '/api-withdrawals',
    shows: /ainda não foi aprovada/,
  },
  {
    name: 'api-withdrawals-turn-on',
    visitor: 'merchant',
    path: '/api-withdrawals',
    stubs: [refuse(setApiWithdrawals, 'PIN_WRONG')],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Ligar o saque pela API' }).click();
      await fillPasswordAndPin(page);
      await page.keyboard.press('Enter');
    },
    shows: 'PIN incorreto.',
  },
  {
    name: 'api-withdrawals-destination',
    visitor: 'merchant',
    path: '/api-withdrawals',
    stubs: [refuse(saveDestination, 'PIX_KEY_OF_GATEWAY')],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Adicionar destino' }).click();
      await page.getByLabel('Chave PIX').pressSequentially('12345678909');
      await fillPasswordAndPin(page);
      await page.getByRole('button', { name: 'Salvar destino' }).click();
    },
    shows: /Esta chave é do próprio gateway/,
  },
  {
    name: 'api-withdrawals-remove',
    visitor: 'merchant',
    path: '/api-withdrawals',
    stubs: [answer(getApiWithdrawals, enabledWithDestinations)],
    steps: (page) => page.getByRole('button', { name: 'Remover 123.456.789-09' }).click(),
    shows: 'Remover destino?',
  },
];

export const merchantWithdrawals: readonly Screen[] = [...withdrawals, ...history, ...byApi];
