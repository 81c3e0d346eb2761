import { exampleAnswers } from '@jangada/contract/docs';
import { z } from 'zod';
import type { Example } from './examples.ts';

type Called = Example & { readonly name: string };

/** Fields whose values are masked, so that no reader takes them for working credentials. */
const secret = /^(?:token|secret|key|apiKey|ticket|uri|challenge)$/;
const longestList = 2;
const longestBlob = 200;
const { text: code } = z.object({ text: z.string() }).parse(exampleAnswers['createPayment']);

/**
 * The first call of each operation as shown in the document: short lists, no secrets, and example addresses. `url`: the
 * address of the gateway that answered.
 */
export function shownExamples(called: readonly Called[], url: string): Record<string, Example> {
  const examples: Record<string, Example> = {};
  for (const { name, ...example } of called) examples[name] ??= JSON.parse(shownText(example, url));
  return examples;
}

function shownText(example: Example, url: string): string {
  return JSON.stringify(example, shownValue)
    .replaceAll(url, 'https://pix.example.com')
    .replaceAll(/http:\/\/(?:localhost|127\.0\.0\.1):\d+/g, 'https://pix.example.com')
    .replaceAll('"localhost"', '"pix.example.com"')
    .replaceAll('127.0.0.1', '203.0.113.7')
    .replaceAll(/\?token=[\w-]+/g, '?token=exemplo');
}

function shownValue(name: string, value: unknown): unknown {
  if (Array.isArray(value)) {
    const few = value.slice(0, longestList);
    return name === 'recovery_codes' ? few.map(() => 'abcde-fghij') : few;
  }
  if (typeof value !== 'string') return value;
  if (value.startsWith('000201')) return code;
  if (secret.test(name)) return value.slice(0, 6).padEnd(Math.min(value.length, 43), 'x');
  return value.length > longestBlob && !value.includes(' ') ? `${value.slice(0, 40)}…` : value;
}
