import { expect, test } from 'vitest';
import { highlight } from './code-block.tsx';

test.each([
  `curl 'https://x/api' \\\n  -d '{\n    "a": 1\n  }'`,
  'const a = `x`; // c',
  'print("a") # b',
  '{"amount": 25.9, "ok": true}',
  "an 'unclosed string",
])('code in pieces is the same code: %s', (code) => {
  expect(
    highlight(code)
      .map(({ text }) => text)
      .join(''),
  ).toBe(code);
});

test('strings, comments, words and numbers are told apart', () => {
  expect(highlight("const a = 'b'; // c 1").filter(({ is }) => is !== undefined)).toEqual([
    { text: 'const', is: 'word' },
    { text: "'b'", is: 'string' },
    { text: '// c 1', is: 'comment' },
  ]);
  expect(highlight('"https://x/y"')).toEqual([{ text: '"https://x/y"', is: 'string' }]);
});
