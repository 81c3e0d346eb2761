import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Endpoint, endpoints, errors, refusalCodes } from '@jangada/contract';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitUntilEventsAreVisible } from '../../test/feed.ts';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenMerchant, givenMerchant } from '../../test/given.ts';
import { inTransaction } from '../db/transaction.ts';
import { emitWithdrawalEvent } from '../webhooks/index.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'jangada-client-'));
let gateway: TestGateway;
let merchant: GivenMerchant;

beforeAll(async () => {
  gateway = await startTestGateway();
  merchant = await givenMerchant(gateway);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const document = await (await fetch(`${gateway.url}/api/openapi.json`)).text();
  writeFileSync(join(folder, 'api.ts'), astToString(await openapiTypescript(document)));
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await gateway.stop();
});

/** Returns the type checker's messages for a program with the generated client; an empty text if there are none. */
async function typeCheck(name: string, program: string, options: Readonly<Record<string, unknown>> = {}) {
  writeFileSync(join(folder, `${name}.ts`), program);
  const config = join(folder, `${name}.json`);
  const base = join(root, 'tsconfig.base.json');
  const compilerOptions = { types: ['node'], ...options };
  writeFileSync(config, JSON.stringify({ extends: base, compilerOptions, files: ['api.ts', `${name}.ts`] }));
  return run(join(root, 'node_modules/.bin/tsc'), ['-p', config]).then(
    () => '',
    ({ stdout }: { stdout: string }) => {
      const lines = program.split('\n');
      return stdout.replaceAll(
        /^.*\((\d+),\d+\): (.*)$/gm,
        (_, line, message) => `${lines[line - 1]}\n  ${message}`,
      );
    },
  );
}

/** A program in which the types of the generated client must reject the last six statements. */
const programWithErrors = `
import type { Client } from 'openapi-fetch';
import type { paths } from './api.ts';

export async function sell(client: Client<paths>) {
  const read = await client.GET('/pix/status/{id}', { params: { path: { id: '' } } });
  const refused = await client.POST('/pix/new', { body: { amount: 0.01 } });
  read.data?.paid_at.length;
  refused.error?.error.code === 'PIN_WRONG';
  await client.POST('/pix/new', { body: {} });
  await client.POST('/pix/new', { body: { amount: '25.90' } });
  await client.GET('/pix', { params: { query: { status: 'late' } } });
  await client.POST('/webhooks/endpoints', { body: { url: '', events: ['payment.lost'] } });
}
`;

/** A program that uses the generated client correctly, and prints what it received. */
const shopProgram = `
import createClient from 'openapi-fetch';
import type { components, paths } from './api.ts';

const [baseUrl = '', apiKey = '', receiver = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { 'x-api-key': apiKey } });
const params = { header: { 'Idempotency-Key': 'pedido-1' } };
const body = { amount: 25.9, external_id: 'pedido-1', metadata: { loja: 'centro' } };

const made = await client.POST('/pix/new', { params, body });
if (made.error !== undefined) throw new Error(made.error.error.code);
const path = { id: made.data.id };
const again = await client.POST('/pix/new', { params, body });
const read = await client.GET('/pix/status/{id}', { params: { path } });
const query = { external_id: 'pedido-1', status: 'pending', limit: 5 } as const;
const listed = await client.GET('/pix', { params: { query } });
const cancelled = await client.POST('/pix/{id}/cancel', { params: { path } });
const address = await client.POST('/webhooks/endpoints', { body: { url: receiver, events: ['payment.paid'] } });
const feed = await client.GET('/events', { params: { query: { limit: 10 } } });
const refused = await client.POST('/pix/new', { body: { amount: 0.01 } });
const unknown = await client.GET('/pix/status/{id}', { params: { path: { id: crypto.randomUUID() } } });

const status: components['schemas']['ChargeStatus'] | undefined = cancelled.data?.status;
const paidAt: string | null | undefined = read.data?.paid_at;
const isTooSmall = refused.error?.error.code === 'AMOUNT_TOO_SMALL';
// The types of bodies are discriminated by their type.
const withdrawn = (feed.data?.data ?? []).map(({ data }) =>
  data.type === 'withdrawal.pending' ? data.withdrawalId : null,
);

console.log(
  JSON.stringify({
    made: made.data,
    again: again.data?.id,
    replayed: again.response.headers.get('idempotency-replayed'),
    read: read.data?.external_id,
    paidAt,
    listed: listed.data?.data.map(({ id }) => id),
    status,
    secret: address.data?.secret,
    events: address.data?.events,
    withdrawn,
    isTooSmall,
    refused: [refused.response.status, refused.error?.message],
    unknown: [unknown.response.status, unknown.error?.error.code],
  }),
);
`;

test('a client generated by a third-party tool has correct types, and works', async () => {
  const withdrawalId = crypto.randomUUID();
  const withdrawal = { merchantId: merchant.id, withdrawalId, callbackUrl: null, status: 'PENDING' } as const;
  await inTransaction(gateway.deps, (tx) =>
    emitWithdrawalEvent(tx, { ...withdrawal, amountCents: 5000, feeCents: 150, createdAt: tx.now }),
  );
  expect(await typeCheck('shop', shopProgram)).toBe('');
  const problems = await typeCheck('wrong', programWithErrors);
  for (const line of programWithErrors.split('\n').slice(7, 13)) expect(problems).toContain(line);
  await waitUntilEventsAreVisible(gateway);
  const programArguments = [`${gateway.url}/api`, merchant.apiKey, 'https://loja.example/webhooks'];
  const { stdout } = await run(process.execPath, [join(folder, 'shop.ts'), ...programArguments]);
  const printed = JSON.parse(stdout);
  expect(printed).toEqual({
    made: expect.objectContaining({ amount: 25.9, status: 'pending', metadata: { loja: 'centro' } }),
    again: printed.made.id,
    replayed: 'true',
    read: 'pedido-1',
    paidAt: null,
    listed: [printed.made.id],
    status: 'expired',
    secret: expect.stringMatching(/^whsec_/),
    events: ['payment.paid'],
    withdrawn: expect.arrayContaining([withdrawalId]),
    isTooSmall: true,
    refused: [400, errors.AMOUNT_TOO_SMALL.message],
    unknown: [404, 'PAYMENT_NOT_FOUND'],
  });
});

/** Writes type checks that compare the contract's types of a call with the generated ones, in both directions. */
function comparisonOf({ name, status = 200, file, body, query, ...endpoint }: Endpoint): string {
  const operation = `operations['${name}']`;
  const answer = `${operation}['responses'][${status}]['content']['application/json']`;
  const refused = (statusCode: string) =>
    `${operation}['responses'][${statusCode}]['content']['application/json']['error']['code']`;
  const codes = Object.groupBy(
    refusalCodes({ name, body, query, ...endpoint } as Endpoint),
    (code) => errors[code].status,
  );
  return [
    ...(file === undefined ? [`same<ResponseOf<typeof contract.${name}>, ${answer}>(true);`] : []),
    ...(body === undefined ? [] : [`same<BodyInput<typeof contract.${name}>, Asked<${operation}>>(true);`]),
    ...(query === undefined
      ? []
      : [
          `fits<NonNullable<${operation}['parameters']['query']>, QueryInput<typeof contract.${name}>>(true);`,
        ]),
    ...Object.entries(codes).map(
      ([statusCode, list = []]) =>
        `same<${list.map((code) => `'${code}'`).join(' | ')}, ${refused(statusCode)}>(true);`,
    ),
  ].join('\n');
}

test('the generated types of every call equal those of the contract', async () => {
  const program = `
import type * as contract from '@jangada/contract';
import type { BodyInput, QueryInput, ResponseOf } from '@jangada/contract';
import type { operations } from './api.ts';

type Fits<One, Other> = [One] extends [Other] ? true : false;
type Same<One, Other> = Fits<One, Other> extends true ? Fits<Other, One> : false;
type Json<Body> = { content: { 'application/json': Body } };
type Asked<Made> = Made extends { requestBody: Json<infer Body> } ? Body
  : Made extends { requestBody?: Json<infer Body> } ? Body | undefined : undefined;
declare function same<One, Other>(is: Same<One, Other>): void;
declare function fits<One, Other>(is: Fits<One, Other>): void;
${(endpoints as readonly Endpoint[]).map(comparisonOf).join('\n')}
`;
  // In the contract an optional field may be undefined, which is the same in JSON.
  expect(await typeCheck('same', program, { exactOptionalPropertyTypes: false })).toBe('');
});

test('every call has a unique name that is a valid identifier', () => {
  const names = [...readFileSync(join(folder, 'api.ts'), 'utf8').matchAll(/operations\["([^"]+)"\]/g)].map(
    ([, name]) => name,
  );
  const webhooks = ['payment', 'refundFailed', 'withdrawal', 'dispute', 'test'].map(
    (name) => `${name}Webhook`,
  );
  expect(names.toSorted()).toEqual([...endpoints.map(({ name }) => name), ...webhooks].toSorted());
  for (const name of names) expect(name).toMatch(/^[a-z][A-Za-z]+$/);
});
