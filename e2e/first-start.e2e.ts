import { expect, test } from 'vitest';
import { FIRST_START } from './stack.ts';

test('the output of the first start is readable, and ends with addresses and accounts', () => {
  const lines = (process.env[FIRST_START] ?? '').trimEnd().split('\n');
  expect(lines.slice(-4)).toEqual([
    expect.stringMatching(/^Jangada: http:\/\/localhost:\d+$/),
    expect.stringMatching(/^Banco Sandbox: http:\/\/localhost:\d+$/),
    'Conta de demonstração: lojista / lojista-demo',
    'Conta de demonstração: admin / admin-demo',
  ]);
  // Neither JSON, nor a stack trace, nor a warning.
  const plain = /^(Building .* \.\.\.|Starting .* \.\.\.)$/;
  expect(lines.slice(0, -4).filter((line) => !plain.test(line))).toEqual([]);
});
