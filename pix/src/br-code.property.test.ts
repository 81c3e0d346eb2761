import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dynamicInputs, recurrenceInputs, staticInputs } from '../test/arbitraries.ts';
import { PROPERTY_RUNS } from '../test/property-runs.ts';
import { foldToAscii } from './fold-to-ascii.ts';
import {
  type BrCode,
  decodeBrCode,
  encodeDynamicBrCode,
  encodeRecurrenceBrCode,
  encodeStaticBrCode,
  PixRefusal,
} from './index.ts';

const numRuns = PROPERTY_RUNS;
const codes = fc.oneof(
  staticInputs.map(encodeStaticBrCode),
  dynamicInputs.map(encodeDynamicBrCode),
  recurrenceInputs.map(encodeRecurrenceBrCode),
);

/** Decodes a code, or returns undefined if the code is refused. Any other error fails the test. */
function decodeUnlessRefused(text: string): BrCode | undefined {
  try {
    return decodeBrCode(text);
  } catch (error) {
    if (error instanceof PixRefusal) return undefined;
    throw error;
  }
}

function replaceAt(text: string, index: number, replacement: string): string {
  return text.slice(0, index) + replacement + text.slice(index + 1);
}

/** The merchant's name and city as a code can hold them. */
const merchantOf = (input: { merchantName: string; merchantCity: string }) => ({
  merchantName: foldToAscii(input.merchantName, 25),
  merchantCity: foldToAscii(input.merchantCity, 15),
});

test('a static code decodes to what was encoded, without issues', () => {
  const property = fc.property(staticInputs, (input) => {
    const { reusable, info, ...rest } = input;
    // A template holds 99 characters. The Pix identifier takes 18, and the headers of the key and of the text take 4 each.
    const infoLength = 99 - 18 - 4 - input.key.length - 4;
    expect(decodeBrCode(encodeStaticBrCode(input))).toEqual({
      ...rest,
      ...merchantOf(input),
      kind: 'static',
      info: info?.slice(0, infoLength),
      pointOfInitiation: reusable ? '11' : undefined,
      issues: [],
    });
  });
  fc.assert(property, { numRuns });
});

test('a dynamic code decodes to what was encoded, without issues', () => {
  const property = fc.property(dynamicInputs, (input) => {
    const { reusable, ...rest } = input;
    expect(decodeBrCode(encodeDynamicBrCode(input))).toEqual({
      ...rest,
      ...merchantOf(input),
      kind: 'dynamic',
      pointOfInitiation: reusable ? undefined : '12',
      issues: [],
    });
  });
  fc.assert(property, { numRuns });
});

test('a recurrence code decodes to what was encoded, without issues', () => {
  const property = fc.property(recurrenceInputs, (input) => {
    expect(decodeBrCode(encodeRecurrenceBrCode(input))).toEqual({
      ...input,
      ...merchantOf(input),
      kind: 'recurrence',
      issues: [],
    });
  });
  fc.assert(property, { numRuns });
});

test('every encoded code is printable ASCII of at most 512 characters', () => {
  fc.assert(
    fc.property(codes, (code) => {
      expect(code).toMatch(/^[\x20-\x7e]{1,512}$/);
    }),
    { numRuns },
  );
});

// Replacing an ASCII character by another one is an error burst of at most 8 bits at unchanged length, and a CRC of 16 bits
// detects every burst of up to 16 bits. The exception is a hexadecimal digit of the CRC itself in the other case, which has
// the same value: such a code is decoded with an issue.
test('a code with any one character replaced by another of ASCII is refused', () => {
  const code = encodeStaticBrCode({
    key: 'fulano@example.com',
    merchantName: 'Fulano de Tal',
    merchantCity: 'Brasilia',
    amountCents: 1234,
    txid: 'pedido1',
  });
  const undetected: string[] = [];
  for (let index = 0; index < code.length; index++) {
    for (let character = 0; character < 128; character++) {
      const changed = replaceAt(code, index, String.fromCharCode(character));
      const isOnlyCaseOfCrc = index >= code.length - 4 && changed.toUpperCase() === code;
      if (changed !== code && !isOnlyCaseOfCrc && decodeUnlessRefused(changed) !== undefined)
        undetected.push(changed);
    }
  }
  expect(undetected).toEqual([]);
});

test('a code with two neighbouring characters swapped is refused', () => {
  fc.assert(
    fc.property(codes, fc.nat(), (code, position) => {
      const index = position % (code.length - 1);
      const swapped =
        code.slice(0, index) + code.charAt(index + 1) + code.charAt(index) + code.slice(index + 2);
      expect(swapped === code || decodeUnlessRefused(swapped) === undefined).toBe(true);
    }),
    { numRuns },
  );
});

// A character outside ASCII takes more bytes, for which the CRC gives no guarantee: one such change in 65536 goes undetected.
// Our codes contain no such character, so a change that is not refused shows as an issue.
test('a code with any one character replaced by any other is refused, or decoded with an issue', () => {
  const replacements = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    fc.constant('\ud800'),
  );
  fc.assert(
    fc.property(codes, fc.nat(), replacements, (code, position, replacement) => {
      const changed = replaceAt(code, position % code.length, replacement);
      expect(changed === code || decodeUnlessRefused(changed)?.issues.length !== 0).toBe(true);
    }),
    { numRuns: numRuns * 5 },
  );
});

test('no text makes the decoder throw anything but a refusal', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) }),
    fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 400, size: 'max' }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      decodeUnlessRefused(text);
    }),
    { numRuns: numRuns * 5 },
  );
});

test('no mutation of a code makes the decoder throw anything but a refusal', () => {
  const edits = fc.array(fc.tuple(fc.nat(), fc.nat(5), fc.string({ unit: 'binary', maxLength: 5 })), {
    minLength: 1,
    maxLength: 8,
  });
  fc.assert(
    fc.property(codes, edits, (code, list) => {
      decodeUnlessRefused(
        list.reduce((text, [position, removed, inserted]) => {
          const index = position % (text.length + 1);
          return text.slice(0, index) + inserted + text.slice(index + removed);
        }, code),
      );
    }),
    { numRuns: numRuns * 5 },
  );
});
