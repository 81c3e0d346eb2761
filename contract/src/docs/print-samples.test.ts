import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { printSamples } from './print-samples.ts';

const body = { note: "Caixa d'água: R$ 10", lines: 'um\n$dois', empty: {}, list: [], on: true, off: null };
const samples = printSamples(
  { method: 'POST', path: '/pix/new', body },
  { address: 'http://localhost:3000', apiKey: 'jgd_x' },
);

test('a body says the same in a shell, whatever its texts hold', () => {
  const { stdout } = spawnSync('sh', ['-c', `curl() { printf %s "$9"; }\n${samples.curl}`], {
    encoding: 'utf8',
  });
  expect(JSON.parse(stdout)).toEqual(body);
});

test('in PHP an apostrophe is escaped, a dollar sign begins no variable, and nothing is an object still', () => {
  for (const line of [
    `'note' => 'Caixa d\\'água: R$ 10',`,
    `'lines' => "um\\n\\$dois",`,
    `'empty' => new stdClass(),`,
    `'list' => [],`,
    `'on' => true,`,
    `'off' => null,`,
  ])
    expect(samples.php).toContain(line);
});

test('PHP says what went wrong when no answer came', () => {
  expect(samples.php).toContain('throw new RuntimeException(curl_error($call));');
});
