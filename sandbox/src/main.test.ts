import { expect, test } from 'vitest';
import { givenDirectory } from '../test/bank.ts';
import { givenProcess } from '../test/process.ts';

test.each(['SIGTERM', 'SIGINT'] as const)('%s stops the bank gracefully', async (signal) => {
  const bank = await givenProcess({ SANDBOX_DATA_DIR: await givenDirectory() });
  expect((await fetch(`${bank.url}/sandbox/clock`)).status).toBe(200);
  expect(await bank.end(signal)).toBe(0);
  expect(bank.errors()).toBe('');
});

test.each([
  ['SANDBOX_PORT', '70000'],
  ['SANDBOX_PUBLIC_URL', 'localhost:3001'],
  ['SANDBOX_PUBLIC_URL', 'https://bank.example/path'],
  ['SANDBOX_TLS_CERT', '/nowhere.pem'],
  ['SANDBOX_MTLS_PORT', '70000'],
  ['SANDBOX_CLIENT_ID', ''],
])('a wrong %s stops the start with one line that names it: %s', async (name, value) => {
  const bank = await givenProcess({ SANDBOX_DATA_DIR: await givenDirectory(), [name]: value });
  expect(await bank.end('SIGKILL')).toBe(1);
  expect(bank.errors()).toMatch(new RegExp(`^Banco Sandbox: ${name} [^\n]+\n$`));
});

test('the listener for client certificates is opened by its port, and only without certificates from files', async () => {
  const settings = { SANDBOX_DATA_DIR: await givenDirectory(), SANDBOX_MTLS_PORT: '0' };
  const bank = await givenProcess(settings);
  const account = { name: 'Loja da Ana', document: '11222333000181', city: 'OLINDA', certificateDays: 1 };
  const opened = await fetch(`${bank.url}/sandbox/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  });
  expect(await opened.json()).toMatchObject({
    baseUrl: expect.stringMatching(/^https:\/\/localhost:\d+\/v2$/),
  });
  await bank.end('SIGTERM');

  const wrong = await givenProcess({ ...settings, SANDBOX_TLS_CERT: import.meta.filename });
  expect(await wrong.end('SIGKILL')).toBe(1);
  expect(wrong.errors()).toContain('SANDBOX_MTLS_PORT');
});
