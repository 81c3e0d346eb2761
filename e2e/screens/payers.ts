import type { Screen } from './screen.ts';

/** Pages that payers read, who have no account. */
export const payers: readonly Screen[] = [
  { name: 'pay', who: 'nobody', at: ({ open }) => open.page, shows: 'Aguardando o pagamento' },
  {
    name: 'pay-copied',
    who: 'nobody',
    at: ({ open }) => open.page,
    steps: (page) => page.getByRole('button', { name: 'Copiar código Pix' }).click(),
    shows: 'Código copiado',
    passing: true,
  },
  { name: 'pay-large', who: 'nobody', at: ({ large }) => large.page, shows: 'Aguardando o pagamento' },
  {
    name: 'pay-offline',
    who: 'nobody',
    at: ({ open }) => open.page,
    steps: async (page) => {
      await page.getByText('Aguardando o pagamento').waitFor();
      await page.route('**/status*', (route) => route.abort('internetdisconnected'));
    },
    shows: 'Sem conexão. Tentando de novo…',
  },
  { name: 'pay-paid', who: 'nobody', at: ({ paid }) => paid.page, shows: 'Pago' },
  { name: 'pay-refunded', who: 'nobody', at: ({ refunded }) => refunded.page, shows: /devolvido/i },
  { name: 'pay-expired', who: 'nobody', at: ({ expired }) => expired.page, shows: 'Este código expirou' },
  { name: 'pay-cancelled', who: 'nobody', at: ({ cancelled }) => cancelled.page, shows: /cancelada/i },
  {
    name: 'pay-unknown',
    who: 'nobody',
    at: '/pagar/00000001aaaaaaaaaaaaaaaaaaaaaaaa',
    shows: 'Cobrança não encontrada',
  },
  { name: 'receipt', who: 'nobody', at: ({ paid }) => paid.receipt, shows: 'Comprovante de Pix' },
  {
    name: 'receipt-refunded',
    who: 'nobody',
    at: ({ refunded }) => refunded.receipt,
    shows: 'Comprovante de Pix',
  },
  {
    name: 'receipt-unknown',
    who: 'nobody',
    at: '/comprovante/00000001aaaaaaaaaaaaaaaaaaaaaaaa',
    shows: 'Comprovante não encontrado',
  },
  { name: 'link', who: 'nobody', at: ({ links }) => links.fixed.url, shows: 'Camiseta Jangada' },
  {
    name: 'link-open-amount',
    who: 'nobody',
    at: ({ links }) => links.free.url,
    shows: 'Quanto você vai pagar',
  },
  {
    name: 'link-amount-wrong',
    who: 'nobody',
    at: ({ links }) => links.free.url,
    steps: async (page) => {
      await page.getByLabel('Quanto você vai pagar').fill('1,00');
      await page.getByRole('button', { name: 'Pagar com Pix' }).click();
    },
    shows: /^O valor mínimo é/,
  },
  { name: 'link-ended', who: 'nobody', at: ({ links }) => links.ended.url, shows: 'Rifa da jangada' },
  { name: 'link-unknown', who: 'nobody', at: '/link/naoexiste0000000', shows: 'Link não encontrado' },
  {
    name: 'counter-print',
    who: 'nobody',
    at: ({ counterCode }) => counterCode.url,
    shows: (page) => page.getByRole('button', { name: 'Imprimir' }),
  },
  {
    name: 'counter-unknown',
    who: 'nobody',
    at: '/balcao/00000001aaaaaaaaaaaaaaaaa',
    shows: 'QR Code não encontrado',
  },
];

/** Banco Sandbox: the app of a payer's bank. */
export const bank: readonly Screen[] = [
  { name: 'bank', who: 'nobody', at: ({ bankUrl }) => bankUrl, shows: 'Dinheiro de teste' },
  {
    name: 'bank-code-wrong',
    who: 'nobody',
    at: ({ bankUrl }) => `${bankUrl}/?codigo=isto-nao-e-pix`,
    shows: 'Dinheiro de teste',
  },
  {
    name: 'bank-pay',
    who: 'nobody',
    at: ({ bankUrl, open }) => `${bankUrl}/?codigo=${encodeURIComponent(open.content)}`,
    shows: (page) => page.getByRole('button', { name: /^Pagar/ }),
  },
  {
    name: 'bank-pay-large',
    who: 'nobody',
    at: ({ bankUrl, large }) => `${bankUrl}/?codigo=${encodeURIComponent(large.content)}`,
    shows: (page) => page.getByRole('button', { name: /^Pagar/ }),
  },
  {
    name: 'bank-expired',
    who: 'nobody',
    at: ({ bankUrl, expired }) => `${bankUrl}/?codigo=${encodeURIComponent(expired.content)}`,
    shows: 'Dinheiro de teste',
  },
  {
    name: 'bank-receipt',
    who: 'nobody',
    at: ({ bankUrl, paidEndToEndId }) => `${bankUrl}/comprovante/${paidEndToEndId}`,
    shows: /Pagamento/,
  },
  {
    name: 'bank-contest',
    who: 'nobody',
    at: ({ bankUrl, paidEndToEndId }) => `${bankUrl}/contestar/${paidEndToEndId}`,
    shows: 'Caí em um golpe',
  },
  {
    name: 'bank-payments',
    who: 'nobody',
    at: ({ bankUrl }) => `${bankUrl}/pagamentos`,
    shows: 'Dinheiro de teste',
  },
  {
    name: 'bank-behaviour',
    who: 'nobody',
    at: ({ bankUrl }) => `${bankUrl}/comportamento`,
    shows: 'Dinheiro de teste',
  },
];
