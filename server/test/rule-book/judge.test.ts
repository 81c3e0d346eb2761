import { describe, expect, test } from 'vitest';
import { cycleStart, DAY, HOUR, momentOn, readDay, writeDay } from './calendar.ts';
import { type CallMade, type Conversation, FaultyLine, NO_FAULTS } from './faults.ts';
import { type Evidence, type Guarantee, judge } from './judge.ts';
import { randomFrom } from './random.ts';
import type { CycleOutcome } from './receiver.ts';
import type { BankRules, MandateTerms, PaidPix } from './rule-book.ts';
import { RuleBookBank } from './rule-book-bank.ts';

const FIRST = readDay('2026-05-11');
const TERMS: MandateTerms = {
  period: 'MENSAL',
  firstDay: writeDay(FIRST),
  lastDay: null,
  fixedCents: 4990,
  minimumCents: null,
  retriesAllowed: true,
};
const RULES: BankRules = { checksAtCall: true, window: 'calendar', tellsDebitsApart: true };

/** The due day of a cycle; all three lie on business days. */
const due = (cycle: number) => cycleStart(FIRST, 'MENSAL', cycle);

interface Case extends Evidence {
  readonly conversation: Conversation & { calls: CallMade[] };
  readonly records: { cycles: Map<number, CycleOutcome>; books: PaidPix[] };
}

/**
 * Three cycles as they should go: the first is debited; the second is paid by other means, and cancelled in time; the third
 * fails, is retried once by the policy, and given up. Then the merchant ends the subscription.
 */
function wellDone(): Case {
  const bank = new RuleBookBank(momentOn(FIRST - 21, 10 * HOUR), randomFrom(3), RULES);
  const line = new FaultyLine(bank, randomFrom(4), NO_FAULTS);
  const made = bank.createMandate(TERMS);
  if (made.is !== 'done') throw new Error('the mandate was refused');
  const { idRec } = made.value;
  bank.approve(idRec, 'JORNADA_2');
  const go = (day: number, sinceMidnight = 0) => {
    const now = momentOn(day, sinceMidnight);
    for (const notice of bank.advanceTo(now)) {
      line.setNow(now);
      line.delivered(notice);
    }
    line.setNow(now);
    return now;
  };
  const send = (cycle: number) =>
    line.createCharge({ idRec, txid: `of-${cycle}`, due: writeDay(due(cycle)), amountCents: 4990 });
  go(due(0) - 6, 9 * HOUR);
  send(0);
  go(due(1) - 6, 9 * HOUR);
  send(1);
  go(due(1) - 2);
  bank.payOtherwise(idRec, 1, 4990);
  go(due(1) - 2, 1);
  line.cancelCharge('of-1');
  go(due(2) - 6, 9 * HOUR);
  send(2);
  bank.setFunds(idRec, () => false);
  go(due(2) + 1);
  line.retryCharge('of-2', writeDay(due(2) + 3));
  const givenUpAt = go(due(2) + 3, 23 * HOUR);
  const merchantEndedAt = go(due(2) + 4);
  line.cancelMandate(idRec);
  go(due(2) + 5);
  const mandate = bank.record(idRec);
  return {
    mandate,
    conversation: line.about(idRec),
    records: {
      cycles: new Map<number, CycleOutcome>([
        [0, { end: 'paid' }],
        [1, { end: 'paid' }],
        [2, { end: 'given-up', at: givenUpAt, because: 'unpaid', code: null }],
      ]),
      books: mandate.money.map(({ pix }) => pix),
    },
    scenario: {
      createdAt: momentOn(FIRST - 21),
      askUntil: null,
      terms: TERMS,
      amountCents: () => 4990,
      retryDays: [3],
      cycles: 3,
      acts: [],
    },
    merchantEndedAt,
    neverSleeps: false,
    rules: RULES,
  };
}

const blamed = (evidence: Evidence) => [
  ...new Set(judge(evidence).violations.map(({ guarantee }) => guarantee)),
];

function charge({ mandate }: Case, cycle: number) {
  const found = mandate.charges[cycle];
  if (found === undefined) throw new Error('the charge is not there');
  return found;
}

/** A call more, or instead of those of the same kind about the same cycle. */
const call = (what: CallMade['what'], cycle: number, at: number, more: Partial<CallMade> = {}): CallMade => ({
  at,
  what,
  cycle,
  txid: `of-${cycle}`,
  day: due(cycle),
  outcome: 'done',
  because: null,
  ...more,
});

test('a receiver that did everything well is blamed for nothing', () => {
  expect(judge(wellDone()).violations).toEqual([]);
});

describe('blamed is a receiver', () => {
  test.each<[string, Guarantee, (good: Case) => Evidence]>([
    [
      'whose cycle was debited twice',
      'no cycle is debited twice',
      (good) => {
        const pix = { endToEndId: 'again', amountCents: 4990, at: momentOn(due(0), 9 * HOUR) };
        charge(good, 0).pix.push(pix);
        good.mandate.money.push({ of: 'debit', cycle: 0, txid: null, pix });
        good.records.books.push(pix);
        return good;
      },
    ],
    ['that has a cycle open', 'no cycle is forgotten', (good) => outcome(good, 2, { end: 'open' })],
    [
      'that never began a cycle',
      'no cycle is forgotten',
      (good) => ({ ...good, merchantEndedAt: null, scenario: longer(good, 4, 40) }),
    ],
    [
      'that lost a cycle for which it sent a charge',
      'no cycle is forgotten',
      (good) => {
        good.records.cycles.delete(2);
        return good;
      },
    ],
    [
      'that calls unsent what it never tried to send',
      'no cycle is forgotten',
      (good) => {
        good.mandate.charges.pop();
        good.conversation.calls.splice(3, 2);
        return outcome(good, 2, givenUp('not-sent', due(2)));
      },
    ],
    ['that calls paid what was not', 'each reason is true', (good) => outcome(good, 2, { end: 'paid' })],
    [
      'that calls unpaid what was',
      'each reason is true',
      (good) => outcome(good, 0, givenUp('unpaid', due(2))),
    ],
    [
      'that calls not due what was',
      'each reason is true',
      (good) => outcome(good, 2, { end: 'not-due', at: momentOn(due(2)) }),
    ],
    [
      'that names a rejection that never was',
      'each reason is true',
      (good) => outcome(good, 2, { ...givenUp('rejected', due(2) + 5), code: 'AC05' }),
    ],
    [
      'that names a cancellation that never was',
      'each reason is true',
      (good) => outcome(good, 2, { ...givenUp('cancelled', due(2) + 5), code: 'SLBD' }),
    ],
    [
      'that gives up while a try is open',
      'each reason is true',
      (good) => outcome(good, 2, givenUp('unpaid', due(2) + 2)),
    ],
    [
      'that calls unsent what was sent',
      'each reason is true',
      (good) => outcome(good, 2, givenUp('not-sent', due(2))),
    ],
    [
      'that gives up with a day of its policy left',
      'nothing is given up too soon',
      (good) => ({ ...good, scenario: { ...good.scenario, retryDays: [3, 5] } }),
    ],
    [
      'that takes the rejection of a try for the end of its charge',
      'nothing is given up too soon',
      (good) => {
        const [first] = charge(good, 2).tries;
        if (first === undefined) throw new Error('there was no try');
        Object.assign(first, { status: 'REJEITADA', code: 'AM02' });
        charge(good, 2).tries.splice(1);
        good.conversation.calls.splice(5, 1);
        return outcome(good, 2, { ...givenUp('rejected', due(2) + 1), code: 'AM02' });
      },
    ],
    [
      'that calls a cycle unsent while it could be sent',
      'nothing is given up too soon',
      (good) => {
        good.mandate.charges.pop();
        good.conversation.calls.splice(4, 1);
        return outcome(good, 2, givenUp('not-sent', due(2) - 3));
      },
    ],
    [
      'that lets be debited what the merchant ended in time',
      'no debit after a cancellation',
      (good) => {
        good.conversation.calls.splice(1);
        good.mandate.charges.splice(1);
        const merchantEndedAt = momentOn(due(0) - 1, 22 * HOUR) - 1;
        good.records.cycles.delete(2);
        return { ...good, merchantEndedAt };
      },
    ],
    [
      'that was debited although it had cancelled',
      'no debit after a cancellation',
      (good) => {
        good.conversation.calls.push(call('cancel', 0, momentOn(due(0) - 1)));
        return good;
      },
    ],
    [
      'that leaves the mandate of an ended subscription as it is',
      'an ended subscription’s mandate is cancelled',
      (good) => {
        good.mandate.endedAt = null;
        return good;
      },
    ],
    [
      'that sends too early',
      'nothing is sent outside its window',
      (good) => instead(good, 0, call('send', 0, momentOn(due(0) - 10) - 1)),
    ],
    [
      'that sends too late',
      'nothing is sent outside its window',
      (good) => instead(good, 0, call('send', 0, momentOn(due(0) - 1), { outcome: 'failed' })),
    ],
    [
      'that cancels after 22:00',
      'nothing is cancelled after 22:00',
      (good) => instead(good, 2, call('cancel', 1, momentOn(due(1) - 1, 22 * HOUR) + 1)),
    ],
    ...[
      ['for the same day', due(2) + 1],
      ['for the eighth day', due(2) + 8],
      ['for the due day', due(2)],
    ].map(([name, day]): [string, Guarantee, (good: Case) => Evidence] => [
      `that asks for a retry ${name}`,
      'retries keep to the rules',
      (good) => instead(good, 4, call('retry', 2, momentOn(due(2) + 1), { day: Number(day) })),
    ]),
    [
      'that asks for a retry while a try is open',
      'retries keep to the rules',
      (good) => {
        const at = momentOn(due(2) + 2);
        const more = { day: due(2) + 5, outcome: 'refused', because: 'TRY_OPEN' } as const;
        good.conversation.calls.splice(5, 0, call('retry', 2, at, more));
        return good;
      },
    ],
    [
      'that retries though the mandate allows it not',
      'retries keep to the rules',
      (good) => ({ ...good, mandate: { ...good.mandate, retriesAllowed: false } }),
    ],
    [
      'that sends a second charge for a cycle',
      'one charge a cycle',
      (good) => {
        const more = { txid: 'another', outcome: 'refused', because: 'CYCLE_HAS_CHARGE' } as const;
        good.conversation.calls.splice(1, 0, call('send', 0, momentOn(due(0) - 5), more));
        return good;
      },
    ],
    [
      'that uses an id again which the bank had acknowledged',
      'one charge a cycle',
      (good) => {
        const more = { outcome: 'refused', because: 'TXID_IN_USE' } as const;
        good.conversation.calls.splice(1, 0, call('send', 0, momentOn(due(0) - 5), more));
        return good;
      },
    ],
    [
      'that asks for another amount',
      'the amount is as agreed',
      (good) => ({ ...good, scenario: { ...good.scenario, amountCents: () => 4991 } }),
    ],
    [
      'that sends before the approval',
      'nothing is ordered without a mandate',
      (good) => {
        good.mandate.approvedAt = momentOn(due(0) - 6, 10 * HOUR);
        return good;
      },
    ],
    [
      'that sends though it knows that the mandate ended',
      'nothing is ordered without a mandate',
      (good) => {
        good.conversation.knewEndAt = momentOn(due(2));
        return good;
      },
    ],
    [
      'that sends after the merchant’s end',
      'nothing is ordered without a mandate',
      (good) => ({ ...good, merchantEndedAt: momentOn(due(2)) }),
    ],
    [
      'that lets be debited what it knew to be paid',
      'what was paid otherwise is not debited',
      (good) => {
        good.conversation.knewPaidOtherwise.set(0, momentOn(due(0) - 1));
        return good;
      },
    ],
    [
      'that orders a debit of what it knew to be paid',
      'what was paid otherwise is not debited',
      (good) => {
        good.conversation.calls.splice(4, 1);
        good.conversation.knewPaidOtherwise.set(2, momentOn(due(2) - 7));
        return outcome(good, 2, { end: 'paid' });
      },
    ],
    ['that books too little', 'the books equal the bank’s', (good) => books(good, (all) => all.slice(1))],
    ['that books twice', 'the books equal the bank’s', (good) => books(good, (all) => [...all, ...all])],
    [
      'that books other cents',
      'the books equal the bank’s',
      (good) => books(good, (all) => all.map((pix) => ({ ...pix, amountCents: 4989 }))),
    ],
    [
      'that books what never came',
      'the books equal the bank’s',
      (good) => books(good, (all) => [...all, { endToEndId: 'none', amountCents: 1, at: 0 }]),
    ],
    [
      'that wakes without end',
      'it sleeps until there is something to do',
      (good) => ({ ...good, neverSleeps: true }),
    ],
  ])('%s', (_, guarantee, spoil) => {
    expect(blamed(spoil(wellDone()))).toEqual([guarantee]);
  });
});

describe('not blamed is a receiver', () => {
  test('whose cancellations failed until the last moment', () => {
    const good = wellDone();
    good.conversation.knewPaidOtherwise.set(0, momentOn(due(0) - 1));
    const last = momentOn(due(0) - 1, 22 * HOUR);
    good.conversation.calls.push(call('cancel', 0, last - 60_000, { outcome: 'failed' }));
    expect(blamed(good)).toEqual([]);
  });

  test('that learnt at 22:00 of another payment', () => {
    const good = wellDone();
    good.conversation.knewPaidOtherwise.set(0, momentOn(due(0) - 1, 22 * HOUR));
    expect(blamed(good)).toEqual([]);
  });

  test('whose mandate was approved too late to send a charge', () => {
    const good = wellDone();
    good.mandate.charges.pop();
    good.conversation.calls.splice(0);
    good.mandate.approvedAt = momentOn(due(2) - 3, DAY - 1);
    expect(blamed(outcome(good, 2, givenUp('not-sent', due(2))))).toEqual([]);
  });

  test('that sends again with the same id what had no answer', () => {
    const good = wellDone();
    const more = { outcome: 'refused', because: 'TXID_IN_USE' } as const;
    instead(good, 0, call('send', 0, momentOn(due(0) - 6), { outcome: 'answer-lost' }));
    good.conversation.calls.splice(1, 0, call('send', 0, momentOn(due(0) - 5), more));
    expect(blamed(good)).toEqual([]);
  });
});

function outcome(good: Case, cycle: number, said: CycleOutcome): Case {
  good.records.cycles.set(cycle, said);
  return good;
}

const givenUp = (because: 'unpaid' | 'not-sent' | 'rejected' | 'cancelled', day: number) =>
  ({ end: 'given-up', at: momentOn(day), because, code: null }) as const;

/** As if there had been more cycles before the end, which the merchant is not said to have made. */
function longer(good: Case, cycles: number, days: number): Case['scenario'] {
  good.mandate.endedAt = momentOn(due(2) + days);
  return { ...good.scenario, cycles };
}

function instead(good: Case, index: number, other: CallMade): Case {
  good.conversation.calls[index] = other;
  return good;
}

function books(good: Case, change: (all: PaidPix[]) => PaidPix[]): Case {
  return { ...good, records: { ...good.records, books: change(good.records.books) } };
}
