import { describe, expect, test } from 'vitest';
import { timeAtHour } from '../calendar-day.ts';
import { type CycleFacts, type DebitSeen, nextStep, type SeenAttempt } from './next-step.ts';

/** Due on Saturday 6 March 2027, debited on Monday the 8th. */
const cycle: CycleFacts = {
  dueDay: '2027-03-06',
  debitDay: '2027-03-08',
  nextDueDay: '2027-04-06',
  amountCents: 5000,
  retryDays: [1, 4, 7],
  refusedDays: [],
  isMandateEnded: false,
  isSent: true,
  isPaid: false,
  cancelBecause: undefined,
  debit: undefined,
};

const at = (day: string, hour: number) => timeAtHour(day, hour);
const first = (status: SeenAttempt['status'], code?: string): SeenAttempt => ({
  ...{ day: '2027-03-08', isRetry: false, status, code },
});
const retried = (day: string): SeenAttempt => ({ day, isRetry: true, status: 'expired', code: undefined });
const seen = (...attempts: SeenAttempt[]): DebitSeen => ({
  status: 'active',
  attempts,
  endCode: undefined,
  endedByPayer: false,
});
const failedOn = (...days: string[]) => seen(first('expired'), ...days.map(retried));

describe('an order that was not sent in time', () => {
  const unsent = { ...cycle, isSent: false };

  test('is not sent when a bank may read it as too late, though the debit lies days ahead', () => {
    expect(nextStep(unsent, at('2027-03-03', 8))).toEqual({ step: 'send' });
    expect(nextStep(unsent, at('2027-03-04', 0))).toMatchObject({ step: 'give-up', reason: 'too_late' });
  });

  test('is not sent again either, when the bank does not know it', () => {
    expect(nextStep(cycle, at('2027-03-03', 23))).toEqual({ step: 'send' });
    expect(nextStep(cycle, at('2027-03-04', 0))).toMatchObject({ step: 'give-up', reason: 'too_late' });
  });

  test('waits for its day', () => {
    expect(nextStep(unsent, at('2027-02-28', 7.9))).toEqual({ step: 'wait', until: at('2027-02-28', 8) });
    expect(nextStep(unsent, at('2027-02-28', 8))).toEqual({ step: 'send' });
  });
});

describe('retries', () => {
  test('are counted from the day on which a cycle fell due, not from the later day of the debit', () => {
    const facts = { ...cycle, debit: failedOn() };
    expect(nextStep(facts, at('2027-03-08', 22))).toEqual({ step: 'retry', day: '2027-03-10' });
    expect(nextStep({ ...facts, debit: failedOn('2027-03-10') }, at('2027-03-10', 22))).toEqual({
      ...{ step: 'retry', day: '2027-03-13' },
    });
  });

  test('end with the seventh day after it', () => {
    const facts = { ...cycle, retryDays: [8, 9], debit: failedOn() };
    expect(nextStep(facts, at('2027-03-08', 22))).toMatchObject({ reason: 'no_retries_left' });
  });

  test('end before the next cycle begins, and before it would begin when none follows', () => {
    const weekly = { ...cycle, nextDueDay: '2027-03-13', debit: failedOn('2027-03-10') };
    expect(nextStep(weekly, at('2027-03-10', 22))).toMatchObject({ reason: 'no_retries_left' });
  });

  test('are three, not counting what the bank itself sent again', () => {
    const facts = { ...cycle, retryDays: [3, 4, 5, 6] };
    const sentAgain = [first('refused', 'AB10'), first('expired')];
    const twice = seen(...sentAgain, retried('2027-03-09'), retried('2027-03-10'));
    expect(nextStep({ ...facts, debit: twice }, at('2027-03-10', 22))).toEqual({
      ...{ step: 'retry', day: '2027-03-11' },
    });
    const thrice = seen(...twice.attempts, retried('2027-03-11'));
    expect(nextStep({ ...facts, debit: thrice }, at('2027-03-11', 22))).toMatchObject({
      reason: 'no_retries_left',
    });
  });

  test('are for a later day, each for another one', () => {
    const facts = { ...cycle, retryDays: [2, 4, 5] };
    expect(nextStep({ ...facts, debit: failedOn() }, at('2027-03-10', 0))).toEqual({
      ...{ step: 'retry', day: '2027-03-11' },
    });
    expect(
      nextStep({ ...facts, refusedDays: ['2027-03-10'], debit: failedOn() }, at('2027-03-08', 22)),
    ).toEqual({ step: 'retry', day: '2027-03-11' });
  });

  test('wait until the evening of the debit day, because the bank may send a failed order again by itself', () => {
    const failedEarly = { ...cycle, debit: seen(first('refused', 'AB10')) };
    const wait = { step: 'wait', until: at('2027-03-07', 21) };
    expect(nextStep(failedEarly, at('2027-03-02', 12))).toEqual(wait);
    expect(nextStep({ ...failedEarly, retryDays: [] }, at('2027-03-02', 12))).toEqual(wait);
    expect(nextStep(failedEarly, at('2027-03-08', 21.5))).toEqual({ step: 'retry', day: '2027-03-10' });
  });

  test.each(['AC05', 'AM09', 'DENC', 'DS27', 'DTED', 'MIDI', 'MSUC', 'NITX', 'RC09'])(
    'are not ordered after %s, which ends the debit',
    (code) => {
      const facts = { ...cycle, debit: seen(first('refused', code)) };
      const end = { step: 'give-up', reason: 'refused', code };
      expect(nextStep(facts, at('2027-03-02', 12))).toEqual(end);
      expect(nextStep(facts, at('2027-03-08', 22))).toEqual(end);
    },
  );
});

describe('a cycle that was paid otherwise', () => {
  const paidOtherwise = { ...cycle, cancelBecause: 'paid_otherwise' as const };

  test('is taken back until 22:00 of the day before, and left to the bank from then on', () => {
    const facts = { ...paidOtherwise, debit: seen(first('scheduled')) };
    expect(nextStep(facts, new Date(at('2027-03-07', 22).getTime() - 1))).toEqual({ step: 'cancel' });
    expect(nextStep(facts, at('2027-03-07', 22))).toEqual({ step: 'wait', until: at('2027-03-08', 9) });
  });

  test('is not over while the bank may send its order again', () => {
    const facts = { ...paidOtherwise, debit: seen(first('refused', 'AB10')) };
    expect(nextStep(facts, at('2027-03-07', 22))).toEqual({ step: 'wait', until: at('2027-03-08', 9) });
    expect(nextStep(facts, at('2027-03-08', 21.5))).toMatchObject({
      step: 'close',
      reason: 'paid_otherwise',
    });
  });
});
