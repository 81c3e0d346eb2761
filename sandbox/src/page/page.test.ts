import { encodeStaticBrCode } from '@jangada/pix';
import { expect, test } from 'vitest';
import { type Client, givenBank, givenCharge, openAccount, payNew } from '../../test/bank.ts';

/** Opens the page of a code, and returns its text. */
const open = async (bank: Client, code: string) =>
  (await bank.call('GET', `/?codigo=${encodeURIComponent(code)}`)).body.replaceAll('\u00a0', ' ');

test('a code shows the payee, the purpose and the amount', async () => {
  const bank = await givenBank();
  const more = {
    solicitacaoPagador: 'Pagamento a Empório',
    infoAdicionais: [{ nome: 'Pedido', valor: '77' }],
  };
  const { brCode, txid } = await givenCharge(bank, '1250.00', more);
  const page = await open(bank, brCode);
  for (const text of [
    'R$ 1.250,00',
    'Jangada Sandbox',
    'Pagamento a Empório',
    '12.345.678/0001-95',
    txid,
    'Pedido',
    '77',
    'Dinheiro de teste',
  ]) {
    expect(page).toContain(text);
  }
});

test('a static code lets the payer enter the amount', async () => {
  const bank = await givenBank();
  const { key } = bank.sandbox.account;
  const page = await open(bank, encodeStaticBrCode({ key, merchantName: 'Loja', merchantCity: 'RECIFE' }));
  expect(page).toContain('Quanto você quer pagar?');
});

test('expired, paid, removed, foreign and invalid codes each show their own message', async () => {
  const bank = await givenBank();
  const [paid, removed, expired] = [
    await givenCharge(bank),
    await givenCharge(bank),
    await givenCharge(bank),
  ];
  await bank.call('POST', '/sandbox/payments', { brCode: paid.brCode });
  await bank.api('PATCH', `/v2/cob/${removed.txid}`, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' });
  await bank.call('POST', '/sandbox/clock', { advanceSeconds: 3600 });
  const foreign = await givenCharge(await givenBank());
  for (const [code, text] of [
    [paid.brCode, 'Cobrança já paga'],
    [removed.brCode, 'Cobrança cancelada'],
    [expired.brCode, 'Cobrança expirada'],
    [foreign.brCode, 'Código de outro banco'],
    ['isto não é um código', 'Código inválido'],
    [paid.brCode.slice(0, -1), 'Código inválido'],
  ] as const) {
    const page = await open(bank, code);
    expect(page).toContain(text);
    expect(page).not.toContain('data-pay');
  }
});

test('a receipt shows the payment, and the receipt of an unknown payment is not found', async () => {
  const bank = await givenBank();
  const { brCode } = await givenCharge(bank, '42.00');
  const { body } = await bank.call('POST', '/sandbox/payments', { brCode });
  const receipt = await bank.call('GET', `/comprovante/${body.endToEndId}`);
  expect(receipt.body).toContain(body.endToEndId);
  expect(receipt.body).toContain('42,00');
  expect((await bank.call('GET', '/comprovante/nada')).status).toBe(404);
  expect((await bank.call('GET', '/contestar/nada')).status).toBe(404);
});

test('an unknown address returns a page to a browser and JSON to a program', async () => {
  const bank = await givenBank();
  const accept = 'text/html,application/xhtml+xml';
  for (const [path, text] of [
    ['/comprovante/nada', 'Este pagamento não existe.'],
    ['/nada', 'Este endereço não existe.'],
  ] as const) {
    const page = await bank.call('GET', path, undefined, { accept });
    expect(page.status).toBe(404);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.body).toContain('Não encontrado');
    expect(page.body).toContain(text);
    expect((await bank.call('GET', path)).body.error).toEqual({ code: 'NOT_FOUND', message: text });
  }
});

test.each(['comportamento', 'contas'])(
  'the page /%s of an account that does not exist says so',
  async (path) => {
    const bank = await givenBank();
    const { status, body } = await bank.call('GET', `/${path}?account=2`, undefined, { accept: 'text/html' });
    expect(status).toBe(404);
    expect(body).toContain('Esta conta não existe.');
  },
);

test('the page of accounts shows what connects each but the first, whose credentials are in no page', async () => {
  const bank = await givenBank();
  const other = await openAccount(bank);
  await payNew(other, '12.00');
  const { clientId, clientSecret, account, publicUrl } = other.sandbox;
  const { body } = await bank.call('GET', '/contas');
  for (const text of [account.name, account.key, clientId, clientSecret, 'R$\u00a012,00'])
    expect(body).toContain(text);
  for (const address of ['/v2', '/oauth/token']) expect(body).toContain(`>${publicUrl}${address}<`);
  for (const id of ['1', '2']) expect(body).toContain(`href="/comportamento?account=${id}"`);
  expect(body).toContain(bank.sandbox.account.key);
  expect(body).not.toContain(bank.sandbox.clientSecret);
});

test('the page of many accounts lists the newest and the one that was asked for, and counts the others', async () => {
  const bank = await givenBank();
  const opened = [];
  for (let count = 0; count < 52; count += 1) opened.push(await openAccount(bank));
  const listed = async (query: string) => {
    const { body } = await bank.call('GET', `/contas${query}`);
    const ids = [...body.matchAll(/id="conta-(\d+)"/g)].map((match) => match[1]);
    return { ids, rest: /As outras \d+ contas/.exec(body)?.[0] };
  };
  const newest = opened.slice(-50).map(({ id }) => id);
  expect(await listed('')).toEqual({ ids: ['1', ...newest.reverse()], rest: 'As outras 2 contas' });
  expect((await listed('?account=2')).ids).toEqual(['1', '2', ...newest]);
});

test('texts of merchants and codes are escaped, and pages contain no inline script or style', async () => {
  const bank = await givenBank();
  const { brCode } = await givenCharge(bank, '1.00', {
    solicitacaoPagador: '<img src=x onerror=alert(1)>"\'',
    infoAdicionais: [{ nome: '<b>', valor: '</dd><script>' }],
  });
  await openAccount(bank, { name: '<b>"\'</h2><script>' });
  const pages = [await bank.call('GET', '/'), await bank.call('GET', '/comportamento')];
  pages.push(await bank.call('GET', `/?codigo=${encodeURIComponent(brCode)}`));
  pages.push(await bank.call('GET', `/?codigo=${encodeURIComponent('"><script>alert(1)</script>')}`));
  pages.push(await bank.call('GET', '/contas'));
  for (const { body, headers } of pages) {
    expect(body).not.toMatch(/<img|<b>|<script>|<style| style=| on\w+=(?!alert)/);
    expect(headers.get('content-security-policy')).toContain("default-src 'self'");
  }
  expect(pages[2]?.body).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;');
});

test('the text of a defence is escaped', async () => {
  const bank = await givenBank();
  const { brCode } = await givenCharge(bank, '1.00', { solicitacaoPagador: '<img src=x>' });
  const { endToEndId } = (await bank.call('POST', '/sandbox/payments', { brCode })).body;
  const { id } = (await bank.call('POST', '/sandbox/disputes', { endToEndId, reason: '<b>' })).body;
  const arquivos = [{ nome: '"><script>', tipo: 'text/html', conteudo: '' }];
  const defence = { analise: 'rejeitado', justificativa: '<b onclick=x>', arquivos };
  expect((await bank.api('POST', `/v2/gn/infracoes/${id}/defesa`, defence)).status).toBe(201);
  for (const path of [`/comprovante/${endToEndId}`, `/contestar/${endToEndId}`, '/pagamentos']) {
    const { status, body } = await bank.call('GET', path);
    expect(status).toBe(200);
    expect(body).not.toMatch(/<img|<b |<b>|<script>|<style| style=/);
  }
});

test('every file that a page references is served', async () => {
  const bank = await givenBank();
  const { body } = await bank.call('GET', '/');
  const names: string[] = [...body.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map((match) => match[1]);
  expect(names.length).toBeGreaterThan(3);
  for (const name of [...names, '/assets/qr/decode.js', '/assets/qr/index.js']) {
    expect((await bank.call('GET', name)).status).toBe(200);
  }
});

test('payments in the app debit its customer’s account, which is topped up when it runs short', async () => {
  const bank = await givenBank();
  const home = async () => (await bank.call('GET', '/')).body.replaceAll('\u00a0', ' ');
  expect(await home()).toContain('R$ 10.000,00');
  const { brCode } = await givenCharge(bank, '1250.00');
  await bank.call('POST', '/sandbox/payments', { brCode });
  expect(await home()).toContain('R$ 8.750,00');
  const expensive = await givenCharge(bank, '9000.00');
  await bank.call('POST', '/sandbox/payments', { brCode: expensive.brCode });
  expect(await home()).toContain('R$ 18.750,00');
});
