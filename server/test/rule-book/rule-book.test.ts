import { describe, expect, test } from 'vitest';
import type { Guarantee } from './judge.ts';
import { GOOD_HABITS, type Habits, PlainReceiver } from './plain-receiver.ts';
import { playMany } from './play-many.ts';

/*
 * Plays random lives of mandates against the rule book and judges the receiver. A violation names the seed of its group.
 * With LONG=1: 100,000 mandates.
 */
const MANDATES = process.env['LONG'] ? 100_000 : 2_000;

test('a receiver that asks before it acts keeps every guarantee, whatever payers, banks and networks do', () => {
  const { broken, codes, outcomes } = playMany(MANDATES, () => new PlainReceiver(GOOD_HABITS));
  expect(Object.fromEntries(broken)).toEqual({});
  const fromOthers = [
    ...['AP13', 'AP14', 'ACCL', 'CPCL', 'DCSD', 'ERSL', 'FRUD', 'PCFD', 'SLCR', 'SLDB'],
    ...['ACCT', 'BLCK', 'CCLD', 'FAIL', 'OTHR', 'SLBD'],
    ...['AB10', 'AC05', 'AC06', 'AM02', 'DENC', 'DS27', 'FBRD', 'MIDI', 'NIEC', 'NITX', 'RC09', 'UDEI'],
  ];
  expect(fromOthers.filter((code) => !codes.has(code))).toEqual([]);
  const fromItsOwnMistakes = ['AM09', 'DTED', 'DTNT', 'IRNT', 'NIPA', 'QUNT'];
  expect(fromItsOwnMistakes.filter((code) => codes.has(code))).toEqual([]);
  expect([...outcomes.keys()].sort()).toEqual([
    'given up: cancelled',
    'given up: not-sent',
    'given up: rejected',
    'given up: unpaid',
    'never begun',
    'not-due',
    'paid',
  ]);
});

describe('caught is a receiver', () => {
  test.each<[string, Partial<Habits>, readonly Guarantee[]]>([
    ['that sends twelve days before', { sendDaysBefore: 12 }, ['nothing is sent outside its window']],
    ['that sends on the day before only', { sendDaysBefore: 1 }, ['no cycle is forgotten']],
    [
      'that believes each notice instead of asking',
      { readsBeforeItActs: false },
      ['no cycle is forgotten', 'the books equal the bank’s', 'retries keep to the rules'],
    ],
    ['that takes a new id when no answer came', { keepsTxid: false }, ['one charge a cycle']],
    [
      'that leaves a charge as it is when the cycle was paid otherwise',
      { cancelsWhatIsPaid: false },
      ['what was paid otherwise is not debited'],
    ],
    [
      'that leaves the bank as it is when the subscription ends',
      { cancelsAtTheEnd: false },
      ['no debit after a cancellation', 'an ended subscription’s mandate is cancelled'],
    ],
    [
      'that knows no last moment',
      { knowsTheLastMoment: false },
      ['nothing is cancelled after 22:00', 'nothing is sent outside its window'],
    ],
    [
      'that counts each cycle from the one before, so that the 31st becomes the 28th',
      { countsCyclesFromTheFirst: false },
      ['one charge a cycle'],
    ],
    ['that books what it is told twice', { booksOnce: false }, ['the books equal the bank’s']],
    ['that retries past the seventh day', { keepsToSevenDays: false }, ['retries keep to the rules']],
    ['that never retries', { retries: false }, ['nothing is given up too soon']],
  ])('%s', (_, habits, guarantees) => {
    const { broken } = playMany(300, () => new PlainReceiver({ ...GOOD_HABITS, ...habits }));
    expect([...broken.keys()]).toEqual(expect.arrayContaining([...guarantees]));
  });
});
