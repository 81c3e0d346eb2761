import { expect, test } from 'vitest';
import { readFirstStart } from './stack.ts';

test('the output of the first start is readable, and ends with addresses and accounts', async () => {
  const lines = (await readFirstStart()).output.trimEnd().split('\n');
  expect(lines.slice(-5)).toEqual([
    expect.stringMatching(/^Jangada: http:\/\/localhost:\d+$/),
    expect.stringMatching(/^Banco Sandbox: http:\/\/localhost:\d+$/),
    'Conta de demonstração: lojista / lojista-demo',
    'Conta de demonstração: lojadireta / lojadireta-demo',
    'Conta de demonstração: admin / admin-demo',
  ]);
  // All lines before these report progress. JSON, a stack trace or a warning would be a defect.
  const progress = /^(Building .* \.\.\.|Starting .* \.\.\.)$/;
  expect(lines.slice(0, -5).filter((line) => !progress.test(line))).toEqual([]);
});
