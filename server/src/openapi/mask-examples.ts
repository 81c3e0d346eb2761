import { exampleAnswers } from '@jangada/contract/docs';
import { z } from 'zod';
import type { Example } from './examples.ts';

type NamedExample = Example & { readonly name: string };

/** Fields whose values are masked, so that no reader takes them for working credentials. */
const secretFieldName = /^(?:token|secret|key|apiKey|ticket|uri|challenge)$/;
const maxListLength = 2;
/** A longer text without spaces, such as a picture, is cut. */
const maxBlobLength = 200;
/** Longer secrets are shown with this length, that of 32 bytes in base64url. */
const maxSecretLength = 43;
const { text: exampleBrCode } = z.object({ text: z.string() }).parse(exampleAnswers['createPayment']);

/**
 * Returns the first call of each operation as the OpenAPI document shows it: with short lists, without secrets, and
 * with example addresses. `url` is the address of the gateway that was called.
 */
export function maskExamples(calls: readonly NamedExample[], url: string): Record<string, Example> {
  const examples: Record<string, Example> = {};
  for (const { name, ...example } of calls) examples[name] ??= JSON.parse(maskToJson(example, url));
  return examples;
}

function maskToJson(example: Example, url: string): string {
  return JSON.stringify(example, maskValue)
    .replaceAll(url, 'https://pix.example.com')
    .replaceAll(/http:\/\/(?:localhost|127\.0\.0\.1):\d+/g, 'https://pix.example.com')
    .replaceAll('"localhost"', '"pix.example.com"')
    .replaceAll('127.0.0.1', '203.0.113.7')
    .replaceAll(/\?token=[\w-]+/g, '?token=exemplo');
}

/** The replacer of `JSON.stringify`: shortens lists and masks secrets, by the name of their field. */
function maskValue(name: string, value: unknown): unknown {
  if (Array.isArray(value)) {
    const firstItems = value.slice(0, maxListLength);
    return name === 'recovery_codes' ? firstItems.map(() => 'abcde-fghij') : firstItems;
  }
  if (typeof value !== 'string') return value;
  // Every BR Code, the text that a payer pastes or scans, begins like this.
  if (value.startsWith('000201')) return exampleBrCode;
  if (secretFieldName.test(name))
    return value.slice(0, 6).padEnd(Math.min(value.length, maxSecretLength), 'x');
  return value.length > maxBlobLength && !value.includes(' ') ? `${value.slice(0, 40)}…` : value;
}
