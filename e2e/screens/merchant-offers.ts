import {
  createCounterCode,
  createPaymentLink,
  defendDispute,
  getDispute,
  listCounterCodes,
  listDisputes,
  listPaymentLinks,
  profile,
  updatePaymentLink,
} from '@jangada/contract';
import type { Page } from 'playwright-core';
import { counterCode, paymentLink } from '../../web/src/testing/offer-samples.ts';
import { disputesOf, openDispute, user } from '../../web/src/testing/samples.ts';
import { LONG } from './merchant-sales.ts';
import { answer, fail, hold, refuse, type Screen } from './screen.ts';

const manyLinks = [
  paymentLink,
  {
    ...paymentLink,
    id: 'b',
    title: LONG,
    amount: 14_999.99,
    max_payments: 1_000_000,
    payments: 999_999,
    received: 9_876_543.21,
  },
  {
    ...paymentLink,
    id: 'c',
    title: 'Rifa da jangada',
    state: 'sold_out' as const,
    payments: 100,
    received: 1000,
  },
  {
    ...paymentLink,
    id: 'd',
    title: 'Curso de vela',
    state: 'ended' as const,
    ends_at: '2026-11-21T15:00:00.000Z',
  },
  {
    ...paymentLink,
    id: 'e',
    title: 'Doação',
    amount: null,
    max_payments: null,
    state: 'off' as const,
    active: false,
  },
];

const newLink = (page: Page) => page.getByRole('button', { name: 'Criar link' }).first().click();

const links: readonly Screen[] = [
  { name: 'links', who: 'merchant', at: '/payment-links', shows: 'Camiseta Jangada' },
  {
    name: 'links-many',
    who: 'merchant',
    at: '/payment-links',
    answers: [answer(listPaymentLinks, { data: manyLinks, next: 'c1' })],
    shows: 'Carregar mais',
  },
  {
    name: 'links-loading',
    who: 'merchant',
    at: '/payment-links',
    answers: [hold(listPaymentLinks)],
    shows: (page) => page.locator('main .skeleton'),
    loading: true,
  },
  {
    name: 'links-error',
    who: 'merchant',
    at: '/payment-links',
    answers: [fail(listPaymentLinks)],
    shows: 'Erro ao buscar os links',
  },
  { name: 'links-empty', who: 'approved', at: '/payment-links', shows: 'Criar link' },
  {
    name: 'links-unapproved',
    who: 'newcomer',
    at: '/payment-links',
    shows: 'Falta verificar sua identidade',
  },
  {
    name: 'links-api-inactive',
    who: 'merchant',
    at: '/payment-links',
    answers: [answer(profile, { user: { ...user, apiActive: false } })],
    shows: 'Sua API está inativa.',
  },
  {
    name: 'links-no-result',
    who: 'merchant',
    at: '/payment-links?status=ended',
    answers: [answer(listPaymentLinks, { data: [], next: null })],
    shows: 'Nenhum inativo',
  },
  { name: 'link-form', who: 'merchant', at: '/payment-links', steps: newLink, shows: 'Título' },
  {
    name: 'link-form-errors',
    who: 'merchant',
    at: '/payment-links',
    steps: async (page) => {
      await newLink(page);
      const form = page.getByRole('dialog');
      await form.getByLabel(/^Limite de pagamentos/).fill('0');
      await form.getByLabel(/^Página de retorno/).fill('loja.example');
      await form.getByRole('button', { name: 'Criar link' }).click();
    },
    shows: 'Informe um título.',
  },
  {
    name: 'link-form-failed',
    who: 'merchant',
    at: '/payment-links',
    answers: [fail(createPaymentLink)],
    steps: async (page) => {
      await newLink(page);
      const form = page.getByRole('dialog');
      await form.getByLabel('Título').fill('Doação para o telhado');
      await form.getByText('Valor livre', { exact: true }).click();
      await form.getByRole('button', { name: 'Criar link' }).click();
    },
    shows: (page) => page.getByRole('dialog').getByRole('alert').filter({ hasText: /\S/ }),
  },
  {
    name: 'link-open',
    who: 'merchant',
    at: ({ links }) => `/payment-links?id=${links.fixed.id}`,
    shows: (page) => page.getByAltText('QR Code que abre o link'),
  },
  {
    name: 'link-off',
    who: 'merchant',
    at: ({ links }) => `/payment-links?id=${links.ended.id}`,
    shows: (page) => page.getByRole('button', { name: 'Ligar' }),
  },
  {
    name: 'link-turn-off',
    who: 'merchant',
    at: ({ links }) => `/payment-links?id=${links.fixed.id}`,
    steps: (page) => page.getByRole('button', { name: 'Desligar' }).click(),
    shows: /^Desligar “/,
  },
  {
    name: 'link-edit-stale',
    who: 'merchant',
    at: ({ links }) => `/payment-links?id=${links.fixed.id}`,
    answers: [refuse(updatePaymentLink, 'STALE_VERSION')],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Editar' }).click();
      const form = page.getByRole('dialog', { name: 'Editar link' });
      await form.getByLabel('Título').fill('Camiseta');
      await form.getByRole('button', { name: 'Salvar' }).click();
    },
    shows: /^Este link foi alterado enquanto isso/,
  },
  {
    name: 'link-saved',
    who: 'merchant',
    at: ({ links }) => `/payment-links?id=${links.fixed.id}`,
    answers: [answer(updatePaymentLink, paymentLink)],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Editar' }).click();
      const form = page.getByRole('dialog', { name: 'Editar link' });
      await form.getByLabel('Título').fill('Camiseta');
      await form.getByRole('button', { name: 'Salvar' }).click();
    },
    shows: 'Link salvo',
    passing: true,
  },
  {
    name: 'link-discard',
    who: 'merchant',
    at: ({ links }) => `/payment-links?id=${links.fixed.id}`,
    steps: async (page) => {
      await page.getByRole('button', { name: 'Editar' }).click();
      await page.getByRole('dialog', { name: 'Editar link' }).getByLabel('Título').fill('Outro');
      await page.keyboard.press('Escape');
    },
    shows: 'Descartar alterações?',
  },
  {
    name: 'link-not-there',
    who: 'merchant',
    at: '/payment-links?id=11111111-2f60-4a53-9d0e-5a1b7c3e9f12',
    shows: 'Este link não foi encontrado na sua conta.',
  },
];

const counterCodes: readonly Screen[] = [
  { name: 'counter-codes', who: 'merchant', at: '/payment-links/counter-codes', shows: 'Caixa 1' },
  {
    name: 'counter-codes-loading',
    who: 'merchant',
    at: '/payment-links/counter-codes',
    answers: [hold(listCounterCodes)],
    shows: (page) => page.locator('main .skeleton'),
    loading: true,
  },
  {
    name: 'counter-codes-error',
    who: 'merchant',
    at: '/payment-links/counter-codes',
    answers: [fail(listCounterCodes)],
    shows: 'Erro ao buscar os QR Codes',
  },
  {
    name: 'counter-codes-empty',
    who: 'approved',
    at: '/payment-links/counter-codes',
    shows: 'Nenhum QR Code ainda',
  },
  {
    name: 'counter-code-form',
    who: 'merchant',
    at: '/payment-links/counter-codes',
    answers: [fail(createCounterCode)],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Criar QR Code' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Criar QR Code' }).click();
    },
    shows: 'Informe um nome.',
  },
  {
    name: 'counter-code-made',
    who: 'merchant',
    at: '/payment-links/counter-codes',
    answers: [answer(createCounterCode, counterCode)],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Criar QR Code' }).click();
      const form = page.getByRole('dialog');
      await form.getByLabel('Nome').fill('Caixa 1');
      await form.getByRole('button', { name: 'Criar QR Code' }).click();
    },
    shows: 'QR Code criado',
  },
  {
    name: 'counter-code-open',
    who: 'merchant',
    at: ({ counterCodes }) => `/payment-links/counter-codes?id=${counterCodes.open.id}`,
    shows: (page) => page.getByRole('link', { name: 'Imprimir' }),
  },
  {
    name: 'counter-code-turn-off',
    who: 'merchant',
    at: ({ counterCodes }) => `/payment-links/counter-codes?id=${counterCodes.open.id}`,
    steps: (page) => page.getByRole('button', { name: 'Desligar' }).click(),
    shows: 'Desligar “Caixa 1”?',
  },
];

const hours = (count: number) => new Date(Date.now() + count * 3_600_000 + 1000).toISOString();
const manyDisputes = [
  {
    ...openDispute,
    id: 'd2',
    amount: 14_999.99,
    blocked_amount: 8830.4,
    shortfall_amount: 6169.59,
    deadline: hours(5),
  },
  { ...openDispute, deadline: hours(49) },
  { ...openDispute, id: 'd3', deadline: hours(-1) },
  { ...openDispute, id: 'd4', status: 'won' as const, blocked_amount: 0, resolved_at: hours(-48) },
];

const disputes: readonly Screen[] = [
  { name: 'disputes', who: 'merchant', at: '/disputes', shows: 'Ganha' },
  {
    name: 'disputes-many',
    who: 'merchant',
    at: '/disputes',
    answers: [answer(listDisputes, { ...disputesOf(manyDisputes), total: 25 })],
    shows: /^faltam R\$/,
  },
  {
    name: 'disputes-loading',
    who: 'merchant',
    at: '/disputes',
    answers: [hold(listDisputes)],
    shows: (page) => page.locator('main .skeleton'),
    loading: true,
  },
  {
    name: 'disputes-error',
    who: 'merchant',
    at: '/disputes',
    answers: [fail(listDisputes)],
    shows: 'Erro ao buscar disputas',
  },
  { name: 'disputes-empty', who: 'approved', at: '/disputes', shows: 'Nenhuma disputa' },
  {
    name: 'disputes-no-result',
    who: 'merchant',
    at: '/disputes?status=cancelled',
    shows: 'Como funciona uma disputa',
  },
  {
    name: 'dispute-open',
    who: 'merchant',
    at: ({ disputes }) => `/disputes?id=${disputes.open}`,
    shows: 'Sua defesa',
  },
  {
    name: 'dispute-missing-money',
    who: 'merchant',
    at: ({ disputes }) => `/disputes?id=${disputes.open}`,
    answers: [
      answer(getDispute, {
        ...openDispute,
        deadline: hours(5),
        shortfall_amount: 419.6,
        defence: null,
        files: [],
        takes_files: true,
      }),
    ],
    shows: /^Faltam R\$/,
  },
  {
    name: 'dispute-files-wrong',
    who: 'merchant',
    at: ({ disputes }) => `/disputes?id=${disputes.open}`,
    steps: async (page) => {
      await page.getByLabel('Texto da defesa').fill('Entregue em 20/11, com assinatura de quem recebeu.');
      await page.getByLabel('Anexar arquivos').setInputFiles([
        { name: 'nota.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 nota fiscal 123') },
        {
          name: 'conversa-com-a-cliente-sobre-a-entrega-do-pedido-981.zip',
          mimeType: 'application/zip',
          buffer: Buffer.from('PK'),
        },
      ]);
    },
    shows: (page) => page.getByText('Envie arquivos PDF, PNG ou JPEG.', { exact: true }),
  },
  {
    name: 'dispute-send',
    who: 'merchant',
    at: ({ disputes }) => `/disputes?id=${disputes.open}`,
    answers: [refuse(defendDispute, 'DISPUTE_TOO_LATE')],
    steps: async (page) => {
      await page.getByLabel('Texto da defesa').fill('Entregue em 20/11, com assinatura de quem recebeu.');
      await page.getByRole('button', { name: 'Enviar defesa' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Enviar' }).click();
    },
    shows: 'O prazo de defesa desta disputa terminou.',
  },
  {
    name: 'dispute-defended',
    who: 'merchant',
    at: ({ disputes }) => `/disputes?id=${disputes.defended}`,
    shows: /^Enviada em/,
  },
  {
    name: 'dispute-lost',
    who: 'merchant',
    at: ({ disputes }) => `/disputes?id=${disputes.lost}`,
    shows: 'Perdida',
  },
  {
    name: 'dispute-won',
    who: 'merchant',
    at: ({ disputes }) => `/disputes?id=${disputes.won}`,
    shows: 'Ganha',
  },
  {
    name: 'dispute-unknown',
    who: 'merchant',
    at: '/disputes?id=11111111-2f60-4a53-9d0e-5a1b7c3e9f12',
    shows: 'Disputa não encontrada.',
  },
];

export const merchantOffers: readonly Screen[] = [...links, ...counterCodes, ...disputes];
