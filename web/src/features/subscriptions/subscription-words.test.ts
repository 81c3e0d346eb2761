import { expect, test } from 'vitest';
import { cycleName, repetitionText, shortMonthText, termText } from '../../format/subscription-words.ts';
import {
  activeSubscription,
  givenUpCycle,
  paidCycle,
  pastDueSubscription,
  plannedCycle,
  retryingCycle,
} from '../../testing/subscription-samples.ts';
import { knownReasonCodes, reasonTextOf } from './reason-texts.ts';
import { daysText, retryDaysOf } from './subscription-draft.ts';
import { cycleActions, cycleExplanation, explanationOf } from './subscription-words.ts';

/** The codes of the official file of the API Pix: of rejected and cancelled recs, and of rejected and cancelled cobrs. */
const officialCodes = [
  ...['AP13', 'AP14', 'ACCL', 'CPCL', 'DCSD', 'ERSL', 'FRUD', 'PCFD', 'SLCR', 'SLDB'],
  ...['AB10', 'AC05', 'AC06', 'AM02', 'AM09', 'DENC', 'DS27', 'DTED', 'DTNT', 'FBRD', 'IRNT', 'MIDI', 'MSUC'],
  ...['NIEC', 'NIPA', 'NITX', 'QUNT', 'RC09', 'UDEI', 'ACCT', 'BLCK', 'CCLD', 'FAIL', 'OTHR', 'SLBD'],
];

test('every code of the official file has a sentence and what to do, and none is just the code', () => {
  expect(knownReasonCodes.toSorted()).toEqual(officialCodes.toSorted());
  for (const code of officialCodes) {
    const { what, advice } = reasonTextOf({ code, text: '' });
    for (const sentence of [what, advice]) expect(sentence, code).toMatch(/^[A-ZÁÉÍÓÚÃÕ].{10,}\.$/);
    expect(what, code).not.toContain(code);
  }
});

test('a code that nobody listed shows what the bank said, or the code alone', () => {
  expect(reasonTextOf({ code: 'ZZ99', text: 'Motivo novo.' }).what).toBe('O banco informou: Motivo novo.');
  for (const text of ['', 'constructor'])
    expect(reasonTextOf({ code: 'constructor', text }).what).toBe(
      'O banco informou só o código constructor.',
    );
});

test.each([
  ['weekly', '2027-01-11', 'toda segunda-feira'],
  ['weekly', '2027-01-16', 'todo sábado'],
  ['weekly', '2027-01-17', 'todo domingo'],
  ['monthly', '2027-01-10', 'todo dia 10'],
  ['quarterly', '2027-01-31', 'a cada 3 meses, no dia 31'],
  ['semiannual', '2027-01-05', 'a cada 6 meses, no dia 5'],
  ['annual', '2027-01-10', 'todo ano, em 10 de janeiro'],
] as const)('%s from %s is said as “%s”', (period, firstDay, text) => {
  expect(repetitionText(period, firstDay)).toBe(text);
});

test('shorter months are explained where they matter alone', () => {
  expect(shortMonthText('monthly', '2027-01-31')).toMatch(/não têm dia 31.*último dia/);
  expect(shortMonthText('quarterly', '2027-01-29')).toMatch(/não têm dia 29/);
  expect(shortMonthText('annual', '2028-02-29')).toMatch(/fevereiro não tem dia 29.*dia 28/);
  for (const [period, day] of [
    ['monthly', '2027-01-28'],
    ['weekly', '2027-01-31'],
    ['annual', '2027-01-31'],
  ] as const)
    expect(shortMonthText(period, day)).toBeNull();
});

test('a cycle is called by its month, and by its year only if that is another one', () => {
  expect(cycleName('monthly', '2027-01-10', '2027-03-01')).toBe('cobrança de janeiro');
  expect(cycleName('monthly', '2026-12-10', '2027-03-01')).toBe('cobrança de dezembro de 2026');
  expect(cycleName('weekly', '2027-01-11', '2027-03-01')).toBe('cobrança de 11 de janeiro');
  expect(cycleName('annual', '2027-01-11', '2027-03-01')).toBe('cobrança de 2027');
  expect(termText('2027-01-10', '2027-12-10')).toBe('de 10/01/2027 até 10/12/2027');
});

test('a weekly debit is not tried again on the day of the next one', () => {
  expect(retryDaysOf('weekly')).toEqual([1, 2, 3, 4, 5, 6]);
  expect(retryDaysOf('monthly')).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect([daysText([1]), daysText([3]), daysText([1, 4, 7])]).toEqual(['1 dia', '3 dias', '1, 4 e 7 dias']);
});

test('of each cycle only what the bank still allows is offered', () => {
  const offered = (cycle: typeof plannedCycle, isVariable = false, time = '21:59:59') =>
    Object.entries(
      cycleActions(cycle, isVariable, Date.parse(`${plannedCycle.due_day}T${time}-03:00`)),
    ).flatMap(([name, is]) => (is ? [name] : []));
  expect(offered(plannedCycle)).toEqual(['chargeOtherwise', 'cancel']);
  expect(offered({ ...plannedCycle, amount: null }, true)).toEqual(['setAmount', 'cancel']);
  expect(offered({ ...plannedCycle, status: 'scheduled' }, true)).toEqual(['chargeOtherwise', 'cancel']);
  expect(offered(givenUpCycle)).toEqual(['chargeOtherwise']);
  for (const cycle of [paidCycle, retryingCycle, { ...plannedCycle, status: 'cancelled' as const }])
    expect(offered(cycle)).toEqual([]);
  // From 22 h of the day before on, the debit is out of reach.
  expect(offered(plannedCycle, true, '22:00:00')).toEqual([]);
});

test('while the bank tries again, nobody reads that all is well', () => {
  const retrying = explanationOf({ ...activeSubscription, next_cycle: retryingCycle });
  expect(retrying.what).toBe('A cobrança ainda não foi debitada.');
  expect(retrying.advice).toMatch(/tenta de novo em 11\/12\/\d{4}/);
  expect(explanationOf(pastDueSubscription)).toMatchObject({
    what: 'A última cobrança não foi paga.',
    advice: retrying.advice,
  });
  expect(explanationOf(activeSubscription).what).toMatch(/debita sozinho/);
});

test('why a cycle was not paid is told by the bank’s code, unless the merchant did it', () => {
  expect(cycleExplanation(paidCycle)).toBeNull();
  expect(cycleExplanation(plannedCycle)).toBeNull();
  expect(cycleExplanation(retryingCycle)).toBeNull();
  expect(cycleExplanation(givenUpCycle)?.what).toMatch(/máximo que o pagador escolheu/);
  const cancelled = {
    ...givenUpCycle,
    status: 'cancelled' as const,
    bank_reason: { code: 'SLCR', text: '' },
  };
  expect(cycleExplanation({ ...cancelled, reason: 'by_merchant' })?.what).toBe(
    'Você cancelou esta cobrança.',
  );
  expect(cycleExplanation({ ...cancelled, reason: 'paid_otherwise' })?.what).toMatch(/paga de outro modo/);
  expect(cycleExplanation({ ...cancelled, bank_reason: null, reason: null })?.what).toBe(
    'Não houve pagamento.',
  );
});
