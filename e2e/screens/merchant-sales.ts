import {
  accountTaxes,
  apiKeyStatus,
  cancelPayment,
  createPayment,
  getPaymentStatus,
  listRefunds,
  paymentTimeline,
  refundPayment,
  transactionFeed,
} from '@jangada/contract';
import type { Page } from 'playwright-core';
import { feedOf, refund, refundsOf, transaction } from '../../web/src/testing/samples.ts';
import { answer, fail, hold, refuse, type Screen } from './screen.ts';

export const LONG = 'Encomenda de dezembro: redes de algodão, cestos de palha e a jangada de madeira grande';

const transactions: readonly Screen[] = [
  { name: 'transactions', who: 'merchant', at: '/transactions', shows: /1–10 de/ },
  {
    name: 'transactions-loading',
    who: 'merchant',
    at: '/transactions',
    answers: [hold(transactionFeed)],
    shows: (page) => page.locator('main .skeleton'),
    loading: true,
  },
  {
    name: 'transactions-error',
    who: 'merchant',
    at: '/transactions',
    answers: [refuse(transactionFeed, 'OVERLOADED')],
    shows: 'Erro ao buscar transações',
  },
  { name: 'transactions-empty', who: 'approved', at: '/transactions', shows: 'Nenhuma transação ainda' },
  { name: 'transactions-large', who: 'longNamed', at: '/transactions', shows: /15\.000,00/ },
  {
    name: 'transactions-no-result',
    who: 'merchant',
    at: '/transactions?status=pending&search=b3077e6d&from=2026-10-23&to=2026-11-21',
    shows: 'Limpar filtros',
  },
  { name: 'transactions-last-page', who: 'merchant', at: '/transactions?page=9', shows: /81–90 de/ },
  {
    name: 'transactions-period',
    who: 'merchant',
    at: '/transactions',
    steps: async (page) => {
      await page
        .getByText(/1–10 de/)
        .filter({ visible: true })
        .waitFor();
      await page.getByRole('button', { name: 'Período' }).click();
      await page.getByLabel('De', { exact: true }).fill('2026-11-21');
      await page.getByLabel('Até').fill('2026-10-23');
      await page.getByRole('button', { name: 'Aplicar' }).click();
    },
    shows: 'A data inicial vem depois da final.',
  },
  {
    name: 'transaction-detail',
    who: 'merchant',
    at: ({ paid }) => `/transactions?id=${paid.id}`,
    shows: 'Conteúdo do QR Code',
  },
  {
    name: 'transaction-detail-pending',
    who: 'merchant',
    at: ({ open }) => `/transactions?id=${open.id}`,
    shows: 'Cancelar cobrança',
  },
  {
    name: 'transaction-detail-refunded',
    who: 'merchant',
    at: ({ refunded }) => `/transactions?id=${refunded.id}`,
    shows: 'Estornos',
  },
  {
    name: 'transaction-detail-large',
    who: 'longNamed',
    at: `/transactions?id=${transaction.id}`,
    answers: [
      answer(
        transactionFeed,
        feedOf([
          {
            ...transaction,
            amount: 15_000,
            credited_amount: 14_851.5,
            fee: 148.5,
            external_id: 'pedido-de-dezembro-numero-1043-da-loja-do-recife-antigo',
            metadata: { Vendedora: 'Maria da Conceição Vasconcelos Albuquerque', [LONG.slice(0, 38)]: LONG },
            description: LONG,
            payer: { name: 'Severino Bartolomeu de Albuquerque Maranhão Neto', document: '***.982.247-**' },
          },
        ]),
      ),
    ],
    shows: LONG,
  },
  {
    name: 'transaction-timeline',
    who: 'merchant',
    at: ({ paid }) => `/transactions?id=${paid.id}`,
    steps: (page) => page.getByText('O que aconteceu').click(),
    shows: /Cobrança criada/,
  },
  {
    name: 'transaction-timeline-error',
    who: 'merchant',
    at: ({ paid }) => `/transactions?id=${paid.id}`,
    answers: [fail(paymentTimeline)],
    steps: (page) => page.getByText('O que aconteceu').click(),
    shows: (page) => page.getByRole('dialog').getByRole('button', { name: 'Tentar Novamente' }),
  },
  {
    name: 'transaction-disputed',
    who: 'merchant',
    at: ({ paid }) => `/transactions?id=${paid.id}`,
    answers: [
      answer(listRefunds, {
        ...refundsOf(transaction),
        blocked_because: 'Este pagamento está em disputa no banco e não pode ser estornado agora.',
      }),
    ],
    shows: /está em disputa no banco/,
  },
  {
    name: 'transaction-unknown',
    who: 'merchant',
    at: '/transactions?id=11111111-2f60-4a53-9d0e-5a1b7c3e9f12',
    shows: (page) => page.getByRole('dialog'),
  },
  {
    name: 'transaction-cancel',
    who: 'merchant',
    at: ({ open }) => `/transactions?id=${open.id}`,
    answers: [fail(cancelPayment)],
    steps: (page) => page.getByRole('button', { name: 'Cancelar cobrança' }).click(),
    shows: (page) => page.getByRole('alertdialog'),
  },
  {
    name: 'refund-dialog',
    who: 'merchant',
    at: ({ paid }) => `/transactions?id=${paid.id}`,
    steps: openRefund,
    shows: /não é devolvida/,
  },
  {
    name: 'refund-part-wrong',
    who: 'merchant',
    at: ({ paid }) => `/transactions?id=${paid.id}`,
    steps: async (page) => {
      await openRefund(page);
      await page.getByText('Uma parte').click();
      await page.getByLabel('Valor a devolver').fill('1.250,01');
      // The button does not name an amount above the refundable one.
      await page.getByRole('dialog').getByRole('button', { name: 'Estornar', exact: true }).click();
    },
    shows: /^O valor máximo é/,
  },
  {
    name: 'refund-refused',
    who: 'merchant',
    at: ({ paid }) => `/transactions?id=${paid.id}`,
    answers: [refuse(refundPayment, 'INSUFFICIENT_BALANCE')],
    steps: sendRefund,
    shows: 'Saldo insuficiente.',
  },
  {
    name: 'refund-unanswered',
    who: 'merchant',
    at: ({ paid }) => `/transactions?id=${paid.id}`,
    answers: [fail(refundPayment)],
    steps: sendRefund,
    shows: 'O pedido ficou sem confirmação.',
  },
  {
    name: 'refund-sending',
    who: 'merchant',
    at: ({ paid }) => `/transactions?id=${paid.id}`,
    answers: [hold(refundPayment)],
    steps: sendRefund,
    shows: (page) => page.getByRole('dialog').last(),
  },
  {
    name: 'refund-several',
    who: 'merchant',
    at: ({ paid }) => `/transactions?id=${paid.id}`,
    answers: [
      answer(
        listRefunds,
        refundsOf(transaction, [
          refund,
          { ...refund, id: 'r2', status: 'failed', error: 'A conta de quem pagou foi encerrada.' },
          { ...refund, id: 'r3', status: 'processing', origin: 'bank', reason: '', completed_at: null },
        ]),
      ),
    ],
    shows: 'A conta de quem pagou foi encerrada.',
  },
];

async function openRefund(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Estornar' }).click();
  await page.getByText(/não é devolvida/).waitFor();
}

async function sendRefund(page: Page): Promise<void> {
  await openRefund(page);
  await page.getByRole('button', { name: /^Estornar R\$/ }).click();
}

const typed = (digits: string) => async (page: Page) => {
  await page.getByLabel('Valor', { exact: true }).pressSequentially(digits);
  await page.getByRole('button', { name: 'Gerar Pagamento' }).click();
};

const payment: readonly Screen[] = [
  { name: 'payment-form', who: 'merchant', at: '/pix-payment', shows: 'Gerar Pagamento' },
  {
    name: 'payment-form-filled',
    who: 'merchant',
    at: '/pix-payment',
    steps: (page) => page.getByLabel('Valor', { exact: true }).pressSequentially('1500000'),
    shows: /14\.851,50/,
  },
  {
    name: 'payment-form-error',
    who: 'merchant',
    at: '/pix-payment',
    steps: typed('149'),
    shows: 'O valor mínimo para depósito é R$ 1,50.',
  },
  {
    name: 'payment-form-refused',
    who: 'merchant',
    at: '/pix-payment',
    answers: [fail(createPayment)],
    steps: typed('125000'),
    shows: (page) => page.getByRole('alert').filter({ hasText: /\S/ }),
  },
  {
    name: 'payment-form-sending',
    who: 'merchant',
    at: '/pix-payment',
    answers: [hold(createPayment)],
    steps: typed('125000'),
    shows: (page) => page.locator('button .spin'),
  },
  {
    name: 'payment-form-fees-unknown',
    who: 'merchant',
    at: '/pix-payment',
    answers: [fail(accountTaxes)],
    shows: 'Gerar Pagamento',
  },
  {
    name: 'payment-no-key',
    who: 'approved',
    at: '/pix-payment',
    answers: [answer(apiKeyStatus, { hasKey: false, active: false, key: null, masked: null })],
    shows: 'Ir para Chaves de API',
  },
  {
    name: 'payment-unapproved',
    who: 'newcomer',
    at: '/pix-payment',
    shows: /Você não possui uma chave API|não foi aprovada/,
  },
  {
    name: 'payment-key-error',
    who: 'merchant',
    at: '/pix-payment',
    answers: [fail(apiKeyStatus)],
    shows: 'Failed to load API key status',
  },
  {
    name: 'payment-result',
    who: 'merchant',
    at: ({ open }) => `/pix-payment?id=${open.id}`,
    shows: 'Aguardando o Pix',
  },
  {
    name: 'payment-result-large',
    who: 'longNamed',
    at: ({ large }) => `/pix-payment?id=${large.id}`,
    shows: 'Aguardando o Pix',
  },
  {
    name: 'payment-paid',
    who: 'merchant',
    at: ({ other }) => `/pix-payment?id=${other.id}`,
    shows: 'Ver transação',
  },
  {
    name: 'payment-expired',
    who: 'merchant',
    at: ({ expired }) => `/pix-payment?id=${expired.id}`,
    shows: 'Gerar outro',
  },
  {
    name: 'payment-cancelled',
    who: 'merchant',
    at: ({ cancelled }) => `/pix-payment?id=${cancelled.id}`,
    shows: /cancelad/i,
  },
  {
    name: 'payment-refunded',
    who: 'merchant',
    at: ({ refunded }) => `/pix-payment?id=${refunded.id}`,
    shows: /estornad|devolvid/i,
  },
  {
    name: 'payment-loading',
    who: 'merchant',
    at: ({ open }) => `/pix-payment?id=${open.id}`,
    answers: [hold(transactionFeed), hold(getPaymentStatus)],
    shows: (page) => page.locator('main .skeleton'),
    loading: true,
  },
  {
    name: 'payment-error',
    who: 'merchant',
    at: ({ open }) => `/pix-payment?id=${open.id}`,
    answers: [fail(transactionFeed), fail(getPaymentStatus)],
    shows: 'Erro ao buscar o pagamento',
  },
  {
    name: 'payment-unknown',
    who: 'merchant',
    at: '/pix-payment?id=11111111-2f60-4a53-9d0e-5a1b7c3e9f12',
    shows: 'Pagamento não encontrado',
  },
];

export const merchantSales: readonly Screen[] = [...transactions, ...payment];
