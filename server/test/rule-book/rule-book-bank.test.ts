import { describe, expect, test } from 'vitest';
import { cycleStart, DAY, HOUR, MINUTE, momentOn, readDay, SECOND, writeDay } from './calendar.ts';
import { randomFrom } from './random.ts';
import {
  type Answer,
  type BankRules,
  type MandateCancellation,
  type MandateTerms,
  REJECTS_THE_CHARGE,
  TRY_REJECTIONS,
  type TryRejection,
} from './rule-book.ts';
import { RuleBookBank } from './rule-book-bank.ts';

/** A Monday in April without a holiday near, and its numbers. */
const DUE = '2026-05-11';
const D = readDay(DUE);
const FIXED: MandateTerms = {
  period: 'MENSAL',
  firstDay: DUE,
  lastDay: null,
  fixedCents: 4990,
  minimumCents: null,
  retriesAllowed: true,
};
const VARIABLE: MandateTerms = { ...FIXED, fixedCents: null, minimumCents: 1000 };
const STRICT: BankRules = { checksAtCall: true, window: 'calendar', tellsDebitsApart: true };
/** A bank that leaves to the payer's bank what the official file does not tell it to refuse. */
const LENIENT: BankRules = { ...STRICT, checksAtCall: false };

interface Stage {
  readonly bank: RuleBookBank;
  readonly idRec: string;
  /** Sends the first cycle's charge. */
  readonly send: (due?: string, txid?: string, amountCents?: number) => Answer<unknown>;
  /** Moves to a moment of a day that lies so many days from the due day. */
  readonly go: (days: number, sinceMidnight?: number) => void;
}

/** A mandate that was approved three weeks before its first day, on a morning six days before it. */
function stage(terms: MandateTerms = FIXED, rules: BankRules = STRICT, isApproved = true): Stage {
  const bank = new RuleBookBank(momentOn(D - 21, 10 * HOUR), randomFrom(7), rules);
  const answer = bank.createMandate(terms);
  if (answer.is !== 'done') throw new Error('the mandate was refused');
  const { idRec } = answer.value;
  if (isApproved) bank.approve(idRec, 'JORNADA_2');
  const go = (days: number, sinceMidnight = 0) => {
    bank.advanceTo(momentOn(D + days, sinceMidnight));
  };
  go(-6, 9 * HOUR);
  const send = (due = DUE, txid = 'first', amountCents = 4990) =>
    bank.createCharge({ idRec, txid, due, amountCents });
  return { bank, idRec, send, go };
}

const because = (answer: Answer<unknown>) => (answer.is === 'refused' ? answer.because : answer.is);

function chargeOf({ bank }: Stage, txid = 'first') {
  const answer = bank.readCharge(txid);
  if (answer.is !== 'done') throw new Error('the charge is not there');
  return answer.value;
}

const never = () => false;

describe('the calendar of cycles', () => {
  test.each([
    ['2026-01-31', 'MENSAL', ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30']],
    ['2028-01-30', 'MENSAL', ['2028-01-30', '2028-02-29', '2028-03-30']],
    ['2028-02-29', 'ANUAL', ['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29']],
    ['2026-11-30', 'TRIMESTRAL', ['2026-11-30', '2027-02-28', '2027-05-30']],
    ['2026-08-31', 'SEMESTRAL', ['2026-08-31', '2027-02-28', '2027-08-31']],
    ['2026-12-29', 'SEMANAL', ['2026-12-29', '2027-01-05']],
  ] as const)('of %s, %s, keeps its day where the month has it', (first, period, days) => {
    expect(days.map((_, cycle) => writeDay(cycleStart(readDay(first), period, cycle)))).toEqual(days);
  });
});

describe('a charge', () => {
  test.each([
    [-11, 0, 'TOO_EARLY'],
    [-10, 0, 'done'],
    [-2, DAY - 1, 'done'],
    [-1, 0, 'TOO_LATE'],
    [1, 0, 'DUE_DAY_PASSED'],
  ])('is taken from ten to two days before: %i days and %i ms from it', (days, sinceMidnight, answer) => {
    const at = stage();
    const start = momentOn(D + days, sinceMidnight);
    const bank = new RuleBookBank(momentOn(D - 21), randomFrom(1), STRICT);
    const made = bank.createMandate(FIXED);
    if (made.is !== 'done') throw new Error('the mandate was refused');
    bank.approve(made.value.idRec, 'JORNADA_1');
    bank.advanceTo(start);
    const order = { idRec: made.value.idRec, txid: 'one', due: DUE, amountCents: 4990 };
    expect(because(bank.createCharge(order))).toBe(answer);
    expect(because(at.bank.createCharge({ ...order, idRec: 'none' }))).toBe('NOT_FOUND');
  });

  test('in the strictest reading counts business days and the settlement day too', () => {
    const saturdayOfCarnival = '2027-02-06';
    const first = readDay(saturdayOfCarnival);
    const answers = [-9, -6, -2].map((days) => {
      const bank = new RuleBookBank(momentOn(first - 15), randomFrom(1), { ...STRICT, window: 'every' });
      const made = bank.createMandate({ ...FIXED, firstDay: saturdayOfCarnival });
      if (made.is !== 'done') throw new Error('the mandate was refused');
      const { idRec } = made.value;
      bank.approve(idRec, 'JORNADA_2');
      bank.advanceTo(momentOn(first + days));
      return because(bank.createCharge({ idRec, txid: 'one', due: saturdayOfCarnival, amountCents: 4990 }));
    });
    expect(answers).toEqual(['TOO_EARLY', 'done', 'TOO_LATE']);
  });

  test('stands alone in its cycle until it is cancelled or rejected', () => {
    const at = stage();
    at.send();
    expect(because(at.send(DUE, 'second'))).toBe('CYCLE_HAS_CHARGE');
    expect(because(at.send(writeDay(D + 2), 'second'))).toBe('CYCLE_HAS_CHARGE');
    expect(because(at.send(DUE, 'first'))).toBe('TXID_IN_USE');
    expect(because(at.bank.cancelCharge('first'))).toBe('done');
    expect(because(at.send(DUE, 'second'))).toBe('done');
  });

  test('is debited on its day, once, between 0 and 8 h', () => {
    const at = stage();
    at.send();
    at.go(0);
    expect(chargeOf(at).tries).toMatchObject([{ day: DUE, kind: 'AGND', status: 'AGENDADA' }]);
    at.go(0, 8 * HOUR);
    expect(chargeOf(at)).toMatchObject({ status: 'CONCLUIDA', tries: [{ status: 'PAGA' }] });
    at.go(20);
    expect(at.bank.record(at.idRec).money).toMatchObject([{ of: 'debit', pix: { amountCents: 4990 } }]);
  });

  test('that falls on a holiday is debited on the next business day', () => {
    const at = stage({ ...FIXED, firstDay: DUE });
    at.send();
    const bank = new RuleBookBank(momentOn(readDay('2026-04-20')), randomFrom(1), STRICT);
    const made = bank.createMandate({ ...FIXED, firstDay: '2026-05-01' });
    if (made.is !== 'done') throw new Error('the mandate was refused');
    bank.approve(made.value.idRec, 'JORNADA_4');
    bank.advanceTo(momentOn(readDay('2026-04-25')));
    bank.createCharge({ idRec: made.value.idRec, txid: 'one', due: '2026-05-01', amountCents: 4990 });
    bank.advanceTo(momentOn(readDay('2026-05-03')));
    expect(bank.readCharge('one')).toMatchObject({
      value: { tries: [{ day: '2026-05-04', status: 'AGENDADA' }] },
    });
  });

  test('without funds at night is debited between 18 and 21 h', () => {
    const at = stage();
    at.send();
    at.bank.setFunds(at.idRec, (moment) => moment >= momentOn(D, 18 * HOUR));
    at.go(0, 18 * HOUR - 1);
    expect(chargeOf(at).tries).toMatchObject([{ status: 'AGENDADA' }]);
    at.go(0, 21 * HOUR);
    expect(chargeOf(at)).toMatchObject({ status: 'CONCLUIDA', tries: [{ status: 'PAGA' }] });
  });

  test('without funds all day fails after 21 h without a reason, and stays open for seven days', () => {
    const at = stage();
    at.send();
    at.bank.setFunds(at.idRec, never);
    at.go(0, 21 * HOUR - 1);
    expect(chargeOf(at).tries).toMatchObject([{ status: 'AGENDADA' }]);
    at.go(1);
    expect(chargeOf(at)).toMatchObject({ status: 'ATIVA', tries: [{ status: 'EXPIRADA', code: null }] });
    at.go(8, 1);
    expect(chargeOf(at)).toMatchObject({ status: 'EXPIRADA' });
    expect(because(at.send(writeDay(D + 12), 'second'))).toBe('CYCLE_HAS_CHARGE');
  });

  test('of a mandate without retries ends with its day', () => {
    const at = stage({ ...FIXED, retriesAllowed: false });
    at.send();
    at.bank.setFunds(at.idRec, never);
    at.go(1);
    expect(chargeOf(at)).toMatchObject({ status: 'EXPIRADA' });
    expect(because(at.bank.retryCharge('first', writeDay(D + 2)))).toBe('CHARGE_NOT_OPEN');
  });
});

describe('a cancellation', () => {
  test.each([
    [21 * HOUR + 59 * MINUTE + 59 * SECOND, 'done', 'CANCELADA'],
    [22 * HOUR, 'done', 'CANCELADA'],
    [22 * HOUR + 1, 'CANCELLED_TOO_LATE', 'CONCLUIDA'],
  ])('by the receiver, at %i ms of the day before, is %s', (sinceMidnight, answer, status) => {
    const at = stage();
    at.send();
    at.go(-1, sinceMidnight);
    expect(because(at.bank.cancelCharge('first'))).toBe(answer);
    at.go(2);
    expect(chargeOf(at).status).toBe(status);
  });

  test.each([
    [-1, DAY - 1, 'CANCELADA'],
    [0, 0, 'CONCLUIDA'],
  ])('of the mandate by the payer, %i days and %i ms from the due day', (days, sinceMidnight, status) => {
    const at = stage();
    at.send();
    at.go(days, sinceMidnight);
    expect(at.bank.payerCancels(at.idRec)).toBe(true);
    at.go(2);
    expect(chargeOf(at).status).toBe(status);
    expect(at.bank.record(at.idRec)).toMatchObject({ status: 'CANCELADA', ending: { code: 'SLDB' } });
  });

  test('of one payment by the payer leaves the mandate as it is', () => {
    const at = stage();
    at.send();
    at.go(-1, DAY - 1);
    expect(at.bank.payerCancelsPayment(at.idRec)).toBe(true);
    expect(chargeOf(at)).toMatchObject({
      status: 'CANCELADA',
      ending: { code: 'SLBD', by: 'USUARIO_PAGADOR' },
    });
    expect(at.bank.record(at.idRec).status).toBe('APROVADA');
  });

  test('of the mandate by the receiver is confirmed within twelve hours, and spares what is debited till then', () => {
    const at = stage();
    at.send();
    at.go(-1, 22 * HOUR + 1);
    at.bank.cancelMandate(at.idRec);
    expect(at.bank.record(at.idRec).status).toBe('APROVADA');
    at.go(0, 12 * HOUR);
    expect(at.bank.record(at.idRec)).toMatchObject({ status: 'CANCELADA', ending: { code: 'SLCR' } });
    expect(chargeOf(at).status).toBe('CONCLUIDA');
    expect(because(at.bank.cancelMandate(at.idRec))).toBe('MANDATE_ENDED');
  });
});

describe('a retry', () => {
  function unpaid(terms = FIXED, rules = STRICT): Stage {
    const at = stage(terms, rules);
    at.send();
    at.bank.setFunds(at.idRec, never);
    at.go(1, 9 * HOUR);
    return at;
  }

  test('is ordered for a later day, up to the seventh', () => {
    const { bank } = unpaid();
    const answers = [0, 1, 8].map((days) => because(bank.retryCharge('first', writeDay(D + days))));
    expect(answers).toEqual(['NOT_A_FUTURE_DAY', 'NOT_A_FUTURE_DAY', 'BEYOND_SEVEN_DAYS']);
    expect(because(bank.retryCharge('first', writeDay(D + 7)))).toBe('done');
    expect(because(bank.retryCharge('first', writeDay(D + 6)))).toBe('TRY_OPEN');
  });

  test('is possible three times', () => {
    const at = unpaid();
    for (const day of [2, 3, 4]) {
      expect(because(at.bank.retryCharge('first', writeDay(D + day)))).toBe('done');
      at.go(day, 23 * HOUR);
    }
    expect(chargeOf(at)).toMatchObject({ status: 'EXPIRADA' });
  });

  test('lies before the next cycle', () => {
    const { bank } = unpaid({ ...FIXED, period: 'SEMANAL' });
    expect(because(bank.retryCharge('first', writeDay(D + 7)))).toBe('NEXT_CYCLE');
    expect(because(bank.retryCharge('first', writeDay(D + 6)))).toBe('done');
  });

  test('is debited like a first try', () => {
    const at = unpaid();
    at.bank.setFunds(at.idRec, () => true);
    at.bank.retryCharge('first', writeDay(D + 3));
    at.go(3, 8 * HOUR);
    expect(chargeOf(at)).toMatchObject({
      status: 'CONCLUIDA',
      tries: [{ status: 'EXPIRADA' }, { kind: 'NTAG', day: writeDay(D + 3), status: 'PAGA' }],
    });
  });
});

describe('a mandate', () => {
  test('with two kinds of amount, a past first day or a term that ends before it begins is refused', () => {
    const { bank } = stage();
    expect(because(bank.createMandate({ ...FIXED, minimumCents: 1 }))).toBe('INVALID');
    expect(because(bank.createMandate({ ...FIXED, firstDay: writeDay(D - 7) }))).toBe('FIRST_DAY_PASSED');
    expect(because(bank.createMandate({ ...FIXED, lastDay: writeDay(D - 1) }))).toBe('INVALID');
  });

  test('knows a maximum only where the amount varies, and none below the minimum', () => {
    const [fixed, variable] = [stage(), stage(VARIABLE)];
    expect(fixed.bank.setMaximum(fixed.idRec, 100_000)).toBe(false);
    expect(variable.bank.setMaximum(variable.idRec, 999)).toBe(false);
    expect(variable.bank.setMaximum(variable.idRec, 1000)).toBe(true);
  });

  test('that nobody approves expires with its first day, and one with a term with its last', () => {
    const [unapproved, ended] = [stage(FIXED, STRICT, false), stage({ ...FIXED, lastDay: writeDay(D + 3) })];
    ended.send();
    for (const at of [unapproved, ended]) at.go(5);
    expect(unapproved.bank.record(unapproved.idRec).status).toBe('EXPIRADA');
    expect(ended.bank.record(ended.idRec)).toMatchObject({
      status: 'EXPIRADA',
      charges: [{ status: 'CONCLUIDA' }],
    });
  });

  test('with a payment at once (journey 3) brings that money, which belongs to no cycle', () => {
    const at = stage(FIXED, STRICT, false);
    at.bank.approve(at.idRec, 'JORNADA_3', 4990);
    expect(at.bank.record(at.idRec).money).toMatchObject([{ of: 'joining', cycle: null }]);
  });

  test.each(['AP13', 'AP14'] as const)('that is rejected says %s', (code) => {
    const at = stage(FIXED, STRICT, false);
    at.bank.reject(at.idRec, code);
    expect(at.bank.record(at.idRec)).toMatchObject({ status: 'REJEITADA', ending: { code } });
    expect(because(at.send())).toBe('MANDATE_NOT_APPROVED');
  });

  const ends: Record<MandateCancellation, (at: Stage) => unknown> = {
    ACCL: ({ bank, idRec, go }) => [bank.closeAccount(idRec), go(-3)],
    CPCL: ({ bank, idRec }) => bank.receiversBankEnds(idRec),
    DCSD: ({ bank, idRec }) => bank.payersBankEnds(idRec, 'DCSD'),
    ERSL: ({ bank, idRec }) => bank.payersBankEnds(idRec, 'ERSL'),
    FRUD: ({ bank, idRec }) => bank.payersBankEnds(idRec, 'FRUD'),
    PCFD: ({ bank, idRec }) => bank.payersBankEnds(idRec, 'PCFD'),
    SLCR: ({ bank, idRec, go }) => [bank.cancelMandate(idRec), go(-5, 12 * HOUR)],
    SLDB: ({ bank, idRec }) => bank.payerCancels(idRec),
  };
  test.each(Object.entries(ends))('that ends with %s takes what is scheduled with it', (code, end) => {
    const at = stage();
    at.send();
    at.go(-6, 23 * HOUR);
    end(at);
    expect(at.bank.record(at.idRec)).toMatchObject({ status: 'CANCELADA', ending: { code } });
    const charge = code === 'ACCL' ? 'ACCT' : 'CCLD';
    expect(chargeOf(at)).toMatchObject({ status: 'CANCELADA', ending: { code: charge } });
    at.go(2);
    expect(at.bank.record(at.idRec).money).toEqual([]);
  });
});

describe('a try', () => {
  const trouble =
    (code: 'AB10' | 'DENC' | 'DS27' | 'FBRD' | 'MIDI' | 'NIEC' | 'RC09' | 'UDEI') =>
    (at: Stage): void => {
      at.bank.setTrouble(at.idRec, { code });
      at.send();
      at.go(0, -HOUR);
    };
  function retryOf(at: Stage, ...days: number[]): void {
    at.send();
    at.bank.setFunds(at.idRec, never);
    at.go(1, 9 * HOUR);
    for (const day of days) {
      at.bank.retryCharge('first', writeDay(D + day));
      at.go(day, 23 * HOUR);
    }
  }
  const causes: Record<TryRejection, (at: Stage) => void> = {
    AB10: trouble('AB10'),
    AC05: (at) => [at.send(), at.go(-1, DAY - 1), at.bank.closeAccount(at.idRec), at.go(1)],
    AC06: (at) => [at.bank.setBlocked(at.idRec, true), at.send(), at.go(-5)],
    AM02: (at) => [at.bank.setMaximum(at.idRec, 4989), at.send(), at.go(-5)],
    AM09: (at) => [at.send(DUE, 'first', 4991), at.go(-5)],
    DENC: trouble('DENC'),
    DS27: trouble('DS27'),
    DTED: (at) => [at.send(writeDay(D - 1)), at.go(-5)],
    DTNT: (at) => retryOf(at, 8),
    FBRD: (at) => [at.go(-1), at.send(), at.go(-1, 12 * HOUR)],
    IRNT: (at) => {
      at.send();
      at.bank.setBlocked(at.idRec, true);
      at.go(-5);
      at.bank.setBlocked(at.idRec, false);
      at.bank.retryCharge('first', writeDay(D + 2));
      at.go(1);
    },
    MIDI: trouble('MIDI'),
    MSUC: (at) => [at.send(), at.go(-5)],
    NIEC: trouble('NIEC'),
    NIPA: (at) => {
      at.send();
      at.go(1);
      at.bank.retryCharge('first', writeDay(D + 2));
      at.go(2);
    },
    NITX: (at) => [at.bank.setTrouble(at.idRec, { code: 'NITX' }), retryOf(at, 3)],
    QUNT: (at) => retryOf(at, 2, 3, 4, 5),
    RC09: trouble('RC09'),
    UDEI: trouble('UDEI'),
  };
  const termsFor: Partial<Record<TryRejection, MandateTerms>> = {
    AM02: VARIABLE,
    IRNT: { ...FIXED, retriesAllowed: false },
  };

  test.each(TRY_REJECTIONS)('is rejected with %s when its cause is there', (code) => {
    const at = stage(termsFor[code] ?? FIXED, LENIENT, code !== 'MSUC');
    causes[code](at);
    expect(chargeOf(at).tries.map((one) => one.code)).toContain(code);
    expect(chargeOf(at).status === 'REJEITADA').toBe(REJECTS_THE_CHARGE.has(code));
  });

  test('whose answer was an error is sent again, and debited', () => {
    const at = stage();
    causes.AB10(at);
    expect(chargeOf(at).tries).toMatchObject([
      { kind: 'AGND', status: 'REJEITADA', code: 'AB10' },
      { kind: 'RIFL', status: 'AGENDADA' },
    ]);
    at.go(1);
    expect(chargeOf(at).status).toBe('CONCLUIDA');
  });

  test('whose answer was lost is sent again, which is rejected, and the first is debited', () => {
    const at = stage();
    causes.NIEC(at);
    expect(chargeOf(at).tries).toMatchObject([
      { kind: 'AGND', status: 'AGENDADA' },
      { kind: 'RIFL', status: 'REJEITADA', code: 'NIEC' },
    ]);
    at.go(1);
    expect(at.bank.record(at.idRec).money).toHaveLength(1);
  });
});
