import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { childEnv } from '../../server/test/child-env.ts';
import { startTestGateway, type TestGateway } from '../../server/test/gateway.ts';
import { type GivenMerchant, givenMerchant } from '../../server/test/given.ts';
import type { Customer, Subscription } from '../src/index.ts';
import { buildSdk } from './build-sdk.ts';

/** The commands of customers and subscriptions, built and started as a program, against a real gateway. */
const home = mkdtempSync(join(tmpdir(), 'jangada-cli-'));
let gateway: TestGateway;
let merchant: GivenMerchant;

beforeAll(async () => {
  buildSdk(join(home, 'sdk'));
  gateway = await startTestGateway();
  merchant = await givenMerchant(gateway);
});
afterAll(async () => {
  await gateway.stop();
  rmSync(home, { recursive: true });
});

async function command(...args: readonly string[]) {
  const access = { JANGADA_URL: gateway.url, JANGADA_API_KEY: merchant.apiKey };
  const child = spawn(process.execPath, [join(home, 'sdk', 'dist', 'cli', 'main.js'), ...args], {
    env: { ...childEnv, HOME: home, XDG_CONFIG_HOME: home, ...access },
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (text) => (out += text));
  child.stderr.on('data', (text) => (err += text));
  const [code] = await once(child, 'close');
  return { code: Number(code), out, err };
}

const firstDay = '2099-01-10'.replace('2099', String(new Date().getFullYear() + 1));
const ana = ['--name', 'Ana Souza', '--document', '529.982.247-25', '--email', 'ana@example.com'];

test('a customer is registered, found, shown with what they owe, and archived', async () => {
  const created = await command('customers', 'create', ...ana, '--external-id', 'aluno-1', '--json');
  const { id }: Customer = JSON.parse(created.out);
  const listed = await command('customers', '--search', 'ana');
  expect(listed).toMatchObject({ code: 0, out: `${id}  529.982.247-25      Ana Souza <ana@example.com>\n` });
  expect((await command('customers', 'show', id)).out).toMatch(/Página: http.*\nEm aberto: R\$ 0,00/);
  expect((await command('customers', 'archive', id)).out).toContain(`Arquivado: ${id}`);
  expect(await command('customers', 'list')).toMatchObject({ out: '', err: 'Nenhum cliente.\n' });
  expect((await command('customers', 'list', '--archived')).out).toContain(id);
});

test('a subscription is created for a customer, listed, shown with its code, and cancelled', async () => {
  const customer: Customer = JSON.parse((await command('customers', 'create', ...ana, '--json')).out);
  const terms = ['--description', 'Mensalidade', '--amount', '99,90', '--first-day', firstDay];
  const made = await command('subscriptions', 'create', '--customer', customer.id, ...terms, '--json');
  const subscription: Subscription = JSON.parse(made.out);
  expect(subscription).toMatchObject({ customer_id: customer.id, amount: 99.9, period: 'monthly' });
  const { id } = subscription;
  expect((await command('subscriptions', '--customer', customer.id)).out).toMatch(
    new RegExp(`^esperando +R\\$ 99,90  monthly +${id}  Ana Souza \\(Mensalidade\\)\n$`),
  );
  const shown = await command('subscriptions', 'show', id);
  expect(shown.out).toContain(`Para autorizar: ${subscription.page_url}\nCódigo: 000201`);
  expect((await command('subscriptions', 'cancel', id)).out).toMatch(/^Cancelada: encerrada/);
  expect((await command('subscriptions', '--status', 'ended')).out).toContain(id);
  const again = await command('subscriptions', 'cancel', id);
  expect(again.code).toBe(1);
});

test.each([
  [['customers', 'create', '--name', 'Ana'], '--document'],
  [['subscriptions', 'create', '--description', 'x'], '--first-day'],
  [['subscriptions', '--status', 'paga'], 'waiting, active, past_due, ended'],
  [['subscriptions', 'show'], 'jangada subscriptions show ID'],
])('what is missing or unknown ends with 2 and is named: %j', async (args, named) => {
  const { code, err } = await command(...args);
  expect(code).toBe(2);
  expect(err).toContain(named);
});
