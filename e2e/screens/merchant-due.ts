import { createPayment, getPaymentStatus, listDueCharges, transactionFeed } from '@jangada/contract';
import type { Page } from 'playwright-core';
import {
  dayIn,
  dueChargeRow,
  dueChargeRows,
  dueChargesOf,
  overdueTransaction,
  paidLateTransaction,
} from '../../web/src/testing/due-samples.ts';
import { feedOf } from '../../web/src/testing/samples.ts';
import { answer, refuse, type Screen, stall } from './screen.ts';

const list = [answer(listDueCharges, dueChargesOf(dueChargeRows))];

const dueCharges: readonly Screen[] = [
  {
    name: 'due-charges',
    visitor: 'merchant',
    path: '/cobrancas?view=all',
    stubs: list,
    shows: 'Mercado São João Ltda',
  },
  {
    name: 'due-charges-loading',
    visitor: 'merchant',
    path: '/cobrancas',
    stubs: [stall(listDueCharges)],
    shows: (page) => page.locator('main .skeleton'),
    isLoading: true,
  },
  {
    name: 'due-charges-error',
    visitor: 'merchant',
    path: '/cobrancas',
    stubs: [refuse(listDueCharges, 'OVERLOADED')],
    shows: 'Erro ao buscar as cobranças',
  },
  { name: 'due-charges-empty', visitor: 'approved', path: '/cobrancas', shows: 'Nada em aberto por aqui' },
  {
    name: 'due-charges-no-result',
    visitor: 'approved',
    path: `/cobrancas?view=overdue&search=Ana&from=${dayIn(-60)}&to=${dayIn(-30)}`,
    shows: 'Limpar filtros',
  },
  {
    name: 'due-charges-large',
    visitor: 'merchant',
    path: '/cobrancas',
    stubs: [
      answer(
        listDueCharges,
        dueChargesOf(
          [
            {
              ...dueChargeRow,
              billed_to: {
                name: 'Associação dos Pescadores Artesanais do Litoral Norte de Pernambuco e da Paraíba',
                document: '11.222.333/0001-81',
              },
              due_state: 'overdue',
              amount: 9_876_543.21,
              amount_today: 10_172_839.51,
              external_id: 'contrato-de-fornecimento-de-2026-parcela-12-de-36-do-recife-antigo',
            },
          ],
          { next: 'more' },
        ),
      ),
    ],
    shows: 'Carregar mais',
  },
  {
    name: 'due-charges-undated',
    visitor: 'merchant',
    path: '/cobrancas?view=undated',
    stubs: [
      answer(
        listDueCharges,
        dueChargesOf([{ ...dueChargeRow, due_date: null, due_state: null, amount_today: null }]),
      ),
    ],
    shows: /Cobranças criadas/,
  },
  {
    name: 'due-charges-period',
    visitor: 'merchant',
    path: '/cobrancas',
    stubs: list,
    steps: (page) => page.getByRole('button', { name: 'Período' }).click(),
    shows: 'Próximos 30 dias',
  },
  {
    name: 'due-charge-detail',
    visitor: 'merchant',
    path: `/cobrancas?id=${overdueTransaction.id}`,
    stubs: [...list, answer(transactionFeed, feedOf([overdueTransaction]))],
    shows: 'Hoje se paga',
  },
  {
    name: 'due-charge-detail-paid',
    visitor: 'merchant',
    path: `/cobrancas?id=${overdueTransaction.id}`,
    stubs: [...list, answer(transactionFeed, feedOf([paidLateTransaction]))],
    shows: 'Foi pago',
  },
];

async function fillDueForm(page: Page): Promise<void> {
  await page.getByLabel('Valor', { exact: true }).fill('150000');
  await page.getByText('Com vencimento').click();
  await page.getByLabel('Nome de quem paga').fill('Ana Conceição Pereira');
  await page.getByLabel('CPF ou CNPJ').fill('529.982.247-25');
  await page.getByLabel('Vencimento', { exact: true }).fill(dayIn(20));
  await page.getByLabel('Multa por atraso', { exact: true }).fill('10');
  await page.getByLabel('Juros ao mês', { exact: true }).fill('1');
  await page.getByRole('button', { name: 'Dar desconto' }).click();
  await page.getByLabel('1º desconto', { exact: true }).fill('50');
  await page.getByLabel('Unidade: 1º desconto').selectOption('amount');
  await page.getByLabel('Para quem paga até').fill(dayIn(10));
}

const form: readonly Screen[] = [
  {
    name: 'pix-payment-due',
    visitor: 'merchant',
    path: '/pix-payment',
    steps: async (page) => {
      await fillDueForm(page);
      await page.getByText('Mais opções').click();
      await page.getByLabel('Em outro dia').fill(dayIn(33));
    },
    shows: 'Nesse dia se paga',
  },
  {
    name: 'pix-payment-due-problems',
    visitor: 'merchant',
    path: '/pix-payment',
    steps: async (page) => {
      await page.getByText('Com vencimento').click();
      await page.getByLabel('Vencimento', { exact: true }).fill('');
      await page.getByLabel('Multa por atraso', { exact: true }).fill('2,345');
      await page.getByRole('button', { name: 'Dar desconto' }).click();
      await page.getByLabel('Para quem paga até').fill(dayIn(-2));
      await page.getByRole('button', { name: 'Gerar Pagamento' }).click();
    },
    shows: 'Informe o dia do vencimento.',
  },
  {
    name: 'pix-payment-due-refused',
    visitor: 'merchant',
    path: '/pix-payment',
    stubs: [refuse(createPayment, 'DUE_TERMS_INVALID')],
    steps: async (page) => {
      await fillDueForm(page);
      await page.getByRole('button', { name: 'Gerar Pagamento' }).click();
    },
    shows: (page) => page.getByRole('alert'),
  },
  ...(
    [
      ['pix-payment-due-result', overdueTransaction, 'Hoje se paga'],
      ['pix-payment-due-paid', paidLateTransaction, 'Foi pago'],
    ] as const
  ).map(([name, charge, shows]): Screen => {
    return {
      name,
      visitor: 'merchant',
      path: `/pix-payment?id=${charge.id}`,
      stubs: [answer(transactionFeed, feedOf([charge])), answer(getPaymentStatus, charge)],
      shows,
    };
  }),
];

export const merchantDue: readonly Screen[] = [...dueCharges, ...form];
