// The documentation of the panel with the reader's values, and the highlighting of its code samples.

import { placeholderValues } from '@jangada/contract/docs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { printForPanel } from '../../prerender-docs.tsx';
import { highlight } from './code-block.tsx';
import { fillDocs } from './fill-docs.ts';

const printed = printForPanel();

beforeEach(() => {
  vi.stubGlobal('location', new URL('https://pix.example.com/pix-api-docs'));
});
afterEach(() => vi.unstubAllGlobals());

test('samples contain the gateway of the page, its bank and the reader’s key, and no placeholder', () => {
  const filled = JSON.stringify(
    fillDocs(printed, { apiKey: 'jgd_…4f2a', bankUrl: 'https://banco.example.com:8443' }),
  );
  expect(filled).toContain("curl -X POST 'https://pix.example.com/api/pix/new'");
  expect(filled).toContain("-H 'x-api-key: jgd_…4f2a'");
  expect(filled).not.toContain(placeholderValues.address);
  expect(filled).not.toContain(placeholderValues.apiKey);
  expect(filled).toContain("'https://banco.example.com:8443/sandbox/payments'");
  expect(filled).not.toContain(placeholderValues.bankAddress);
});

test('without a key its placeholder stays', () => {
  expect(JSON.stringify(fillDocs(printed, { apiKey: undefined, bankUrl: undefined }))).toContain(
    `x-api-key: ${placeholderValues.apiKey}`,
  );
});

test.each([
  `curl 'https://x/api' \\\n  -d '{\n    "a": 1\n  }'`,
  'const a = `x`; // c',
  'print("a") # b',
  '{"amount": 25.9, "ok": true}',
  "an 'unclosed string",
])('splitting code into tokens changes nothing in it: %s', (code) => {
  expect(
    highlight(code)
      .map(({ text }) => text)
      .join(''),
  ).toBe(code);
});

test('strings, comments, keywords and numbers are distinguished', () => {
  expect(highlight("const a = 'b'; // c 1").filter(({ kind }) => kind !== undefined)).toEqual([
    { text: 'const', kind: 'keyword' },
    { text: "'b'", kind: 'string' },
    { text: '// c 1', kind: 'comment' },
  ]);
  expect(highlight('"https://x/y"')).toEqual([{ text: '"https://x/y"', kind: 'string' }]);
});
