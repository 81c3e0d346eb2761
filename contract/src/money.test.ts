import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { balanceBrl, brl, brlFromCents, brlSum, centsFromBrl, centsFromText, MAX_CENTS } from './money.ts';

describe('an amount', () => {
  test('on the wire is read back to the cent it was written from', () => {
    fc.assert(
      fc.property(fc.integer({ min: -MAX_CENTS, max: MAX_CENTS }), (cents) => {
        expect(centsFromBrl(JSON.parse(JSON.stringify(brlFromCents(cents))))).toBe(cents);
      }),
    );
  });

  test('that is not a whole number of cents, or too large, is refused', () => {
    for (const brl of [
      0.001,
      1.005,
      10.999,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      1e300,
      (MAX_CENTS + 1) / 100,
    ]) {
      expect(centsFromBrl(brl), `${brl}`).toBeUndefined();
    }
    expect(centsFromBrl(150.01, 15_000)).toBeUndefined();
  });

  test('as people type it is read exactly', () => {
    const typed = {
      '12': 1200,
      '86,4': 8640,
      '86.40': 8640,
      '1.250,00': 125_000,
      'R$ 0,29': 29,
      '9999999999,99': MAX_CENTS,
    };
    for (const [text, cents] of Object.entries(typed)) expect(centsFromText(text), text).toBe(cents);
    for (const text of ['', 'abc', '1,234', '1.25,00', '-1', '1e3', '12,345', '12345678901', '١٢']) {
      expect(centsFromText(text), text).toBeUndefined();
    }
  });

  test('that is too large is reported as too large, not as having too many decimals', () => {
    const messageOf = (schema: typeof brl, value: number) =>
      schema.safeParse(value).error?.issues[0]?.message;
    expect(messageOf(brl, brlFromCents(MAX_CENTS))).toBeUndefined();
    expect(messageOf(brl, brlFromCents(MAX_CENTS + 1))).toBe('Use no máximo R$ 9.999.999.999,99.');
    expect(messageOf(brl, 1.005)).toBe('Use no máximo duas casas decimais.');
    expect(messageOf(balanceBrl, 1.005)).toBe('Use no máximo duas casas decimais.');
  });
});

test('a balance can be sent back as it was answered, however large', () => {
  for (const cents of [MAX_CENTS + 1, -MAX_CENTS - 1, 100 * MAX_CENTS + 7]) {
    const balance = brlFromCents(cents);
    expect(brlSum.safeParse(balance).success, `${balance}`).toBe(true);
    expect(balanceBrl.safeParse(balance), `${balance}`).toMatchObject({ success: true });
  }
});
