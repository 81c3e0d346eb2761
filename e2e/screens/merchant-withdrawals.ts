import {
  checkWithdrawalPin,
  getApiWithdrawals,
  getWalletStats,
  getWithdrawal,
  listWithdrawals,
  outFees,
  publicSettings,
  saveDestination,
  setApiWithdrawals,
  withdraw,
} from '@jangada/contract';
import type { Page } from 'playwright-core';
import { settings, walletOf } from '../../web/src/testing/samples.ts';
import { outFee, pinSet, withdrawal } from '../../web/src/testing/withdrawal-samples.ts';
import { fresh, noPin } from './merchant-money.ts';
import { answer, fail, hold, lose, refuse, type Screen, type StubbedCall } from './screen.ts';

const KEY = 'financeiro@emporiocapibaribe.com.br';

async function askFor(page: Page): Promise<void> {
  await page.getByText(/O PIN é pedido a cada saque\./).waitFor();
  await page.getByLabel('Valor', { exact: true }).pressSequentially('15000');
  await page.getByLabel('Tipo de chave').selectOption('email');
  await page.getByLabel('Chave PIX').fill(KEY);
  await page.getByRole('button', { name: 'Solicitar Saque' }).click();
  await page.getByRole('heading', { name: 'Confirmar saque' }).waitFor();
}

async function withPin(page: Page): Promise<void> {
  await askFor(page);
  await page.getByLabel('PIN de saque', { exact: true }).fill('4829');
  await page.getByRole('button', { name: 'Confirmar' }).click();
}

const covered = answer(
  getWalletStats,
  walletOf({ available: 12_480.37, earned: 13_000, gross: 13_100, deposits: 40 }),
);
const asked = (name: string, shows: Screen['shows'], ...answers: StubbedCall[]): Screen => ({
  name,
  who: 'merchant',
  at: '/withdrawals',
  answers: [covered, ...answers],
  steps: withPin,
  shows,
});
const halted = (name: string, shows: Screen['shows'], ...answers: StubbedCall[]): Screen => ({
  name,
  who: 'merchant',
  at: '/withdrawals',
  answers: [covered, ...answers],
  shows,
});

const withdrawals: readonly Screen[] = [
  halted('withdrawal', /O PIN é pedido a cada saque\./),
  {
    name: 'withdrawal-filled',
    who: 'merchant',
    at: '/withdrawals',
    answers: [covered, answer(outFees, { ...outFee, outPercent: 0.5 })],
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
    who: 'merchant',
    at: '/withdrawals',
    answers: [covered],
    steps: async (page) => {
      await page.getByText(/O PIN é pedido a cada saque\./).waitFor();
      await page.getByLabel('Valor', { exact: true }).pressSequentially('1248038');
      await page.getByRole('button', { name: 'Solicitar Saque' }).click();
    },
    shows: 'O valor do saque é maior que o saldo disponível',
  },
  halted('withdrawal-pin-checking', 'Verificando status do PIN...', hold(checkWithdrawalPin)),
  halted('withdrawal-pin-unknown', 'Erro ao verificar status do PIN.', fail(checkWithdrawalPin)),
  halted('withdrawal-no-pin', 'PIN de Saque não configurado.', noPin),
  halted('withdrawal-fees-unknown', /Não foi possível carregar as informações de taxas\./, fail(outFees)),
  halted('withdrawal-paused', /suspensos pelo operador/, answer(outFees, { ...outFee, paused: true })),
  halted(
    'withdrawal-held',
    /Saques suspensos até/,
    answer(checkWithdrawalPin, { ...pinSet, held_until: '2099-11-22T12:00:00.000Z' }),
  ),
  halted(
    'withdrawal-locked',
    /Saques bloqueados até/,
    answer(checkWithdrawalPin, { ...pinSet, locked_until: '2099-11-22T12:00:00.000Z' }),
  ),
  halted(
    'withdrawal-owing',
    /de disputas ainda descobertos/,
    answer(getWalletStats, { ...fresh, available_balance: 100, owed_to_disputes: 95 }),
  ),
  {
    name: 'withdrawal-not-offered',
    who: 'merchant',
    at: '/withdrawals',
    answers: [answer(publicSettings, { ...settings, withdrawals: false })],
    shows: /não envia Pix/,
  },
  { name: 'withdrawal-unapproved', who: 'newcomer', at: '/withdrawals', shows: /ainda não foi aprovada/ },
  {
    name: 'withdrawal-pin',
    who: 'merchant',
    at: '/withdrawals',
    answers: [covered],
    steps: async (page) => {
      await askFor(page);
      await page.getByLabel('PIN de saque', { exact: true }).fill('48');
    },
    shows: 'Confirmar saque',
  },
  {
    name: 'withdrawal-pin-short',
    who: 'merchant',
    at: '/withdrawals',
    answers: [covered],
    steps: async (page) => {
      await askFor(page);
      await page.getByRole('button', { name: 'Confirmar' }).click();
    },
    shows: 'PIN inválido. Deve ter 4 dígitos.',
  },
  asked('withdrawal-sending', 'Confirmar saque', hold(withdraw)),
  asked(
    'withdrawal-success',
    'Sucesso!',
    answer(withdraw, { success: true, message: 'Saque solicitado.', withdrawal }),
  ),
  asked('withdrawal-pin-wrong', 'PIN incorreto.', refuse(withdraw, 'PIN_WRONG')),
  asked('withdrawal-refused', 'Saldo insuficiente.', refuse(withdraw, 'INSUFFICIENT_BALANCE')),
  asked('withdrawal-failed', /^Ocorreu um erro inesperado/, fail(withdraw)),
  asked('withdrawal-unknown', 'Saque sem resposta', lose(withdraw)),
  asked('withdrawal-pending', /Já existe um saque em andamento/, refuse(withdraw, 'WITHDRAWAL_PENDING')),
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
  { name: 'withdrawals', who: 'merchant', at: '/withdrawal-history', shows: /^Página 1 de/ },
  {
    name: 'withdrawals-loading',
    who: 'merchant',
    at: '/withdrawal-history',
    answers: [hold(listWithdrawals)],
    shows: (page) => page.locator('main .skeleton'),
    loading: true,
  },
  {
    name: 'withdrawals-error',
    who: 'merchant',
    at: '/withdrawal-history',
    answers: [fail(listWithdrawals)],
    shows: 'Erro ao buscar saques.',
  },
  { name: 'withdrawals-empty', who: 'approved', at: '/withdrawal-history', shows: 'Nenhum saque encontrado' },
  {
    name: 'withdrawals-no-result',
    who: 'merchant',
    at: '/withdrawal-history?status=pending',
    shows: 'Nenhum saque encontrado',
  },
  {
    name: 'withdrawal-detail',
    who: 'merchant',
    at: ({ withdrawals }) => `/withdrawal-history?id=${withdrawals.completed}`,
    shows: 'Concluído em',
  },
  {
    name: 'withdrawal-detail-failed',
    who: 'merchant',
    at: ({ withdrawals }) => `/withdrawal-history?id=${withdrawals.failed}`,
    shows: (page) => page.getByRole('dialog').getByRole('alert'),
  },
  {
    name: 'withdrawal-detail-in-doubt',
    who: 'merchant',
    at: ({ withdrawals }) => `/withdrawal-history?id=${withdrawals.completed}`,
    answers: [answer(getWithdrawal, inDoubt)],
    shows: /O banco ainda não confirmou este saque/,
  },
  {
    name: 'withdrawal-detail-unknown',
    who: 'merchant',
    at: '/withdrawal-history?id=11111111-2f60-4a53-9d0e-5a1b7c3e9f12',
    shows: /Saque não encontrado\./,
  },
];

const destination = {
  pix_key: '12345678909',
  pix_key_type: 'cpf' as const,
  label: 'Conta da Marina no Banco do Litoral, para o fim do mês',
  created_at: '2026-11-21T17:32:00.000Z',
};
const on = {
  enabled: true,
  destinations: [destination, { ...destination, pix_key: KEY, pix_key_type: 'email' as const, label: '' }],
};

async function prove(page: Page): Promise<void> {
  await page.getByLabel('Senha atual').fill('lojista-demo');
  await page.getByLabel('PIN de saque', { exact: true }).fill('4829');
}

const byApi: readonly Screen[] = [
  { name: 'api-withdrawals', who: 'merchant', at: '/api-withdrawals', shows: 'Conta da loja' },
  {
    name: 'api-withdrawals-empty',
    who: 'merchant',
    at: '/api-withdrawals',
    answers: [answer(getApiWithdrawals, { enabled: false, destinations: [] })],
    shows: 'Nenhum destino salvo',
  },
  {
    name: 'api-withdrawals-on',
    who: 'merchant',
    at: '/api-withdrawals',
    answers: [answer(getApiWithdrawals, on)],
    shows: '123.456.789-09',
  },
  {
    name: 'api-withdrawals-loading',
    who: 'merchant',
    at: '/api-withdrawals',
    answers: [hold(getApiWithdrawals)],
    shows: (page) => page.locator('main .skeleton'),
    loading: true,
  },
  {
    name: 'api-withdrawals-error',
    who: 'merchant',
    at: '/api-withdrawals',
    answers: [fail(getApiWithdrawals)],
    shows: 'Erro ao buscar o saque pela API.',
  },
  {
    name: 'api-withdrawals-no-pin',
    who: 'merchant',
    at: '/api-withdrawals',
    answers: [noPin],
    shows: 'PIN de Saque não configurado.',
  },
  {
    name: 'api-withdrawals-unapproved',
    who: 'newcomer',
    at: '/api-withdrawals',
    shows: /ainda não foi aprovada/,
  },
  {
    name: 'api-withdrawals-turn-on',
    who: 'merchant',
    at: '/api-withdrawals',
    answers: [refuse(setApiWithdrawals, 'PIN_WRONG')],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Ligar o saque pela API' }).click();
      await prove(page);
      await page.keyboard.press('Enter');
    },
    shows: 'PIN incorreto.',
  },
  {
    name: 'api-withdrawals-destination',
    who: 'merchant',
    at: '/api-withdrawals',
    answers: [refuse(saveDestination, 'PIX_KEY_OF_GATEWAY')],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Adicionar destino' }).click();
      await page.getByLabel('Chave PIX').pressSequentially('12345678909');
      await prove(page);
      await page.getByRole('button', { name: 'Salvar destino' }).click();
    },
    shows: /Esta chave é do próprio gateway/,
  },
  {
    name: 'api-withdrawals-remove',
    who: 'merchant',
    at: '/api-withdrawals',
    answers: [answer(getApiWithdrawals, on)],
    steps: (page) => page.getByRole('button', { name: 'Remover 123.456.789-09' }).click(),
    shows: 'Remover destino?',
  },
];

export const merchantWithdrawals: readonly Screen[] = [...withdrawals, ...history, ...byApi];
