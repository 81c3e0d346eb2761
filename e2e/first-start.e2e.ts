import { expect, test } from 'vitest';
import { FIRST_START } from './stack.ts';

test('what the first start prints is for people, with addresses and accounts at its end', () => {
  const lines = (process.env[FIRST_START] ?? '').trimEnd().split('\n');
  expect(lines.slice(-4)).toEqual([
    expect.stringMatching(/^Jangada: http:\/\/localhost:\d+$/),
    expect.stringMatching(/^Banco Sandbox: http:\/\/localhost:\d+$/),
    'Conta de demonstração: lojista / lojista-demo',
    'Conta de demonstração: admin / admin-demo',
  ]);
  // Neither JSON, nor a stack, nor a warning.
  const plain = /^(Building .* \.\.\.|Starting .* \.\.\.)$/;
  expect(lines.slice(0, -4).filter((line) => !plain.test(line))).toEqual([]);
});
