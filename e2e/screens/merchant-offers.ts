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
import { answer, fail, refuse, type Screen, stall } from './screen.ts';

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

const openLinkForm = (page: Page) => page.getByRole('button', { name: 'Criar link' }).first().click();

const links: readonly Screen[] = [
  { name: 'links', visitor: 'merchant', path: '/payment-links', shows: 'Camiseta Jangada' },
  {
    name: 'links-many',
    visitor: 'merchant',
    path: '/payment-links',
    stubs: [answer(listPaymentLinks, { data: manyLinks, next: 'c1' })],
    shows: 'Carregar mais',
  },
  {
    name: 'links-loading',
    visitor: 'merchant',
    path: '/payment-links',
    stubs: [stall(listPaymentLinks)],
    shows: (page) => page.locator('main .skeleton'),
    isLoading: true,
  },
  {
    name: 'links-error',
    visitor: 'merchant',
    path: '/payment-links',
    stubs: [fail(listPaymentLinks)],
    shows: 'Erro ao buscar os links',
  },
  { name: 'links-empty', visitor: 'approved', path: '/payment-links', shows: 'Criar link' },
  {
    name: 'links-unapproved',
    visitor: 'newcomer',
    path: '/payment-links',
    shows: 'Falta verificar sua identidade',
  },
  {
    name: 'links-api-inactive',
    visitor: 'merchant',
    path: '/payment-links',
    stubs: [answer(profile, { user: { ...user, apiActive: false } })],
    shows: 'Sua API está inativa.',
  },
  {
    name: 'links-no-result',
    visitor: 'merchant',
    path: '/payment-links?status=ended',
    stubs: [answer(listPaymentLinks, { data: [], next: null })],
    shows: 'Nenhum inativo',
  },
  { name: 'link-form', visitor: 'merchant', path: '/payment-links', steps: openLinkForm, shows: 'Título' },
  {
    name: 'link-form-errors',
    visitor: 'merchant',
    path: '/payment-links',
    steps: async (page) => {
      await openLinkForm(page);
      const form = page.getByRole('dialog');
      await form.getByLabel(/^Limite de pagamentos/).fill('0');
      await form.getByLabel(/^Página de retorno/).fill('loja.example');
      await form.getByRole('button', { name: 'Criar link' }).click();
    },
    shows: 'Informe um título.',
  },
  {
    name: 'link-form-failed',
    visitor: 'merchant',
    path: '/payment-links',
    stubs: [fail(createPaymentLink)],
    steps: async (page) => {
      await openLinkForm(page);
      const form = page.getByRole('dialog');
      await form.getByLabel('Título').fill('Doação para o telhado');
      await form.getByText('Valor livre', { exact: true }).click();
      await form.getByRole('button', { name: 'Criar link' }).click();
    },
    shows: (page) => page.getByRole('dialog').getByRole('alert').filter({ hasText: /\S/ }),
  },
  {
    name: 'link-open',
    visitor: 'merchant',
    path: ({ links }) => `/payment-links?id=${links.fixed.id}`,
    shows: (page) => page.getByAltText('QR Code que abre o link'),
  },
  {
    name: 'link-off',
    visitor: 'merchant',
    path: ({ links }) => `/payment-links?id=${links.ended.id}`,
    shows: (page) => page.getByRole('button', { name: 'Ligar' }),
  },
  {
    name: 'link-turn-off',
    visitor: 'merchant',
    path: ({ links }) => `/payment-links?id=${links.fixed.id}`,
    steps: (page) => page.getByRole('button', { name: 'Desligar' }).click(),
    shows: /^Desligar “/,
  },
  {
    name: 'link-edit-stale',
    visitor: 'merchant',
    path: ({ links }) => `/payment-links?id=${links.fixed.id}`,
    stubs: [refuse(updatePaymentLink, 'STALE_VERSION')],
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
    visitor: 'merchant',
    path: ({ links }) => `/payment-links?id=${links.fixed.id}`,
    stubs: [answer(updatePaymentLink, paymentLink)],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Editar' }).click();
      const form = page.getByRole('dialog', { name: 'Editar link' });
      await form.getByLabel('Título').fill('Camiseta');
      await form.getByRole('button', { name: 'Salvar' }).click();
    },
    shows: 'Link salvo',
    isTransient: true,
  },
  {
    name: 'link-discard',
    visitor: 'merchant',
    path: ({ links }) => `/payment-links?id=${links.fixed.id}`,
    steps: async (page) => {
      await page.getByRole('button', { name: 'Editar' }).click();
      await page.getByRole('dialog', { name: 'Editar link' }).getByLabel('Título').fill('Outro');
      await page.keyboard.press('Escape');
    },
    shows: 'Descartar alterações?',
  },
  {
    name: 'link-not-there',
    visitor: 'merchant',
    path: '/payment-links?id=11111111-2f60-4a53-9d0e-5a1b7c3e9f12',
    shows: 'Este link não foi encontrado na sua conta.',
  },
];

const counterCodes: readonly Screen[] = [
  { name: 'counter-codes', visitor: 'merchant', path: '/payment-links/counter-codes', shows: 'Caixa 1' },
  {
    name: 'counter-codes-loading',
    visitor: 'merchant',
    path: '/payment-links/counter-codes',
    stubs: [stall(listCounterCodes)],
    shows: (page) => page.locator('main .skeleton'),
    isLoading: true,
  },
  {
    name: 'counter-codes-error',
    visitor: 'merchant',
    path: '/payment-links/counter-codes',
    stubs: [fail(listCounterCodes)],
    shows: 'Erro ao buscar os QR Codes',
  },
  {
    name: 'counter-codes-empty',
    visitor: 'approved',
    path: '/payment-links/counter-codes',
    shows: 'Nenhum QR Code ainda',
  },
  {
    name: 'counter-code-form',
    visitor: 'merchant',
    path: '/payment-links/counter-codes',
    stubs: [fail(createCounterCode)],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Criar QR Code' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Criar QR Code' }).click();
    },
    shows: 'Informe um nome.',
  },
  {
    name: 'counter-code-made',
    visitor: 'merchant',
    path: '/payment-links/counter-codes',
    stubs: [answer(createCounterCode, counterCode)],
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
    visitor: 'merchant',
    path: ({ counterCodes }) => `/payment-links/counter-codes?id=${counterCodes.open.id}`,
    shows: (page) => page.getByRole('link', { name: 'Imprimir' }),
  },
  {
    name: 'counter-code-turn-off',
    visitor: 'merchant',
    path: ({ counterCodes }) => `/payment-links/counter-codes?id=${counterCodes.open.id}`,
    steps: (page) => page.getByRole('button', { name: 'Desligar' }).click(),
    shows: 'Desligar “Caixa 1”?',
  },
];

const inHours = (count: number) => new Date(Date.now() + count * 3_600_000 + 1000).toISOString();
const manyDisputes = [
  {
    ...openDispute,
    id: 'd2',
    amount: 14_999.99,
    blocked_amount: 8830.4,
    shortfall_amount: 6169.59,
    deadline: inHours(5),
  },
  { ...openDispute, deadline: inHours(49) },
  { ...openDispute, id: 'd3', deadline: inHours(-1) },
  { ...openDispute, id: 'd4', status: 'won' as const, blocked_amount: 0, resolved_at: inHours(-48) },
];

const disputes: readonly Screen[] = [
  { name: 'disputes', visitor: 'merchant', path: '/disputes', shows: 'Ganha' },
  {
    name: 'disputes-many',
    visitor: 'merchant',
    path: '/disputes',
    stubs: [answer(listDisputes, { ...disputesOf(manyDisputes), total: 25 })],
    shows: /^faltam R\$/,
  },
  {
    name: 'disputes-loading',
    visitor: 'merchant',
    path: '/disputes',
    stubs: [stall(listDisputes)],
    shows: (page) => page.locator('main .skeleton'),
    isLoading: true,
  },
  {
    name: 'disputes-error',
    visitor: 'merchant',
    path: '/disputes',
    stubs: [fail(listDisputes)],
    shows: 'Erro ao buscar disputas',
  },
  { name: 'disputes-empty', visitor: 'approved', path: '/disputes', shows: 'Nenhuma disputa' },
  {
    name: 'disputes-no-result',
    visitor: 'merchant',
    path: '/disputes?status=cancelled',
    shows: 'Como funciona uma disputa',
  },
  {
    name: 'dispute-open',
    visitor: 'merchant',
    path: ({ disputes }) => `/disputes?id=${disputes.open}`,
    shows: 'Sua defesa',
  },
  {
    name: 'dispute-missing-money',
    visitor: 'merchant',
    path: ({ disputes }) => `/disputes?id=${disputes.open}`,
    stubs: [
      answer(getDispute, {
        ...openDispute,
        deadline: inHours(5),
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
    visitor: 'merchant',
    path: ({ disputes }) => `/disputes?id=${disputes.open}`,
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
    visitor: 'merchant',
    path: ({ disputes }) => `/disputes?id=${disputes.open}`,
    stubs: [refuse(defendDispute, 'DISPUTE_TOO_LATE')],
    steps: async (page) => {
      await page.getByLabel('Texto da defesa').fill('Entregue em 20/11, com assinatura de quem recebeu.');
      await page.getByRole('button', { name: 'Enviar defesa' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Enviar' }).click();
    },
    shows: 'O prazo de defesa desta disputa terminou.',
  },
  {
    name: 'dispute-defended',
    visitor: 'merchant',
    path: ({ disputes }) => `/disputes?id=${disputes.defended}`,
    shows: /^Enviada em/,
  },
  {
    name: 'dispute-lost',
    visitor: 'merchant',
    path: ({ disputes }) => `/disputes?id=${disputes.lost}`,
    shows: 'Perdida',
  },
  {
    name: 'dispute-won',
    visitor: 'merchant',
    path: ({ disputes }) => `/disputes?id=${disputes.won}`,
    shows: 'Ganha',
  },
  {
    name: 'dispute-unknown',
    visitor: 'merchant',
    path: '/disputes?id=11111111-2f60-4a53-9d0e-5a1b7c3e9f12',
    shows: 'Disputa não encontrada.',
  },
];

export const merchantOffers: readonly Screen[] = [...links, ...counterCodes, ...disputes];
