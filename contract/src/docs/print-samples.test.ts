import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { printSamples } from './print-samples.ts';

const body = { note: "Caixa d'água: R$ 10", lines: 'um\n$dois', empty: {}, list: [], on: true, off: null };
const samples = printSamples(
  { method: 'POST', path: '/pix/new', body },
  { address: 'http://localhost:3000', apiKey: 'jgd_x' },
);

test('the curl sample sends the body unchanged, with its quotes, line breaks and dollar signs', () => {
  // A shell function in place of curl prints its ninth argument, which is the body after `-d`.
  const { stdout } = spawnSync('sh', ['-c', `curl() { printf %s "$9"; }\n${samples.curl}`], {
    encoding: 'utf8',
  });
  expect(JSON.parse(stdout)).toEqual(body);
});

test('the PHP sample escapes apostrophes and dollar signs, and writes an empty object as an object', () => {
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

test('the PHP sample reports an error when no response arrives', () => {
  expect(samples.php).toContain('throw new RuntimeException(curl_error($call));');
});
