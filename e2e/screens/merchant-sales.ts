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
import { answer, fail, refuse, type Screen, stall } from './screen.ts';

export const LONG = 'Encomenda de dezembro: redes de algodão, cestos de palha e a jangada de madeira grande';

const transactions: readonly Screen[] = [
  { name: 'transactions', visitor: 'merchant', path: '/transactions', shows: /1–10 de/ },
  {
    name: 'transactions-loading',
    visitor: 'merchant',
    path: '/transactions',
    stubs: [stall(transactionFeed)],
    shows: (page) => page.locator('main .skeleton'),
    isLoading: true,
  },
  {
    name: 'transactions-error',
    visitor: 'merchant',
    path: '/transactions',
    stubs: [refuse(transactionFeed, 'OVERLOADED')],
    shows: 'Erro ao buscar transações',
  },
  {
    name: 'transactions-empty',
    visitor: 'approved',
    path: '/transactions',
    shows: 'Nenhuma transação ainda',
  },
  { name: 'transactions-large', visitor: 'longNamed', path: '/transactions', shows: /15\.000,00/ },
  {
    name: 'transactions-no-result',
    visitor: 'merchant',
    path: '/transactions?status=pending&search=b3077e6d&from=2026-10-23&to=2026-11-21',
    shows: 'Limpar filtros',
  },
  { name: 'transactions-last-page', visitor: 'merchant', path: '/transactions?page=9', shows: /81–90 de/ },
  {
    name: 'transactions-period',
    visitor: 'merchant',
    path: '/transactions',
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
    visitor: 'merchant',
    path: ({ paid }) => `/transactions?id=${paid.id}`,
    shows: 'Conteúdo do QR Code',
  },
  {
    name: 'transaction-detail-pending',
    visitor: 'merchant',
    path: ({ open }) => `/transactions?id=${open.id}`,
    shows: 'Cancelar cobrança',
  },
  {
    name: 'transaction-detail-refunded',
    visitor: 'merchant',
    path: ({ refunded }) => `/transactions?id=${refunded.id}`,
    shows: 'Estornos',
  },
  {
    name: 'transaction-detail-large',
    visitor: 'longNamed',
    path: `/transactions?id=${transaction.id}`,
    stubs: [
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
    visitor: 'merchant',
    path: ({ paid }) => `/transactions?id=${paid.id}`,
    steps: (page) => page.getByText('O que aconteceu').click(),
    shows: /Cobrança criada/,
  },
  {
    name: 'transaction-timeline-error',
    visitor: 'merchant',
    path: ({ paid }) => `/transactions?id=${paid.id}`,
    stubs: [fail(paymentTimeline)],
    steps: (page) => page.getByText('O que aconteceu').click(),
    shows: (page) => page.getByRole('dialog').getByRole('button', { name: 'Tentar Novamente' }),
  },
  {
    name: 'transaction-disputed',
    visitor: 'merchant',
    path: ({ paid }) => `/transactions?id=${paid.id}`,
    stubs: [
      answer(listRefunds, {
        ...refundsOf(transaction),
        blocked_because: 'Este pagamento está em disputa no banco e não pode ser estornado agora.',
      }),
    ],
    shows: /está em disputa no banco/,
  },
  {
    name: 'transaction-unknown',
    visitor: 'merchant',
    path: '/transactions?id=11111111-2f60-4a53-9d0e-5a1b7c3e9f12',
    shows: (page) => page.getByRole('dialog'),
  },
  {
    name: 'transaction-cancel',
    visitor: 'merchant',
    path: ({ open }) => `/transactions?id=${open.id}`,
    stubs: [fail(cancelPayment)],
    steps: (page) => page.getByRole('button', { name: 'Cancelar cobrança' }).click(),
    shows: (page) => page.getByRole('alertdialog'),
  },
  {
    name: 'refund-dialog',
    visitor: 'merchant',
    path: ({ paid }) => `/transactions?id=${paid.id}`,
    steps: openRefund,
    shows: /não é devolvida/,
  },
  {
    name: 'refund-part-wrong',
    visitor: 'merchant',
    path: ({ paid }) => `/transactions?id=${paid.id}`,
    steps: async (page) => {
      await openRefund(page);
      await page.getByText('Uma parte').click();
      await page.getByLabel('Valor a devolver').fill('1.250,01');
      // The button names the amount only if that much can be refunded, so here it has no amount.
      await page.getByRole('dialog').getByRole('button', { name: 'Estornar', exact: true }).click();
    },
    shows: /^O valor máximo é/,
  },
  {
    name: 'refund-refused',
    visitor: 'merchant',
    path: ({ paid }) => `/transactions?id=${paid.id}`,
    stubs: [refuse(refundPayment, 'INSUFFICIENT_BALANCE')],
    steps: sendRefund,
    shows: 'Saldo insuficiente.',
  },
  {
    name: 'refund-unanswered',
    visitor: 'merchant',
    path: ({ paid }) => `/transactions?id=${paid.id}`,
    stubs: [fail(refundPayment)],
    steps: sendRefund,
    shows: 'O pedido ficou sem confirmação.',
  },
  {
    name: 'refund-sending',
    visitor: 'merchant',
    path: ({ paid }) => `/transactions?id=${paid.id}`,
    stubs: [stall(refundPayment)],
    steps: sendRefund,
    shows: (page) => page.getByRole('dialog').last(),
  },
  {
    name: 'refund-several',
    visitor: 'merchant',
    path: ({ paid }) => `/transactions?id=${paid.id}`,
    stubs: [
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

const requestPayment = (digits: string) => async (page: Page) => {
  await page.getByLabel('Valor', { exact: true }).pressSequentially(digits);
  await page.getByRole('button', { name: 'Gerar Pagamento' }).click();
};

const payment: readonly Screen[] = [
  { name: 'payment-form', visitor: 'merchant', path: '/pix-payment', shows: 'Gerar Pagamento' },
  {
    name: 'payment-form-filled',
    visitor: 'merchant',
    path: '/pix-payment',
    steps: (page) => page.getByLabel('Valor', { exact: true }).pressSequentially('1500000'),
    shows: /14\.851,50/,
  },
  {
    name: 'payment-form-error',
    visitor: 'merchant',
    path: '/pix-payment',
    steps: requestPayment('149'),
    shows: 'O valor mínimo para depósito é R$ 1,50.',
  },
  {
    name: 'payment-form-refused',
    visitor: 'merchant',
    path: '/pix-payment',
    stubs: [fail(createPayment)],
    steps: requestPayment('125000'),
    shows: (page) => page.getByRole('alert').filter({ hasText: /\S/ }),
  },
  {
    name: 'payment-form-sending',
    visitor: 'merchant',
    path: '/pix-payment',
    stubs: [stall(createPayment)],
    steps: requestPayment('125000'),
    shows: (page) => page.locator('button .spin'),
  },
  {
    name: 'payment-form-fees-unknown',
    visitor: 'merchant',
    path: '/pix-payment',
    stubs: [fail(accountTaxes)],
    shows: 'Gerar Pagamento',
  },
  {
    name: 'payment-no-key',
    visitor: 'approved',
    path: '/pix-payment',
    stubs: [answer(apiKeyStatus, { hasKey: false, active: false, key: null, masked: null })],
    shows: 'Ir para Chaves de API',
  },
  {
    name: 'payment-unapproved',
    visitor: 'newcomer',
    path: '/pix-payment',
    shows: /Você não possui uma chave API|não foi aprovada/,
  },
  {
    name: 'payment-key-error',
    visitor: 'merchant',
    path: '/pix-payment',
    stubs: [fail(apiKeyStatus)],
    shows: 'Failed to load API key status',
  },
  {
    name: 'payment-result',
    visitor: 'merchant',
    path: ({ open }) => `/pix-payment?id=${open.id}`,
    shows: 'Aguardando o Pix',
  },
  {
    name: 'payment-result-large',
    visitor: 'longNamed',
    path: ({ large }) => `/pix-payment?id=${large.id}`,
    shows: 'Aguardando o Pix',
  },
  {
    name: 'payment-paid',
    visitor: 'merchant',
    path: ({ other }) => `/pix-payment?id=${other.id}`,
    shows: 'Ver transação',
  },
  {
    name: 'payment-expired',
    visitor: 'merchant',
    path: ({ expired }) => `/pix-payment?id=${expired.id}`,
    shows: 'Gerar outro',
  },
  {
    name: 'payment-cancelled',
    visitor: 'merchant',
    path: ({ cancelled }) => `/pix-payment?id=${cancelled.id}`,
    shows: /cancelad/i,
  },
  {
    name: 'payment-refunded',
    visitor: 'merchant',
    path: ({ refunded }) => `/pix-payment?id=${refunded.id}`,
    shows: /estornad|devolvid/i,
  },
  {
    name: 'payment-loading',
    visitor: 'merchant',
    path: ({ open }) => `/pix-payment?id=${open.id}`,
    stubs: [stall(transactionFeed), stall(getPaymentStatus)],
    shows: (page) => page.locator('main .skeleton'),
    isLoading: true,
  },
  {
    name: 'payment-error',
    visitor: 'merchant',
    path: ({ open }) => `/pix-payment?id=${open.id}`,
    stubs: [fail(transactionFeed), fail(getPaymentStatus)],
    shows: 'Erro ao buscar o pagamento',
  },
  {
    name: 'payment-unknown',
    visitor: 'merchant',
    path: '/pix-payment?id=11111111-2f60-4a53-9d0e-5a1b7c3e9f12',
    shows: 'Pagamento não encontrado',
  },
];

export const merchantSales: readonly Screen[] = [...transactions, ...payment];
