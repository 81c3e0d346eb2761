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
  ['SANDBOX_CLIENT_ID', ''],
])('a wrong %s stops the start with one line that names it: %s', async (name, value) => {
  const bank = await givenProcess({ SANDBOX_DATA_DIR: await givenDirectory(), [name]: value });
  expect(await bank.end('SIGKILL')).toBe(1);
  expect(bank.errors()).toMatch(new RegExp(`^Banco Sandbox: ${name} [^\n]+\n$`));
});
