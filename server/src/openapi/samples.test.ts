import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import {
  apiListWithdrawals,
  createChargeBatch,
  createCounterCode,
  createCustomer,
  createPaymentLink,
  createWebhookEndpoint,
  type Endpoint,
  listEvents,
  testWebhookEndpoint,
  webhookSecret,
} from '@jangada/contract';
import {
  buildDocs,
  documentedEndpoints,
  type ExampleIds,
  exampleAnswers,
  exampleCall,
  exampleIds,
  placeholderValues,
  printSamples,
  receiverSamples,
} from '@jangada/contract/docs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { waitUntilEventsAreVisible } from '../../test/feed.ts';
import { findFreePort } from '../../test/free-port.ts';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  defaultPin,
  type GivenMerchant,
  givenBalance,
  givenCharge,
  givenMerchant,
  givenPin,
  givenWithdrawal,
  parseSuccess,
} from '../../test/given.ts';
import { givenHeldPix } from '../../test/given-held-pix.ts';
import { givenSubscription } from '../../test/given-subscription.ts';
import { randomCpf } from '../../test/random-cpf.ts';

// Runs the samples of the documentation as printed, against a gateway and a receiver of webhooks.

const run = promisify(execFile);
let gateway: TestGateway;
const folder = mkdtempSync(join(tmpdir(), 'jangada-samples-'));

beforeAll(async () => {
  gateway = await startTestGateway();
});

afterAll(async () => {
  await scriptWorker.terminate();
  rmSync(folder, { recursive: true });
  await gateway.stop();
});

/** For each language, runs a sample as printed and returns its output. */
const runners = {
  curl: async (sample: string): Promise<unknown> => JSON.parse((await run('sh', ['-c', sample])).stdout),
  async javascript(sample: string): Promise<unknown> {
    scriptWorker.postMessage(writeScript(sample));
    const [{ said, error }] = await once(scriptWorker, 'message');
    if (error !== undefined) throw new Error(error);
    return said;
  },
};

/** Imports one file after the other, in a thread, and posts the last value that each printed, or its error. */
const scriptWorker = new Worker(
  `const { parentPort } = require('node:worker_threads');
  parentPort.on('message', async (file) => {
    let said;
    console.log = (answer) => { said = answer; };
    try {
      await import(file);
      parentPort.postMessage({ said });
    } catch (error) {
      parentPort.postMessage({ error: String(error) });
    }
  });`,
  { eval: true },
);

function writeScript(sample: string): string {
  const file = join(folder, `${crypto.randomUUID()}.mjs`);
  writeFileSync(file, sample);
  return file;
}

/** A merchant with all rights that the documentation uses. */
async function givenReader(): Promise<GivenMerchant> {
  const merchant = await givenMerchant(gateway);
  const { token, password } = merchant;
  await givenBalance(gateway, merchant, 500);
  await givenPin(gateway, merchant);
  const proof = { password, withdrawal_pin: defaultPin };
  const destination = { pixKey: 'maria@example.com', pix_key_type: 'email', ...proof };
  await gateway.api('PUT', '/authed/api-withdrawals', { enabled: true, ...proof }, { token });
  await gateway.api('POST', '/authed/api-withdrawals/destinations', destination, { token });
  return merchant;
}

/** Creates the merchant's objects that one call needs, so that no call depends on another. Returns their ids. */
async function createExampleObjects(name: string, merchant: GivenMerchant): Promise<ExampleIds> {
  const { apiKey } = merchant;
  const ids = { ...exampleIds };
  const callText = JSON.stringify(exampleCall(findEndpoint(name)));
  if (callText.includes(exampleIds.payment))
    ids.payment =
      name === 'cancelPayment'
        ? (await givenCharge(gateway, merchant)).id
        : (await givenBalance(gateway, merchant, 25.9)).chargeId;
  if (callText.includes(exampleIds.endpoint) || callText.includes(exampleIds.delivery)) {
    const body = { url: 'https://loja.example/webhooks/jangada' };
    const created = await gateway.api('POST', '/webhooks/endpoints', body, { apiKey });
    ids.endpoint = parseSuccess(createWebhookEndpoint.response, created).id;
  }
  if (callText.includes(exampleIds.delivery)) {
    const testDelivery = await gateway.api('POST', `/webhooks/endpoints/${ids.endpoint}/test`, undefined, {
      apiKey,
    });
    ids.delivery = parseSuccess(testWebhookEndpoint.response, testDelivery).id;
  }
  if (callText.includes(exampleIds.link)) {
    const body = { title: 'Camiseta' };
    const created = await gateway.api('POST', '/payment-links', body, { apiKey });
    ids.link = parseSuccess(createPaymentLink.response, created).id;
  }
  if (callText.includes(exampleIds.counter)) {
    const created = await gateway.api('POST', '/counter-codes', { name: 'Caixa 1' }, { apiKey });
    ids.counter = parseSuccess(createCounterCode.response, created).id;
  }
  if (callText.includes(exampleIds.customer)) {
    // A document is in one active customer only, and another sample has created one.
    await gateway.deps.db
      .updateTable('customers')
      .set({ archived_at: gateway.deps.clock.now() })
      .where('merchant_id', '=', merchant.id)
      .execute();
    const body = { name: 'Ana Lima', document: randomCpf() };
    const created = await gateway.api('POST', '/customers', body, { apiKey });
    ids.customer = parseSuccess(createCustomer.response, created).id;
  }
  if (callText.includes(exampleIds.subscription))
    ids.subscription = (await givenSubscription(gateway, merchant)).id;
  if (callText.includes(exampleIds.batch)) {
    const items = [{ external_id: 'a', amount: 0.1 }];
    const created = await gateway.api('POST', '/pix/batches', { items }, { apiKey });
    ids.batch = parseSuccess(createChargeBatch.response, created).id;
    const isOver = () =>
      gateway.api('GET', `/pix/batches/${ids.batch}`, undefined, { apiKey }).then(({ body }) => body);
    await expect.poll(isOver).toMatchObject({ refused: 1 });
  }
  if (callText.includes(exampleIds.held)) ids.held = (await givenHeldPix(gateway, merchant)).id;
  if (callText.includes(exampleIds.withdrawal)) ids.withdrawal = await findOrCreateWithdrawal(merchant);
  if (name === 'getEvent') ids.event = await firstEvent(apiKey);
  return ids;
}

function findEndpoint(name: string): Endpoint {
  const documented = documentedEndpoints.find((endpoint) => endpoint.name === name);
  if (documented === undefined) throw new Error(`${name} is not documented.`);
  return documented;
}

/** Returns the id of the open withdrawal, since there is one at a time, or of a new one. */
async function findOrCreateWithdrawal(merchant: GivenMerchant): Promise<string> {
  const listed = await gateway.api('GET', '/withdraw', undefined, { apiKey: merchant.apiKey });
  const [openWithdrawal] = parseSuccess(apiListWithdrawals.response, listed).data;
  return openWithdrawal?.withdrawal_id ?? (await givenWithdrawal(gateway, merchant)).id;
}

async function firstEvent(apiKey: string): Promise<string> {
  await waitUntilEventsAreVisible(gateway);
  const answer = parseSuccess(
    listEvents.response,
    await gateway.api('GET', '/events', undefined, { apiKey }),
  );
  const [event] = answer.data;
  if (event === undefined) throw new Error('Nothing happened.');
  return event.id;
}

/** Returns the field names in a response, including those in lists, as a reader sees them. */
function namesIn(answer: unknown, path = ''): string[] {
  if (Array.isArray(answer)) return namesIn(answer[0], `${path}[]`);
  if (answer === null || typeof answer !== 'object' || /metadata|facts|headers|data\[\]\.data/.test(path))
    return [];
  return Object.entries(answer).flatMap(([name, value]) => [
    `${path}.${name}`,
    ...(Array.isArray(value) ? namesIn(value, `${path}.${name}`) : []),
  ]);
}

describe.each(['curl', 'javascript'] as const)('%s', (language) => {
  let merchant: GivenMerchant;
  beforeAll(async () => {
    merchant = await givenReader();
  });

  test.each(documentedEndpoints.map(({ name }) => name))('the sample of %s runs as printed', async (name) => {
    const endpoint = findEndpoint(name);
    const call = exampleCall(endpoint, await createExampleObjects(name, merchant));
    const sample = printSamples(call, { address: gateway.url, apiKey: merchant.apiKey })[language] ?? '';
    const answer = await runners[language](sample);
    expect(answer).not.toMatchObject({ success: false });
    expect(endpoint.response.safeParse(answer)).toMatchObject({ success: true });
    const [documentedNames, actualNames] = [namesIn(exampleAnswers[name]), namesIn(answer)];
    // Lists may be empty in one of them; lists with items must have the same fields.
    const comparable = (names: string[], otherNames: string[]) =>
      names.filter((name) => !name.includes('[]') || otherNames.some((other) => other.includes('[]')));
    expect(comparable(documentedNames, actualNames).toSorted()).toEqual(
      comparable(actualNames, documentedNames).toSorted(),
    );
    if (!endpoint.idempotent) return;
    expect(await runners[language](sample), 'a repeated call is the same call').toEqual(answer);
  });
});

const receivers = [
  ['javascript', process.execPath],
  ...(versionOf('python3')?.startsWith('Python 3') ? [['python', 'python3']] : []),
] as ['javascript' | 'python', string][];

test.each(receivers)(
  'the receiver in %s accepts a genuine delivery, and refuses a forged one',
  async (language, program) => {
    const merchant = await givenReader();
    const { secret } = parseSuccess(
      webhookSecret.response,
      await gateway.api('GET', '/authed/webhook-secret', undefined, { token: merchant.token }),
    );
    const port = await findFreePort();
    const receiver = spawn(program, [writeScript(receiverSamples[language] ?? '')], {
      env: { ...process.env, WEBHOOK_SECRET: secret ?? '', PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const lines = createInterface(receiver.stdout);
      const received = once(lines, 'line');
      await waitUntilAnswering(port);
      const forged = await fetch(`http://localhost:${port}/pix`, {
        method: 'POST',
        headers: {
          'webhook-id': 'evt_1',
          'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
          'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
        },
        body: '{"type":"payment.paid"}',
      });
      expect(forged.status).toBe(400);
      const unsigned = await fetch(`http://localhost:${port}/pix`, { method: 'POST', body: 'é' });
      expect(unsigned.status).toBe(400);
      await abortRequest(port);
      const charge = await givenCharge(gateway, merchant, { callback_url: `http://localhost:${port}/pix` });
      await gateway.bank.pay({ brCode: charge.content });
      const [line] = await received;
      expect(line).toContain(`payment.paid ${charge.id}`);
    } finally {
      receiver.kill();
    }
  },
);

/** Sends an incomplete request and ends the connection, which must not crash a receiver. */
async function abortRequest(port: number): Promise<void> {
  const socket = connect(port, 'localhost');
  await once(socket, 'connect');
  socket.end('POST /pix HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{');
  socket.resume();
  await once(socket, 'close');
}

test('the receivers in docs/webhooks.md are the tested ones', () => {
  const guide = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8');
  for (const sample of Object.values(receiverSamples)) expect(guide).toContain(sample);
});

test('samples in Python and PHP have valid syntax, where the language is installed', async () => {
  const samples = samplesOf('python');
  expect(samples.length).toBeGreaterThan(documentedEndpoints.length);
  if (versionOf('python3') !== undefined) {
    const checkProgram = 'import json,sys\nfor code in json.load(sys.stdin): compile(code, "sample", "exec")';
    const checkResult = spawnSync('python3', ['-c', checkProgram], {
      input: JSON.stringify(samples),
      encoding: 'utf8',
    });
    expect(checkResult).toMatchObject({ status: 0, stderr: '' });
  }
  if (versionOf('php') === undefined) return;
  for (const code of samplesOf('php'))
    expect(spawnSync('php', ['-l'], { input: code, encoding: 'utf8' })).toMatchObject({ status: 0 });
});

/** All samples of the page in one language. */
function samplesOf(language: 'python' | 'php'): string[] {
  const samples: string[] = [];
  JSON.stringify(buildDocs(placeholderValues), (name, value: unknown) => {
    const code = z.string().safeParse(value);
    if (name === language && code.success) samples.push(code.data);
    return value;
  });
  return samples;
}

function versionOf(program: string): string | undefined {
  const result = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return result.status === 0 ? result.stdout : undefined;
}

async function waitUntilAnswering(port: number): Promise<void> {
  await expect
    .poll(() =>
      fetch(`http://localhost:${port}`, { method: 'POST' }).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
}
