import {
  cycleStart,
  DAY,
  dayOf,
  HOUR,
  MINUTE,
  momentOn,
  type Period,
  readDay,
  SECOND,
  settlementDay,
  writeDay,
} from './calendar.ts';
import type { Random } from './random.ts';
import type { MandateTerms, PayerBankTrouble } from './rule-book.ts';
import type { RuleBookBank } from './rule-book-bank.ts';

/** What happens to one subscription: what was agreed, and who does what when. */
export interface Scenario {
  readonly createdAt: number;
  readonly askUntil: number | null;
  readonly terms: MandateTerms;
  readonly amountCents: (cycle: number) => number;
  readonly retryDays: readonly number[];
  /** How many cycles are judged. */
  readonly cycles: number;
  readonly acts: readonly Act[];
}

export interface Act {
  readonly at: number;
  /** What somebody does at the banks, or the merchant's end of the subscription. */
  readonly act: ((bank: RuleBookBank, idRec: string) => void) | 'merchant-ends';
}

const SPECIAL_FIRST_DAYS: readonly [string, ...string[]] = [
  '2026-01-29',
  '2026-01-30',
  '2026-01-31',
  '2027-01-31',
  '2028-01-30',
  '2028-02-29',
  '2026-02-28',
  '2027-02-28',
  '2026-03-31',
  '2026-05-31',
  '2026-08-31',
  '2026-10-31',
  '2026-12-24',
  '2026-12-25',
  '2026-12-31',
  '2027-01-01',
  // Carnival: its Saturday is settled on Wednesday. Then Good Friday, Tiradentes, Corpus Christi.
  '2027-02-06',
  '2027-02-08',
  '2028-02-26',
  '2027-03-26',
  '2028-04-14',
  '2026-04-21',
  '2026-06-04',
];

const PERIODS: readonly [Period, ...Period[]] = ['SEMANAL', 'MENSAL', 'TRIMESTRAL', 'SEMESTRAL', 'ANUAL'];
const POLICIES: readonly [readonly number[], ...(readonly number[])[]] = [
  [1, 3, 7],
  [1, 2, 3],
  [2, 5],
  [7],
  [],
];
const LASTING: readonly [PayerBankTrouble, ...PayerBankTrouble[]] = [
  { code: 'DENC' },
  { code: 'DS27' },
  { code: 'MIDI' },
  { code: 'RC09' },
  { code: 'UDEI' },
];
const PASSING: readonly [PayerBankTrouble, ...PayerBankTrouble[]] = [
  { code: 'AB10' },
  { code: 'NIEC' },
  { code: 'FBRD' },
  { code: 'NITX' },
];

/** How a subscription comes to its end, of a hundred. */
type End = 'last-day' | 'merchant' | 'payer' | 'account' | 'payers-bank' | 'receivers-bank';

export function randomScenario(random: Random, cycles: number, only?: Period): Scenario {
  const period = only ?? (random.happens(0.5) ? 'MENSAL' : random.pick(PERIODS));
  const first = random.happens(0.5)
    ? readDay(random.pick(SPECIAL_FIRST_DAYS))
    : readDay('2026-01-05') + random.between(0, 1500);
  const isFixed = random.happens(0.5);
  const amount = random.between(100, 500_000);
  const minimum = !isFixed && random.happens(0.5) ? random.between(1, 300_000) : null;
  const seed = random.between(1, 1_000_000);
  const amountCents = (cycle: number) => (isFixed ? amount : 100 + ((seed * (cycle + 7)) % 600_000));
  const start = (cycle: number) => cycleStart(first, period, cycle);
  const end = howItEnds(random);
  const endsInCycle = end === 'last-day' || random.happens(0.6) ? cycles : random.between(0, cycles);
  const lastDay =
    end === 'last-day' ? start(cycles - 1) + (random.happens(0.5) ? 0 : random.between(0, 6)) : null;
  const createdAt = momentOn(first - random.between(0, 18), random.between(0, 20 * HOUR));
  const acts: Act[] = joining(random, createdAt, first, amountCents(0));
  for (let cycle = 0; cycle <= cycles; cycle += 1)
    acts.push(...lifeOfCycle(random, cycle, start(cycle), amountCents(cycle)));
  acts.push({ at: createdAt, act: fundsOf(random, first, start, cycles) });
  acts.push(...ending(random, end, start(endsInCycle), settlementDay(start(endsInCycle))));
  // Whatever happened, in the end the merchant closes what is still open.
  acts.push({ at: momentOn(start(cycles - 1) + 9, 12 * HOUR), act: 'merchant-ends' });
  return {
    createdAt,
    askUntil: random.happens(0.1) ? createdAt + random.between(HOUR, 5 * DAY) : null,
    terms: {
      period,
      firstDay: writeDay(first),
      lastDay: lastDay === null ? null : writeDay(lastDay),
      fixedCents: isFixed ? amount : null,
      minimumCents: minimum,
      retriesAllowed: random.happens(0.75),
    },
    amountCents,
    retryDays: random.pick(POLICIES),
    cycles,
    acts: acts.filter(({ at }) => at >= createdAt).sort((a, b) => a.at - b.at),
  };
}

function howItEnds(random: Random): End {
  const share = random.next();
  if (share < 0.4) return 'last-day';
  if (share < 0.6) return 'merchant';
  if (share < 0.8) return 'payer';
  if (share < 0.9) return 'account';
  return share < 0.98 ? 'payers-bank' : 'receivers-bank';
}

/** Most payers approve some days before; some on the last day, too late, or never. */
function joining(random: Random, createdAt: number, first: number, firstCents: number): Act[] {
  const share = random.next();
  if (share < 0.02) return [];
  const room = Math.max(0, momentOn(first) - createdAt);
  const at = random.happens(0.1)
    ? momentOn(first) + random.pick([-48 * HOUR - 1, -48 * HOUR, -HOUR, 10 * HOUR])
    : createdAt + Math.floor(room * random.next() * 0.5);
  const moment = Math.max(createdAt + 1, at);
  if (share < 0.04)
    return [{ at: moment, act: (bank, idRec) => bank.reject(idRec, random.pick(['AP13', 'AP14'])) }];
  const journey = random.pick(['JORNADA_1', 'JORNADA_2', 'JORNADA_3', 'JORNADA_4'] as const);
  return [{ at: moment, act: (bank, idRec) => bank.approve(idRec, journey, firstCents) }];
}

/** On poor days the payer has nothing at all, on poor nights nothing before 18 h. */
function fundsOf(
  random: Random,
  first: number,
  start: (cycle: number) => number,
  cycles: number,
): Act['act'] {
  const poorDays = new Set<number>();
  const poorNights = new Set<number>();
  for (let cycle = 0; cycle <= cycles; cycle += 1) {
    const settles = settlementDay(start(cycle));
    const share = random.next();
    if (share < 0.08) poorNights.add(settles);
    else if (share < 0.22) {
      const days = random.pick([1, 2, 3, 4, 6, 12]);
      for (let day = 0; day < days; day += 1) poorDays.add(settles + day);
      if (random.happens(0.3)) poorNights.add(settles + days);
    }
  }
  const isPoor = (moment: number) => {
    const day = dayOf(moment);
    if (day < first) return false;
    return poorDays.has(day) || (poorNights.has(day) && moment < momentOn(day, 18 * HOUR));
  };
  return (bank, idRec) => bank.setFunds(idRec, (moment) => !isPoor(moment));
}

/** The moments at which something hurts most, for what is to be debited on a day. */
export function badMoment(random: Random, day: number): number {
  return random.pick([
    momentOn(day - 1, 21 * HOUR + 59 * MINUTE + 59 * SECOND),
    momentOn(day - 1, 22 * HOUR),
    momentOn(day - 1, 22 * HOUR) + 1,
    momentOn(day - 1, 23 * HOUR + 59 * MINUTE + 59 * SECOND),
    momentOn(day),
    momentOn(day, random.between(0, 8 * HOUR)),
    momentOn(day, random.between(18 * HOUR, 21 * HOUR)),
    momentOn(day, 21 * HOUR + 30 * MINUTE),
    momentOn(day - random.between(2, 7), random.between(0, DAY - 1)),
    momentOn(day - 10),
    momentOn(day - 6, random.between(0, 10 * MINUTE)),
    momentOn(day + random.between(1, 7), random.between(0, DAY - 1)),
  ]);
}

function lifeOfCycle(random: Random, cycle: number, due: number, amountCents: number): Act[] {
  const settles = settlementDay(due);
  const acts: Act[] = [];
  const add = (at: number, act: Act['act']) => acts.push({ at, act });
  const share = random.next();
  if (share < 0.08)
    add(badMoment(random, settles), (bank, idRec) => bank.payOtherwise(idRec, cycle, amountCents));
  else if (share < 0.1) add(badMoment(random, settles), (bank, idRec) => bank.payerCancelsPayment(idRec));
  else if (share < 0.11) {
    const code = random.pick(['ACCT', 'BLCK', 'FAIL', 'OTHR'] as const);
    add(badMoment(random, settles), (bank, idRec) => bank.payersBankCancelsPayment(idRec, code));
  } else if (share < 0.14) {
    add(badMoment(random, settles), (bank, idRec) => bank.setMaximum(idRec, Math.floor(amountCents / 2)));
    add(momentOn(settles + random.between(1, 6)), (bank, idRec) => bank.setMaximum(idRec, null));
  } else if (share < 0.16) {
    add(badMoment(random, settles), (bank, idRec) => bank.setBlocked(idRec, true));
    add(momentOn(settles + random.between(0, 6), 12 * HOUR), (bank, idRec) => bank.setBlocked(idRec, false));
  } else if (share < 0.19) {
    add(momentOn(due - 8), (bank, idRec) => bank.setTrouble(idRec, random.pick(PASSING)));
    add(momentOn(settles + 8), (bank, idRec) => bank.setTrouble(idRec, null));
  } else if (share < 0.2) {
    add(badMoment(random, settles), (bank, idRec) => bank.setTrouble(idRec, random.pick(LASTING)));
    add(momentOn(settles + random.between(1, 9)), (bank, idRec) => bank.setTrouble(idRec, null));
  }
  return acts;
}

function ending(random: Random, end: End, due: number, settles: number): Act[] {
  const at = badMoment(random, random.happens(0.5) ? settles : due);
  if (end === 'merchant') return [{ at, act: 'merchant-ends' }];
  if (end === 'payer') return [{ at, act: (bank, idRec) => bank.payerCancels(idRec) }];
  if (end === 'account') return [{ at, act: (bank, idRec) => bank.closeAccount(idRec) }];
  if (end === 'receivers-bank') return [{ at, act: (bank, idRec) => bank.receiversBankEnds(idRec) }];
  if (end === 'payers-bank') {
    const code = random.pick(['CPCL', 'DCSD', 'ERSL', 'FRUD', 'PCFD'] as const);
    if (code !== 'CPCL') return [{ at, act: (bank, idRec) => bank.payersBankEnds(idRec, code) }];
  }
  return [];
}
