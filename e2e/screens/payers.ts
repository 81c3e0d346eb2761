import type { Page } from 'playwright-core';
import type { Screen } from './screen.ts';

/** The pages for payers, who have no account. */
export const payers: readonly Screen[] = [
  { name: 'pay', visitor: 'nobody', path: ({ open }) => open.page, shows: 'Aguardando o pagamento' },
  {
    name: 'pay-copied',
    visitor: 'nobody',
    path: ({ open }) => open.page,
    steps: async (page) => {
      await page.getByText('Aguardando o pagamento').waitFor();
      // The confirmation shows for two seconds only.
      await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
      await page.getByRole('button', { name: 'Copiar código Pix' }).click();
    },
    shows: 'Código copiado',
    isTransient: true,
  },
  {
    name: 'pay-without-script',
    visitor: 'nobody',
    path: ({ open }) => open.page,
    shows: /^Pague até/,
    isWithoutScripts: true,
  },
  { name: 'pay-large', visitor: 'nobody', path: ({ large }) => large.page, shows: 'Aguardando o pagamento' },
  {
    name: 'pay-offline',
    visitor: 'nobody',
    path: ({ open }) => open.page,
    steps: async (page) => {
      await page.getByText('Aguardando o pagamento').waitFor();
      await page.route('**/status*', (route) => route.abort('internetdisconnected'));
    },
    shows: 'Sem conexão. Tentando de novo…',
  },
  { name: 'pay-paid', visitor: 'nobody', path: ({ paid }) => paid.page, shows: 'Pago' },
  {
    name: 'pay-paid-shop',
    visitor: 'nobody',
    path: ({ paidForShop }) => paidForShop.page,
    steps: async (page, { paidForShop }) => {
      const id = paidForShop.page.split('/').at(-1);
      await page.evaluate((paymentId) => sessionStorage.setItem(`waited ${paymentId}`, 'yes'), id);
      await page.reload();
    },
    shows: 'Ficar nesta página',
    isTransient: true,
  },
  { name: 'pay-refunded', visitor: 'nobody', path: ({ refunded }) => refunded.page, shows: /devolvido/i },
  {
    name: 'pay-expired',
    visitor: 'nobody',
    path: ({ expired }) => expired.page,
    shows: 'Este código expirou',
  },
  { name: 'pay-cancelled', visitor: 'nobody', path: ({ cancelled }) => cancelled.page, shows: /cancelada/i },
  {
    name: 'pay-unknown',
    visitor: 'nobody',
    path: '/pagar/00000001aaaaaaaaaaaaaaaaaaaaaaaa',
    shows: 'Cobrança não encontrada',
  },
  { name: 'receipt', visitor: 'nobody', path: ({ paid }) => paid.receipt, shows: 'Comprovante de Pix' },
  {
    name: 'receipt-refunded',
    visitor: 'nobody',
    path: ({ refunded }) => refunded.receipt,
    shows: 'Comprovante de Pix',
  },
  {
    name: 'receipt-unknown',
    visitor: 'nobody',
    path: '/comprovante/00000001aaaaaaaaaaaaaaaaaaaaaaaa',
    shows: 'Comprovante não encontrado',
  },
  { name: 'link', visitor: 'nobody', path: ({ links }) => links.fixed.url, shows: 'Camiseta Jangada' },
  {
    name: 'link-open-amount',
    visitor: 'nobody',
    path: ({ links }) => links.free.url,
    shows: 'Quanto você vai pagar',
  },
  {
    name: 'link-amount-wrong',
    visitor: 'nobody',
    path: ({ links }) => links.free.url,
    steps: async (page) => {
      await page.getByLabel('Quanto você vai pagar').fill('1,00');
      await page.getByRole('button', { name: 'Pagar com Pix' }).click();
    },
    shows: /^O valor mínimo é/,
  },
  { name: 'link-ended', visitor: 'nobody', path: ({ links }) => links.ended.url, shows: 'Rifa da jangada' },
  {
    name: 'link-taken',
    visitor: 'nobody',
    path: ({ links }) => links.reserved.url,
    // The link allows one payment, whose reservation ends after half an hour. After that, these steps reserve it again.
    steps: async (page, { links }) => {
      const pay = page.getByRole('button', { name: 'Pagar com Pix' });
      if (!(await pay.isVisible())) return;
      await pay.click();
      await page.getByText('Aguardando o pagamento').waitFor();
      await page.goto(links.reserved.url);
    },
    shows: 'Todas as vagas estão reservadas no momento',
  },
  {
    name: 'link-full',
    visitor: 'nobody',
    path: ({ links }) => links.full.url,
    shows: 'Este link atingiu o limite de pagamentos',
  },
  {
    name: 'link-form-unread',
    visitor: 'nobody',
    path: ({ links }) => links.free.url,
    steps: (page) =>
      page.locator('form').evaluate((form: HTMLFormElement) => {
        form.enctype = 'text/plain';
        form.submit();
      }),
    shows: 'Confira os dados e tente de novo.',
  },
  { name: 'link-unknown', visitor: 'nobody', path: '/link/naoexiste0000000', shows: 'Link não encontrado' },
  ...(
    [
      ['waiting', 'Clube da rede de algodão'],
      ['variable', 'Clube da rede de algodão'],
      ['withPayment', 'Clube da rede de algodão'],
      ['allowed', 'Débito autorizado'],
      ['cancelled', 'Este pedido foi cancelado'],
    ] as const
  ).map(
    ([name, shows]): Screen => ({
      name: `allow-${name}`,
      visitor: 'nobody',
      path: ({ subscriptionPages }) => subscriptionPages[name],
      shows,
    }),
  ),
  {
    name: 'allow-without-script',
    visitor: 'nobody',
    path: ({ subscriptionPages }) => subscriptionPages.waiting,
    shows: 'Clube da rede de algodão',
    isWithoutScripts: true,
  },
  {
    name: 'allow-unknown',
    visitor: 'nobody',
    path: '/autorizar/RR0000000000000000000000',
    shows: /não encontrad/i,
  },
  {
    name: 'customer-page',
    visitor: 'nobody',
    path: ({ customerPages }) => customerPages.full,
    shows: 'Débitos por Pix Automático',
  },
  {
    name: 'customer-page-empty',
    visitor: 'nobody',
    path: ({ customerPages }) => customerPages.empty,
    shows: 'Nada em aberto',
  },
  {
    name: 'customer-page-unknown',
    visitor: 'nobody',
    path: '/c/00000001aaaaaaaaaaaaaaaaaaaaaa',
    shows: /não encontrad/i,
  },
  {
    name: 'counter-print',
    visitor: 'nobody',
    path: ({ counterCodes }) => counterCodes.open.url,
    shows: (page) => page.getByRole('button', { name: 'Imprimir' }),
  },
  {
    name: 'counter-priced',
    visitor: 'nobody',
    path: ({ counterCodes }) => counterCodes.priced.url,
    shows: /12,50/,
  },
  {
    name: 'counter-off',
    visitor: 'nobody',
    path: ({ counterCodes }) => counterCodes.off.url,
    shows: 'Este QR Code foi desligado',
  },
  {
    name: 'counter-unknown',
    visitor: 'nobody',
    path: '/balcao/00000001aaaaaaaaaaaaaaaaa',
    shows: 'QR Code não encontrado',
  },
];

/** Banco Sandbox: the app of a payer's bank. */
export const bank: readonly Screen[] = [
  { name: 'bank', visitor: 'nobody', path: ({ bankUrl }) => bankUrl, shows: 'Dinheiro de teste' },
  {
    name: 'bank-code-wrong',
    visitor: 'nobody',
    path: ({ bankUrl }) => `${bankUrl}/?codigo=isto-nao-e-pix`,
    shows: 'Dinheiro de teste',
  },
  {
    name: 'bank-pay',
    visitor: 'nobody',
    path: ({ bankUrl, open }) => `${bankUrl}/?codigo=${encodeURIComponent(open.content)}`,
    shows: (page) => page.getByRole('button', { name: /^Pagar/ }),
  },
  {
    name: 'bank-pay-large',
    visitor: 'nobody',
    path: ({ bankUrl, large }) => `${bankUrl}/?codigo=${encodeURIComponent(large.content)}`,
    shows: (page) => page.getByRole('button', { name: /^Pagar/ }),
  },
  {
    name: 'bank-pay-refused',
    visitor: 'nobody',
    path: ({ bankUrl, large }) => `${bankUrl}/?codigo=${encodeURIComponent(large.content)}`,
    steps: async (page) => {
      const error = { code: 'INSUFFICIENT_FUNDS', message: 'Saldo insuficiente na conta de teste.' };
      await page.route('**/sandbox/payments', (route) => route.fulfill({ status: 422, json: { error } }));
      await page.getByRole('button', { name: /^Pagar/ }).click();
    },
    shows: 'Saldo insuficiente na conta de teste.',
  },
  {
    name: 'bank-pay-amount',
    visitor: 'nobody',
    path: ({ bankUrl, counterCodes }) => `${bankUrl}/?codigo=${encodeURIComponent(counterCodes.open.text)}`,
    steps: (page) => page.getByRole('button', { name: /^Pagar/ }).click(),
    shows: 'Digite quanto quer pagar.',
  },
  {
    name: 'bank-paid',
    visitor: 'nobody',
    path: ({ bankUrl, paid }) => `${bankUrl}/?codigo=${encodeURIComponent(paid.content)}`,
    shows: 'Cobrança já paga',
  },
  {
    name: 'bank-cancelled',
    visitor: 'nobody',
    path: ({ bankUrl, cancelled }) => `${bankUrl}/?codigo=${encodeURIComponent(cancelled.content)}`,
    shows: 'Cobrança cancelada',
  },
  {
    name: 'bank-expired',
    visitor: 'nobody',
    path: ({ bankUrl, expired }) => `${bankUrl}/?codigo=${encodeURIComponent(expired.content)}`,
    shows: 'Dinheiro de teste',
  },
  {
    name: 'bank-receipt',
    visitor: 'nobody',
    path: ({ bankUrl, atBank }) => `${bankUrl}/comprovante/${atBank.paid}`,
    shows: 'Pagamento feito',
  },
  {
    name: 'bank-receipt-refunded',
    visitor: 'nobody',
    path: ({ bankUrl, atBank }) => `${bankUrl}/comprovante/${atBank.refunded}`,
    shows: 'Devolvido',
  },
  {
    name: 'bank-receipt-contested',
    visitor: 'nobody',
    path: ({ bankUrl, atBank }) => `${bankUrl}/comprovante/${atBank.contested}`,
    steps: scrollToEnd,
    shows: 'Aceitar',
  },
  {
    name: 'bank-receipt-defended',
    visitor: 'nobody',
    path: ({ bankUrl, atBank }) => `${bankUrl}/comprovante/${atBank.defended}`,
    steps: scrollToEnd,
    shows: 'A loja se defendeu',
  },
  {
    name: 'bank-receipt-unknown',
    visitor: 'nobody',
    path: ({ bankUrl }) => `${bankUrl}/comprovante/nada`,
    shows: 'Este pagamento não existe.',
  },
  {
    name: 'bank-not-found',
    visitor: 'nobody',
    path: ({ bankUrl }) => `${bankUrl}/nada`,
    shows: 'Este endereço não existe.',
  },
  {
    name: 'bank-contest',
    visitor: 'nobody',
    path: ({ bankUrl, atBank }) => `${bankUrl}/contestar/${atBank.paid}`,
    shows: 'Caí em um golpe',
  },
  {
    name: 'bank-payments',
    visitor: 'nobody',
    path: ({ bankUrl }) => `${bankUrl}/pagamentos`,
    shows: 'Dinheiro de teste',
  },
  {
    name: 'bank-behaviour',
    visitor: 'nobody',
    path: ({ bankUrl }) => `${bankUrl}/comportamento`,
    shows: 'Dinheiro de teste',
  },
  {
    name: 'bank-behaviour-lists',
    visitor: 'nobody',
    path: ({ bankUrl }) => `${bankUrl}/comportamento`,
    steps: async (page) => {
      await page.getByText('Valores de envio que dão problema').click();
      await page.getByText('Chaves de quem recebe que dão problema').click();
      await page.locator('details').last().scrollIntoViewIfNeeded();
    },
    shows: 'Chaves de quem recebe que dão problema',
  },
];

function scrollToEnd(page: Page): Promise<void> {
  return page.locator('.screen').evaluate((screen) => screen.scrollTo(0, screen.scrollHeight));
}
