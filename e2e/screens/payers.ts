import type { Page } from 'playwright-core';
import type { Screen } from './screen.ts';

/** The pages for payers, who have no account. */
export const payers: readonly Screen[] = [
  { name: 'pay', who: 'nobody', at: ({ open }) => open.page, shows: 'Aguardando o pagamento' },
  {
    name: 'pay-copied',
    who: 'nobody',
    at: ({ open }) => open.page,
    steps: async (page) => {
      await page.getByText('Aguardando o pagamento').waitFor();
      // The confirmation shows for two seconds only.
      await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
      await page.getByRole('button', { name: 'Copiar código Pix' }).click();
    },
    shows: 'Código copiado',
    passing: true,
  },
  {
    name: 'pay-without-script',
    who: 'nobody',
    at: ({ open }) => open.page,
    shows: /^Pague até/,
    scriptless: true,
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
  {
    name: 'pay-paid-shop',
    who: 'nobody',
    at: ({ paidForShop }) => paidForShop.page,
    steps: async (page, { paidForShop }) => {
      const id = paidForShop.page.split('/').at(-1);
      await page.evaluate((waited) => sessionStorage.setItem(`waited ${waited}`, 'yes'), id);
      await page.reload();
    },
    shows: 'Ficar nesta página',
    passing: true,
  },
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
  {
    name: 'link-taken',
    who: 'nobody',
    at: ({ links }) => links.taken.url,
    // Its place is free again after half an hour, and taken once more.
    steps: async (page, { links }) => {
      const pay = page.getByRole('button', { name: 'Pagar com Pix' });
      if (!(await pay.isVisible())) return;
      await pay.click();
      await page.getByText('Aguardando o pagamento').waitFor();
      await page.goto(links.taken.url);
    },
    shows: 'Todas as vagas estão reservadas no momento',
  },
  {
    name: 'link-full',
    who: 'nobody',
    at: ({ links }) => links.full.url,
    shows: 'Este link atingiu o limite de pagamentos',
  },
  {
    name: 'link-form-unread',
    who: 'nobody',
    at: ({ links }) => links.free.url,
    steps: (page) =>
      page.locator('form').evaluate((form: HTMLFormElement) => {
        form.enctype = 'text/plain';
        form.submit();
      }),
    shows: 'Confira os dados e tente de novo.',
  },
  { name: 'link-unknown', who: 'nobody', at: '/link/naoexiste0000000', shows: 'Link não encontrado' },
  {
    name: 'counter-print',
    who: 'nobody',
    at: ({ counterCodes }) => counterCodes.open.url,
    shows: (page) => page.getByRole('button', { name: 'Imprimir' }),
  },
  {
    name: 'counter-priced',
    who: 'nobody',
    at: ({ counterCodes }) => counterCodes.priced.url,
    shows: /12,50/,
  },
  {
    name: 'counter-off',
    who: 'nobody',
    at: ({ counterCodes }) => counterCodes.off.url,
    shows: 'Este QR Code foi desligado',
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
    name: 'bank-pay-refused',
    who: 'nobody',
    at: ({ bankUrl, large }) => `${bankUrl}/?codigo=${encodeURIComponent(large.content)}`,
    steps: async (page) => {
      const error = { code: 'INSUFFICIENT_FUNDS', message: 'Saldo insuficiente na conta de teste.' };
      await page.route('**/sandbox/payments', (route) => route.fulfill({ status: 422, json: { error } }));
      await page.getByRole('button', { name: /^Pagar/ }).click();
    },
    shows: 'Saldo insuficiente na conta de teste.',
  },
  {
    name: 'bank-pay-amount',
    who: 'nobody',
    at: ({ bankUrl, counterCodes }) => `${bankUrl}/?codigo=${encodeURIComponent(counterCodes.open.text)}`,
    steps: (page) => page.getByRole('button', { name: /^Pagar/ }).click(),
    shows: 'Digite quanto quer pagar.',
  },
  {
    name: 'bank-paid',
    who: 'nobody',
    at: ({ bankUrl, paid }) => `${bankUrl}/?codigo=${encodeURIComponent(paid.content)}`,
    shows: 'Cobrança já paga',
  },
  {
    name: 'bank-cancelled',
    who: 'nobody',
    at: ({ bankUrl, cancelled }) => `${bankUrl}/?codigo=${encodeURIComponent(cancelled.content)}`,
    shows: 'Cobrança cancelada',
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
    at: ({ bankUrl, atBank }) => `${bankUrl}/comprovante/${atBank.paid}`,
    shows: 'Pagamento feito',
  },
  {
    name: 'bank-receipt-refunded',
    who: 'nobody',
    at: ({ bankUrl, atBank }) => `${bankUrl}/comprovante/${atBank.refunded}`,
    shows: 'Devolvido',
  },
  {
    name: 'bank-receipt-contested',
    who: 'nobody',
    at: ({ bankUrl, atBank }) => `${bankUrl}/comprovante/${atBank.contested}`,
    steps: atTheEnd,
    shows: 'Aceitar',
  },
  {
    name: 'bank-receipt-defended',
    who: 'nobody',
    at: ({ bankUrl, atBank }) => `${bankUrl}/comprovante/${atBank.defended}`,
    steps: atTheEnd,
    shows: 'A loja se defendeu',
  },
  {
    name: 'bank-receipt-unknown',
    who: 'nobody',
    at: ({ bankUrl }) => `${bankUrl}/comprovante/nada`,
    shows: 'Este pagamento não existe.',
  },
  {
    name: 'bank-not-found',
    who: 'nobody',
    at: ({ bankUrl }) => `${bankUrl}/nada`,
    shows: 'Este endereço não existe.',
  },
  {
    name: 'bank-contest',
    who: 'nobody',
    at: ({ bankUrl, atBank }) => `${bankUrl}/contestar/${atBank.paid}`,
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
  {
    name: 'bank-behaviour-lists',
    who: 'nobody',
    at: ({ bankUrl }) => `${bankUrl}/comportamento`,
    steps: async (page) => {
      await page.getByText('Valores de envio que dão problema').click();
      await page.getByText('Chaves de quem recebe que dão problema').click();
      await page.locator('details').last().scrollIntoViewIfNeeded();
    },
    shows: 'Chaves de quem recebe que dão problema',
  },
];

function atTheEnd(page: Page): Promise<void> {
  return page.locator('.screen').evaluate((screen) => screen.scrollTo(0, screen.scrollHeight));
}
