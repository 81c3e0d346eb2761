import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { brand, uploadLogo } from '@jangada/contract';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildStaleWorkspaces } from '../../../tools/build.ts';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  type GivenMerchant,
  givenCharge,
  givenMerchant,
  givenPaidPayment,
  parseSuccess,
} from '../../test/given.ts';
import { payload, photo } from '../../test/hostile-pictures.ts';
import { givenRefund } from '../../test/refunds.ts';
import { download, upload } from '../../test/upload.ts';

const pages = fileURLToPath(new URL('../../../web/dist', import.meta.url));

let gateway: TestGateway;
let merchant: GivenMerchant;
beforeAll(async () => {
  buildStaleWorkspaces();
  gateway = await startTestGateway({ pages });
  merchant = await givenMerchant(gateway);
});
afterAll(() => gateway.stop());

type Page = {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  readonly text: string;
};

/** Loads a page as a payer without JavaScript sees it: `text` is its readable text. */
async function visit(address: string, from = gateway): Promise<Page> {
  const answer = await fetch(new URL(new URL(address, from.url).pathname, from.url), { redirect: 'manual' });
  const html = await answer.text();
  const text = html
    .replace(/^.*<body>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');
  return { status: answer.status, headers: answer.headers, html, text };
}

async function statusOf(address: string): Promise<unknown> {
  const answer = await fetch(`${new URL(new URL(address).pathname, gateway.url)}/status`);
  return { code: answer.status, ...((await answer.json()) as object) };
}

const idOf = (address: string) => address.slice(address.lastIndexOf('/') + 1);

describe('a pending charge', () => {
  test('shows its code, amount, payee and a reload link on its page, without JavaScript', async () => {
    const charge = await givenCharge(gateway, merchant, { amount: 1250, description: 'Pedido 1043' });
    const page = await visit(charge.checkout_url);
    expect(page.status).toBe(200);
    expect(page.text).toContain('R$ 1.250,00');
    expect(page.text).toContain('Maria da Feira');
    expect(page.text).toMatch(/CPF \*\*\*\.\d{3}\.\d{3}-\*\*/);
    expect(page.text).toContain('Pedido 1043');
    expect(page.text).toContain(charge.content);
    expect(page.text).toContain('A conta que recebe é mantida por Banco Sandbox .');
    expect(page.text).toMatch(/Pague até (as|\d\d\/\d\d\/\d{4} às) \d\d:\d\d/);
    const links = [...page.html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, address]) => address);
    expect(links).toContain(`/pagar/${idOf(charge.checkout_url)}`);
    expect(page.html.includes('aria-label="QR Code do Pix"')).toBe(true);
    expect(await statusOf(charge.checkout_url)).toMatchObject({
      code: 200,
      status: 'waiting',
      paid_at: null,
    });
  });

  test('reveals no private data of the merchant, and no return address before it is paid', async () => {
    const charge = await givenCharge(gateway, merchant, {
      external_id: 'segredo-1',
      metadata: { loja: 'segredo-2' },
      callback_url: 'https://segredo-3.example.com/x',
      success_url: 'https://loja.example.com/segredo-4',
    });
    const { html } = await visit(charge.checkout_url);
    const { document } = await gateway.deps.db
      .selectFrom('users')
      .select('document')
      .where('id', '=', merchant.id)
      .executeTakeFirstOrThrow();
    const privateTexts = ['segredo', charge.id, document, merchant.username, '@example.com'];
    expect(privateTexts.filter((text) => html.includes(text))).toEqual([]);
  });

  test('is sent with a policy that allows its styles by hash and nothing inline, and is not cached', async () => {
    const charge = await givenCharge(gateway, merchant);
    const { headers, html } = await visit(charge.checkout_url);
    const styles = [...html.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, style = '']) => style);
    const hashes = styles.map((style) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(styles).toHaveLength(1);
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src ${hashes.join(' ')}; script-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    );
    expect(html.match(/\sstyle=|\son\w+=|<script>|<script [^>]*>[^<]/)).toBeNull();
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex',
      'content-encoding': expect.stringMatching(/^(br|gzip)$/),
    });
  });

  test('escapes hostile names and descriptions', async () => {
    const hostile = await givenMerchant(gateway);
    const name = '</style></title><script>a()</script><img src=x onerror=b()>';
    const brandChange = { display_name: name, colour: null };
    await gateway.api('PUT', '/authed/brand', brandChange, { token: hostile.token });
    const description = `"><script>c()</script>\u2028{{7*7}} &amp; ' \${d}`;
    const charge = await givenCharge(gateway, hostile, { description });
    const { html, text } = await visit(charge.checkout_url);
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html.match(/<img|<\/style>|<\/title>/g)).toEqual(['</title>', '</style>']);
    expect(text).toContain(name);
    expect(text).toContain(`"><script>c()</script> {{7*7}} &amp; ' \${d}`);
  });
});

describe('an unpaid charge', () => {
  test('shows its expiry and what to do, as soon as it expires', async () => {
    const charge = await givenCharge(gateway, merchant, { expires_in: 60 });
    await gateway.advance(61);
    const { status, text, html } = await visit(charge.checkout_url);
    expect(status).toBe(200);
    expect(text).toMatch(/Este código expirou .*R\$ 100,00.* venceu às \d\d:\d\d/);
    expect(text).toContain(
      'Se você já pagou, o valor será reconhecido. Senão, peça outro código a Maria da Feira.',
    );
    expect(text).toContain('Já paguei, verificar');
    expect(html.includes(charge.content)).toBe(false);
    expect(await statusOf(charge.checkout_url)).toMatchObject({ status: 'expired' });
  });

  test('shows that it was cancelled', async () => {
    const charge = await givenCharge(gateway, merchant);
    await gateway.api('POST', `/pix/${charge.id}/cancel`, undefined, { apiKey: merchant.apiKey });
    const { text } = await visit(charge.checkout_url);
    expect(text).toContain('Esta cobrança foi cancelada');
    expect(text).toContain('Não pague este código.');
    expect(await statusOf(charge.checkout_url)).toMatchObject({ status: 'cancelled' });
  });

  test('has no receipt: the address of the receipt leads to the payment page', async () => {
    const charge = await givenCharge(gateway, merchant);
    const { status, headers } = await visit(`/comprovante/${idOf(charge.checkout_url)}`);
    expect([status, headers.get('location')]).toEqual([302, `/pagar/${idOf(charge.checkout_url)}`]);
  });
});

describe('a paid charge', () => {
  test('is shown as paid, with a link back to the shop, and has a receipt with endToEndId and payer', async () => {
    const payment = await givenPaidPayment(gateway, merchant, {
      amount: 42.9,
      description: 'Rede de pesca',
      success_url: 'https://loja.example.com/obrigado?pedido=1&x=2',
    });
    const { text, html } = await visit(payment.checkout_url);
    expect(text).toContain('Pago');
    expect(text).toContain('Valor pago R$ 42,90');
    expect(text).toContain(payment.endToEndId);
    expect(text).toContain('Voltar para loja.example.com');
    const returnLink = 'href="https://loja.example.com/obrigado?pedido=1&amp;x=2"';
    expect(html.includes(returnLink)).toBe(true);
    expect(await statusOf(payment.checkout_url)).toMatchObject({ status: 'paid', paid_at: payment.paid_at });
    const receipt = await visit(payment.receipt_url ?? '');
    expect(receipt.status).toBe(200);
    for (const expectedText of [
      'Comprovante de Pix',
      'R$ 42,90',
      'Rede de pesca',
      'Maria da Feira',
      'Conta mantida por Banco Sandbox',
      payment.endToEndId,
    ])
      expect(receipt.text).toContain(expectedText);
    expect(receipt.text).toContain(`Pagador ${payment.payer?.name}`);
    expect(receipt.text).not.toContain('Devolvido');
  });

  test('keeps its receipt after a refund, with the refunded amount', async () => {
    const payment = await givenPaidPayment(gateway, merchant, { amount: 80 });
    await givenRefund(gateway, merchant, payment.id, { amount: 30 });
    const receipt = () => visit(payment.receipt_url ?? '');
    await expect.poll(async () => (await receipt()).text).toContain('Devolvido R$ 30,00');
    expect((await visit(payment.checkout_url)).text).toContain('Pago');
    await givenRefund(gateway, merchant, payment.id);
    await expect.poll(async () => (await receipt()).text).toContain('Devolvido R$ 80,00');
    expect((await visit(payment.checkout_url)).text).toContain('Pagamento devolvido');
  });
});

test('the address of an unknown charge, well-formed or not, shows a page that says so', async () => {
  const charge = await givenCharge(gateway, merchant);
  const id = idOf(charge.checkout_url);
  const other = `${id.slice(0, -1)}${id.endsWith('a') ? 'b' : 'a'}`;
  for (const unknownId of [other, id.toUpperCase(), `zzzzzzzz${id.slice(8)}`, '1', "'--", `${id}x`]) {
    const page = await visit(`/pagar/${unknownId}`);
    expect([page.status, page.text]).toEqual([404, expect.stringContaining('Cobrança não encontrada')]);
    expect((await visit(`/comprovante/${unknownId}`)).status).toBe(404);
    expect(await statusOf(`${gateway.url}/pagar/${unknownId}`)).toMatchObject({
      code: 404,
      error: { code: 'PAYMENT_NOT_FOUND' },
    });
  }
});

test('an address that only begins like a payer page does not lead to the dashboard', async () => {
  for (const prefix of ['/pagar', '/comprovante', '/link', '/balcao'])
    for (const rest of ['', '/', '/a/b', '/a/b/c.html', '?x=1']) {
      const page = await visit(prefix + rest);
      expect([prefix + rest, page.status]).toEqual([prefix + rest, 404]);
      expect(page.text).toMatch(/não encontrad[ao]/);
    }
});

test('a payer sees a page that explains that the pages are not built, or that there are too many requests', async () => {
  const charge = await givenCharge(gateway, merchant);
  const unbuiltGateway = await startTestGateway({
    sharedGateway: gateway,
    startsWork: false,
    env: { RATE_LIMIT: '2' },
  });
  const page = await visit(charge.checkout_url, unbuiltGateway);
  expect([page.status, page.text]).toEqual([503, expect.stringContaining('Página indisponível')]);
  await unbuiltGateway.stop();
  const limitedGateway = await startTestGateway({
    sharedGateway: gateway,
    startsWork: false,
    pages,
    env: { RATE_LIMIT: '1' },
  });
  expect((await visit(charge.checkout_url, limitedGateway)).status).toBe(200);
  const second = await visit(charge.checkout_url, limitedGateway);
  expect([second.status, second.text]).toEqual([
    429,
    expect.stringContaining('Muitos acessos ao mesmo tempo'),
  ]);
  expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
  await limitedGateway.stop();
});

describe('a merchant’s brand', () => {
  const changeBrand = (owner: GivenMerchant, change: object) =>
    gateway.api('PUT', '/authed/brand', change, { token: owner.token });
  const sendLogo = (owner: GivenMerchant, logo: Buffer) =>
    upload(gateway, '/authed/brand/logo', { logo }, owner);

  test('is empty at first, then shows the chosen name and colour on its charges’ pages', async () => {
    const shop = await givenMerchant(gateway);
    const emptyBrand = { display_name: null, colour: null, logo: null };
    expect(parseSuccess(brand, await gateway.api('GET', '/authed/brand', undefined, shop))).toEqual(
      emptyBrand,
    );
    const chosen = parseSuccess(
      brand,
      await changeBrand(shop, { display_name: '  Empório da Praia ', colour: '#FFCC00' }),
    );
    expect(chosen).toEqual({ display_name: 'Empório da Praia', colour: '#ffcc00', logo: null });
    const charge = await givenCharge(gateway, shop);
    const { html, text, headers } = await visit(charge.checkout_url);
    // The page shows a chosen name together with the account's name.
    expect(text).toContain('Empório da Praia Maria da Feira');
    const style = ':root{--brand:#ffcc00;--brand-content:#000000}';
    expect(html.split(`>${style}</style>`)).toHaveLength(2);
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers.get('content-security-policy')).toContain(`'sha256-${hash}'; script-src`);
    expect(parseSuccess(brand, await changeBrand(shop, { display_name: null, colour: null }))).toEqual(
      emptyBrand,
    );
    expect((await visit(charge.checkout_url)).text).toContain('Maria da Feira');
  });

  test('leaves the account’s own name as the payee on the receipt', async () => {
    const shop = await givenMerchant(gateway);
    await changeBrand(shop, { display_name: 'Empório', colour: null });
    const payment = await givenPaidPayment(gateway, shop);
    const { text } = await visit(payment.receipt_url ?? '');
    expect(text).toContain('Recebedor Maria da Feira');
    expect(text).toMatch(/^ ?.*Empório/);
  });

  test.each([
    { display_name: '', colour: null },
    { display_name: 'x'.repeat(61), colour: null },
    { display_name: 'Loja \u202eagas', colour: null },
    { display_name: 'Loja\nDois', colour: null },
    { display_name: null, colour: 'red' },
    { display_name: null, colour: '#12345' },
    { display_name: null, colour: '#123456;}' },
    { colour: '#123456' },
  ])('refuses %o', async (change) => {
    expect((await changeBrand(merchant, change)).status).toBe(400);
  });

  test('has a logo re-encoded within 512 pixels with its transparency, at its own URL', async () => {
    const shop = await givenMerchant(gateway);
    const transparent = { r: 0, g: 0, b: 0, alpha: 0 };
    const picture = await sharp({
      create: { width: 1200, height: 600, channels: 4, background: transparent },
    })
      .png()
      .toBuffer();
    const { logo } = parseSuccess(uploadLogo.response, await sendLogo(shop, picture));
    const { status, headers, bytes } = await download(gateway, (logo ?? '').replace('/api', ''));
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect(await sharp(bytes).metadata()).toMatchObject({
      format: 'webp',
      width: 512,
      height: 256,
      hasAlpha: true,
    });
    await changeBrand(shop, { display_name: 'Com logo', colour: null });
    const charge = await givenCharge(gateway, shop);
    const [, logoAddress] = /<img src="([^"]*)"/.exec((await visit(charge.checkout_url)).html) ?? [];
    expect(logoAddress).toBe(logo);
    const removed = await gateway.api('DELETE', '/authed/brand/logo', undefined, shop);
    expect(parseSuccess(brand, removed)).toEqual({ display_name: 'Com logo', colour: null, logo: null });
    expect((await download(gateway, (logo ?? '').replace('/api', ''))).status).toBe(404);
  });

  test.each([
    ['a file that is not a picture', () => payload, 'IMAGE_NOT_ACCEPTED'],
    ['SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'IMAGE_NOT_ACCEPTED'],
    ['nothing', () => Buffer.alloc(0), 'IMAGE_NOT_ACCEPTED'],
    ['more than 2 MB', () => Buffer.alloc(2 * 1024 * 1024 + 1), 'AVATAR_TOO_LARGE'],
  ])('refuses %s as a logo', async (_, bytes, code) => {
    expect(await sendLogo(merchant, bytes())).toMatchObject({ status: 400, body: { error: { code } } });
  });

  test('is out of reach of API keys, and logo uploads are limited per hour', async () => {
    const { apiKey } = merchant;
    expect((await gateway.api('GET', '/authed/brand', undefined, { apiKey })).status).toBe(401);
    const shop = await givenMerchant(gateway);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 31; attempt += 1) statuses.push((await sendLogo(shop, payload)).status);
    expect(statuses).toEqual([...Array(30).fill(400), 429]);
    await gateway.advance(3601);
    expect((await sendLogo(shop, await photo(32, 32))).status).toBe(200);
  });
});

test('a company is shown with its full CNPJ', async () => {
  const shop = await givenMerchant(gateway);
  await gateway.deps.db
    .updateTable('users')
    .set({ document: '12345678000195', doc_type: 'CNPJ' })
    .where('id', '=', shop.id)
    .execute();
  const charge = await givenCharge(gateway, shop);
  expect((await visit(charge.checkout_url)).text).toContain('CNPJ 12.345.678/0001-95');
});
