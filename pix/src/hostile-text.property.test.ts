import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PROPERTY_RUNS } from '../test/property-runs.ts';
import {
  brCodeAmountToCents,
  crc16,
  decodeBrCode,
  detectPixKeyType,
  encodeDynamicBrCode,
  encodeRecurrenceBrCode,
  encodeStaticBrCode,
  foldToAscii,
  formatDocument,
  formatEndToEndId,
  formatPixKey,
  isCanonicalPixKey,
  isChargeTxid,
  isCnpj,
  isCpf,
  isRecurrenceId,
  isReturnId,
  isStaticTxid,
  isTxid,
  maskDocument,
  normalizeDocument,
  PIX_KEY_TYPES,
  PixRefusal,
  parseEndToEndId,
  parsePixKey,
  pixAmountToCents,
} from './index.ts';

const merchant = { merchantName: 'a', merchantCity: 'a' };
/** Every function of the package that takes a text. */
const entryPoints: [string, (text: string) => unknown][] = [
  ['decodeBrCode', decodeBrCode],
  ['encodeStaticBrCode, the key', (key) => encodeStaticBrCode({ ...merchant, key })],
  [
    'encodeStaticBrCode, the texts',
    (text) =>
      encodeStaticBrCode({
        key: 'a@b.co',
        merchantName: text,
        merchantCity: text,
        info: text,
        postalCode: text,
      }),
  ],
  ['encodeStaticBrCode, the txid', (txid) => encodeStaticBrCode({ ...merchant, key: 'a@b.co', txid })],
  ['encodeDynamicBrCode', (url) => encodeDynamicBrCode({ ...merchant, url })],
  ['encodeRecurrenceBrCode', (recurrenceUrl) => encodeRecurrenceBrCode({ ...merchant, recurrenceUrl })],
  ['foldToAscii', (text) => foldToAscii(text, 25)],
  ['crc16', crc16],
  ...PIX_KEY_TYPES.map((type): [string, (text: string) => unknown] => [
    `parsePixKey ${type}`,
    (text) => parsePixKey(type, text),
  ]),
  ...PIX_KEY_TYPES.map((type): [string, (text: string) => unknown] => [
    `formatPixKey ${type}`,
    (text) => formatPixKey(type, text),
  ]),
  ['detectPixKeyType', detectPixKeyType],
  ['isCanonicalPixKey', isCanonicalPixKey],
  ['isCpf', isCpf],
  ['isCnpj', isCnpj],
  ['normalizeDocument', normalizeDocument],
  ['formatDocument', formatDocument],
  ['maskDocument', maskDocument],
  [
    'identifiers',
    (text) => [isChargeTxid, isTxid, isStaticTxid, isReturnId, isRecurrenceId].map((is) => is(text)),
  ],
  ['parseEndToEndId', parseEndToEndId],
  ['formatEndToEndId', (text) => formatEndToEndId({ ispb: text, at: new Date(text), suffix: text })],
  ['pixAmountToCents', pixAmountToCents],
  ['brCodeAmountToCents', brCodeAmountToCents],
];

/** Calls a function with a text. A refusal is allowed, any other error fails the test. */
function callSafely(call: (text: string) => unknown, text: string): void {
  try {
    call(text);
  } catch (error) {
    if (!(error instanceof PixRefusal)) throw error;
    // A refusal's message may be logged, so it must not repeat the input, which may be personal data.
    if (text.length > 8) expect(error.message).not.toContain(text);
  }
}

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300, size: 'max' }),
  fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength: 300, size: 'max' }),
  fc.string({ unit: fc.constantFrom(...'0123456789.-/+() @aZ'), maxLength: 60, size: 'max' }),
);

test.each(entryPoints)('%s accepts or refuses any text, and never fails otherwise', (_name, call) => {
  fc.assert(
    fc.property(texts, (text) => callSafely(call, text)),
    { numRuns: PROPERTY_RUNS },
  );
});

// A function that did quadratic work would exceed the test's time limit with texts of this length.
test.each(entryPoints)('%s does linear work on long hostile text', (_name, call) => {
  const units = [
    ' ',
    'a',
    '1',
    '.',
    '-',
    '6304',
    '0001',
    'a@',
    'a.',
    '\ufdfa',
    '\u0301\u0316',
    '\ud800',
    '🚣',
    "D'Á ",
  ];
  for (const unit of units) {
    const long = unit.repeat(Math.ceil(100_000 / unit.length));
    for (const text of [long, `x${long}x`, `a@${long}!`, `${long}\n!`]) callSafely(call, text);
  }
});
