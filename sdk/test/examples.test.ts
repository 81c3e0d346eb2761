import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { childEnv } from '../../server/test/child-env.ts';
import { findFreePort } from '../../server/test/free-port.ts';
import { startTestGateway, type TestGateway } from '../../server/test/gateway.ts';
import { type GivenMerchant, givenMerchant } from '../../server/test/given.ts';
import { buildStaleWorkspaces } from '../../tools/build.ts';
import { Jangada, signWebhook } from '../src/index.ts';
import { buildSdk } from './build-sdk.ts';

/** The examples of the repository, run with the built client against a real gateway. */
const examples = fileURLToPath(new URL('../../examples', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'jangada-examples-'));
const sdk = join(home, 'node_modules', '@jangada', 'sdk');
const startedProcesses: ChildProcess[] = [];

let gateway: TestGateway;
let merchant: GivenMerchant;
let jangada: Jangada;

beforeAll(async () => {
  buildSdk(sdk);
  cpSync(examples, home, { recursive: true });
  buildStaleWorkspaces();
  gateway = await startTestGateway({ pages: fileURLToPath(new URL('../../web/dist', import.meta.url)) });
  merchant = await givenMerchant(gateway);
  jangada = new Jangada({ baseUrl: gateway.url, apiKey: merchant.apiKey });
});

afterAll(async () => {
  for (const child of startedProcesses) child.kill();
  await gateway.stop();
  rmSync(home, { recursive: true });
});

/** Opens a page of the gateway. Only the path of the link is used, because its host is not where the test gateway listens. */
async function open(address: string, request?: RequestInit) {
  const { pathname } = new URL(address, gateway.url);
  const response = await fetch(`${gateway.url}${pathname}`, { redirect: 'manual', ...request });
  return {
    status: response.status,
    location: response.headers.get('location') ?? '',
    text: await response.text(),
  };
}

/** Pays the code shown on a payment page at the bank. */
async function payOn(page: string): Promise<void> {
  const [, brCode = ''] = />(000201[^<]+)</.exec(page) ?? [];
  await gateway.bank.pay({ brCode: brCode.replaceAll('&amp;', '&') });
}

describe('the shop in Node', () => {
  let shop: ShopInTest;
  beforeAll(async () => {
    shop = await openShop();
  });

  test('sells on a payment page and ships each paid order once, when its webhook arrives', async () => {
    const order = orderIn(await (await fetch(shop.url)).text());
    const responses = await Promise.all([shop.buy(order), shop.buy(order)]);
    expect(responses.map(({ status }) => status)).toEqual([303, 303]);
    const [{ location }] = responses;
    expect(new Set(responses.map((response) => response.location)).size, 'two presses are one charge').toBe(
      1,
    );
    const page = await open(location);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('Café da serra, 250 g')]);
    expect(await shop.statusOf(order)).toContain('Aguardando o pagamento');

    await payOn(page.text);
    await expect.poll(() => shop.statusOf(order)).toContain('Pago. Seu pedido será enviado.');
    const { data } = await jangada.payments.list({ external_id: order });
    expect(data).toMatchObject([
      { status: 'paid', amount: 32.5, success_url: `${shop.url}/orders/${order}` },
    ]);
    expect((await open(location)).text, 'the way back to the shop').toContain(`/orders/${order}`);

    const feed = await jangada.events.list({ type: 'payment.paid' });
    const event = feed.data.find(
      (candidate) => 'external_id' in candidate.data && candidate.data.external_id === order,
    );
    expect(await shop.sendWebhook(event?.data, shop.secret, event?.id)).toBe(204);
    expect(shop.shipped()).toEqual([`Enviar: Café da serra, 250 g (pedido ${order})`]);
  });

  test('ships nothing for a forged webhook, a wrong amount or an unknown order', async () => {
    const before = shop.shipped().length;
    const order = orderIn(await (await fetch(shop.url)).text());
    await shop.buy(order);
    const paid = { type: 'payment.paid', paymentId: 'p', external_id: order, amount: 32.5 };
    expect(await shop.sendWebhook(paid, 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD')).toBe(400);
    expect(await shop.sendWebhook({ ...paid, amount: 1.5 }, shop.secret)).toBe(204);
    expect(await shop.sendWebhook({ ...paid, external_id: '../shop' }, shop.secret)).toBe(204);
    expect(await shop.sendWebhook({ ...paid, external_id: undefined }, shop.secret)).toBe(204);
    expect(await shop.sendWebhook({ ...paid, type: 'payment.expired' }, shop.secret)).toBe(204);
    expect(await shop.statusOf(order)).toContain('Aguardando o pagamento');
    expect((await shop.buy('../../shop')).status).toBe(400);
    expect(shop.shipped().length).toBe(before);
  });

  test('a wrong API key is never mentioned to buyers', async () => {
    const port = await findFreePort();
    const env = { ...childEnv, JANGADA_URL: gateway.url, JANGADA_API_KEY: `jgd_${'0'.repeat(48)}` };
    const running = start(['node-shop/shop.mjs'], { ...env, WEBHOOK_SECRET: 'whsec_eA==', PORT: `${port}` });
    await running.waitForOutput('Loja em');
    const body = new URLSearchParams({ order: randomUUID() });
    const response = await fetch(`http://localhost:${port}/buy`, { method: 'POST', body });
    expect(response.status).toBe(503);
    const page = await response.text();
    expect(page).toContain('Não foi possível gerar a cobrança agora. Tente de novo em instantes.');
    expect(page).not.toMatch(/chave|api/i);
  });

  type ShopInTest = Awaited<ReturnType<typeof openShop>>;

  /** Starts the shop as its README says, with webhooks forwarded by `jangada listen`. */
  async function openShop() {
    const port = await findFreePort();
    const url = `http://localhost:${port}`;
    const env = {
      ...childEnv,
      XDG_CONFIG_HOME: home,
      JANGADA_URL: gateway.url,
      JANGADA_API_KEY: merchant.apiKey,
    };
    const cli = join(sdk, 'dist', 'cli', 'main.js');
    const secretCommand = start([cli, 'listen', '--print-secret'], env);
    await secretCommand.ended;
    const secret = secretCommand.out().trim();
    const running = start(['node-shop/shop.mjs'], { ...env, WEBHOOK_SECRET: secret, PORT: `${port}` });
    const listening = start([cli, 'listen', '--forward-to', `${port}/webhooks`], env);
    await Promise.all([running.waitForOutput(`Loja em ${url}`), listening.waitForOutput('Ctrl-C encerra')]);
    return {
      url,
      secret,
      shipped: () =>
        running
          .out()
          .split('\n')
          .filter((line) => line.startsWith('Enviar')),
      statusOf: async (order: string) => (await fetch(`${url}/orders/${order}`)).text(),
      async buy(order: string) {
        const body = new URLSearchParams({ order });
        const { status, headers } = await fetch(`${url}/buy`, { method: 'POST', body, redirect: 'manual' });
        return { status, location: headers.get('location') ?? '' };
      },
      async sendWebhook(body: unknown, signingSecret: string, id = 'evt_1') {
        const payload = JSON.stringify(body);
        const headers = await signWebhook({ payload, secret: signingSecret, id });
        return (await fetch(`${url}/webhooks`, { method: 'POST', headers, body: payload })).status;
      },
    };
  }

  const orderIn = (page: string) => /name="order" value="([^"]+)"/.exec(page)?.[1] ?? '';
});

describe('the static page', () => {
  /** Puts the owner's link into the page and follows its button. */
  async function followButton(page: string, placeholder: string, url: string) {
    const html = readFileSync(join(home, 'static-page', page), 'utf8');
    expect(html.split(placeholder).length, 'one place to put the link').toBe(2);
    const button = /<a class="pay" href="([^"]+)">/.exec(html.replace(placeholder, url))?.[1] ?? '';
    return open(button);
  }

  /** Submits the form of a link's page. */
  function submitForm(page: { readonly text: string }, url: string, typed: Record<string, string> = {}) {
    const token = /name="token" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    return open(url, { method: 'POST', body: new URLSearchParams({ token, ...typed }) });
  }

  test('its button leads to a page that charges each buyer the price', async () => {
    const { id, url } = await jangada.paymentLinks.create({ title: 'Camiseta da feira', amount: 50 });
    const page = await followButton('index.html', 'https://pix.example.com/link/LINK-COM-VALOR', url);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('Camiseta da feira')]);
    await payOn((await open((await submitForm(page, url)).location)).text);
    await expect.poll(() => jangada.paymentLinks.get(id)).toMatchObject({ payments: 1, received: 50 });
  });

  test('on a link without an amount, the payer chooses the amount', async () => {
    const { id, url } = await jangada.paymentLinks.create({ title: 'Ajude a feira' });
    const page = await followButton('doar.html', 'https://pix.example.com/link/LINK-SEM-VALOR', url);
    expect(page.text).toContain('name="amount"');
    await payOn((await open((await submitForm(page, url, { amount: '20,00' })).location)).text);
    await expect.poll(() => jangada.paymentLinks.get(id)).toMatchObject({ payments: 1, received: 20 });
  });
});

type StartedProgram = {
  readonly out: () => string;
  readonly ended: Promise<unknown>;
  waitForOutput(text: string): Promise<void>;
};

function start(args: readonly string[], env: Readonly<Record<string, string>>): StartedProgram {
  const child = spawn(process.execPath, args, { cwd: home, env, stdio: ['ignore', 'pipe', 'ignore'] });
  startedProcesses.push(child);
  let out = '';
  child.stdout.on('data', (text) => (out += text));
  return {
    out: () => out,
    ended: once(child, 'close'),
    async waitForOutput(text) {
      while (!out.includes(text)) await once(child.stdout, 'data');
    },
  };
}
