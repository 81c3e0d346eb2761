import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { holdingOf, isAnotherDocument, mergeRules, noRules } from './payer-rules.ts';

describe('the document of a payer', () => {
  test.each([
    ['52998224725', '529.982.247-25', false],
    ['52998224725', '***.982.247-**', false],
    ['52998224725', '•••.982.247-••', false],
    ['52998224725', '***.983.247-**', true],
    ['52998224725', '12345678909', true],
    // A company is another than a person, whatever is masked.
    ['52998224725', '11.222.333/0001-81', true],
    ['11222333000181', '***.982.247-**', true],
    // What shows nothing to compare, or is no document, is unknown, and unknown is not another.
    ['52998224725', undefined, false],
    ['52998224725', '', false],
    ['52998224725', '***', false],
    ['52998224725', '***.***.***-**', false],
    ['52998224725', '982247', false],
  ])('of a charge for %s, told as %s, is another: %s', (expected, told, isOther) => {
    expect(isAnotherDocument(expected, told)).toBe(isOther);
  });

  test('is never another where only digits of it are masked', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 11, maxLength: 11 });
    const shown = fc.array(fc.boolean(), { minLength: 11, maxLength: 11 });
    fc.assert(
      fc.property(digits, shown, (document, isShown) => {
        const told = [...document].map((digit, index) => (isShown[index] === true ? digit : '*')).join('');
        return !isAnotherDocument(document, told);
      }),
    );
  });
});

describe('rules', () => {
  const expiresAt = new Date('2027-01-11T15:00:00Z');
  const inTime = { paidAt: expiresAt, payer: { name: 'Joana', document: '12345678909' } };
  const facts = { payerDocument: '52998224725', expiresAt, hasDueDate: false, isCancelled: false };

  test('of a charge win over those of its account, one by one', () => {
    const ofCharge = { ...noRules, late: 'accept' as const };
    const ofAccount = { other_payer: 'hold', late: 'give_back', doubled: 'hold' } as const;
    expect(mergeRules(ofCharge, ofAccount)).toEqual({ ...ofAccount, late: 'accept' });
    expect(mergeRules(null, ofAccount)).toEqual(ofAccount);
  });

  test('let every payment pass where there are none, or where they accept it', () => {
    const late = { ...inTime, paidAt: new Date(expiresAt.getTime() + 1) };
    const accepting = { other_payer: 'accept', late: 'accept', doubled: null } as const;
    for (const rules of [noRules, accepting])
      expect(holdingOf({ status: 'expired' }, late, { ...facts, rules })).toBeUndefined();
  });

  test('tell another payer and a late payment apart, and a payment in the last moment is in time', () => {
    const rules = { other_payer: null, late: 'hold', doubled: null } as const;
    expect(holdingOf({ status: 'pending' }, inTime, { ...facts, rules })).toBeUndefined();
    const late = { ...inTime, paidAt: new Date(expiresAt.getTime() + 1) };
    expect(holdingOf({ status: 'pending' }, late, { ...facts, rules })).toEqual({
      why: 'late',
      rule: 'hold',
    });
    expect(holdingOf({ status: 'expired' }, inTime, { ...facts, rules })).toEqual({
      why: 'late',
      rule: 'hold',
    });
    const strict = { ...rules, other_payer: 'give_back' } as const;
    const holding = { why: 'other-payer', rule: 'give_back' };
    expect(holdingOf({ status: 'pending' }, inTime, { ...facts, rules: strict })).toEqual(holding);
    // A charge that is for nobody in particular has no other payer.
    const forAnybody = { ...facts, payerDocument: null, rules: strict };
    expect(holdingOf({ status: 'pending' }, inTime, forAnybody)).toBeUndefined();
  });

  test('let a due charge be paid for five days more, by which holidays of the payer’s town may move its last day', () => {
    const rules = { other_payer: null, late: 'give_back', doubled: null } as const;
    const due = { ...facts, payerDocument: null, rules, hasDueDate: true };
    const after = (days: number) => ({
      ...inTime,
      paidAt: new Date(expiresAt.getTime() + days * 86_400_000),
    });
    for (const status of ['pending', 'expired'] as const) {
      expect(holdingOf({ status }, after(4.9), due)).toBeUndefined();
      expect(holdingOf({ status }, after(5), due)).toEqual({ why: 'late', rule: 'give_back' });
    }
    // A charge that was cancelled was not to be paid any more, whatever the day.
    expect(holdingOf({ status: 'expired' }, inTime, { ...due, isCancelled: true })?.why).toBe('late');
  });
});
