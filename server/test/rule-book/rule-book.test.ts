import { describe, expect, test } from 'vitest';
import { type FaultRates, MANY_FAULTS, NO_FAULTS } from './faults.ts';
import type { Guarantee, Verdict } from './judge.ts';
import { play } from './machine.ts';
import { GOOD_HABITS, type Habits, PlainReceiver } from './plain-receiver.ts';
import { randomFrom } from './random.ts';
import { randomScenario } from './scenario.ts';

/*
 * Plays random lives of mandates against the rule book and judges the receiver. A violation names the seed of its group.
 * With LONG=1: 100,000 mandates.
 */
const CYCLES = 24;
const GROUP = 100;
const MANDATES = process.env['LONG'] ? 100_000 : 3_000;

interface Summary {
  readonly codes: Set<string>;
  readonly outcomes: Map<string, number>;
  /** How often each guarantee was broken, and where first. */
  readonly broken: Map<Guarantee, { times: number; first: string }>;
}

/** Plays groups of mandates, each with a bank, rules, and faults of its own. */
function playMany(count: number, habits: Habits): Summary {
  const summary: Summary = { codes: new Set(), outcomes: new Map(), broken: new Map() };
  for (let seed = 1; (seed - 1) * GROUP < count; seed += 1) {
    const random = randomFrom(seed);
    const scenarios = Array.from({ length: GROUP }, () => randomScenario(random, CYCLES));
    const rules = {
      checksAtCall: random.happens(0.5),
      window: random.pick(['calendar', 'every'] as const),
      tellsDebitsApart: random.happens(0.5),
    };
    const faults: FaultRates = random.happens(0.7) ? MANY_FAULTS : NO_FAULTS;
    const lateWakesPercent = faults === NO_FAULTS ? 0 : 1;
    const receiver = new PlainReceiver(habits);
    for (const verdict of play({ scenarios, receiver, rules, faults, lateWakesPercent, random }))
      addTo(summary, verdict, seed);
  }
  return summary;
}

function addTo({ codes, outcomes, broken }: Summary, verdict: Verdict, seed: number): void {
  for (const code of verdict.codes) codes.add(code);
  for (const [name, count] of verdict.outcomes) outcomes.set(name, (outcomes.get(name) ?? 0) + count);
  for (const { guarantee, cycle, what } of verdict.violations) {
    const known = broken.get(guarantee);
    if (known !== undefined) known.times += 1;
    else
      broken.set(guarantee, { times: 1, first: `seed ${seed}, ${verdict.idRec}, cycle ${cycle}: ${what}` });
  }
}

test('a receiver that asks before it acts keeps every guarantee, whatever payers, banks and networks do', () => {
  const { broken, codes, outcomes } = playMany(MANDATES, GOOD_HABITS);
  expect(Object.fromEntries(broken)).toEqual({});
  // All codes but those that only a receiver's own mistake brings.
  expect([...codes].sort()).toEqual(
    [
      ...['AP13', 'AP14', 'ACCL', 'CPCL', 'DCSD', 'ERSL', 'FRUD', 'PCFD', 'SLCR', 'SLDB'],
      ...['ACCT', 'BLCK', 'CCLD', 'FAIL', 'OTHR', 'SLBD'],
      ...[
        'AB10',
        'AC05',
        'AC06',
        'AM02',
        'DENC',
        'DS27',
        'FBRD',
        'MIDI',
        'MSUC',
        'NIEC',
        'NITX',
        'RC09',
        'UDEI',
      ],
    ].sort(),
  );
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
    const { broken } = playMany(300, { ...GOOD_HABITS, ...habits });
    expect([...broken.keys()]).toEqual(expect.arrayContaining([...guarantees]));
  });
});
