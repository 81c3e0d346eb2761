import { type FaultRates, MANY_FAULTS, NO_FAULTS } from './faults.ts';
import type { Guarantee, Verdict } from './judge.ts';
import { play } from './machine.ts';
import { randomFrom } from './random.ts';
import type { Receiver } from './receiver.ts';
import { randomScenario } from './scenario.ts';

const CYCLES = 24;
const GROUP = 100;

export interface Summary {
  readonly codes: Set<string>;
  readonly outcomes: Map<string, number>;
  /** How often each guarantee was broken, and where first. */
  readonly broken: Map<Guarantee, { times: number; first: string }>;
}

/**
 * Plays so many mandates of 24 cycles, in groups that have a bank, rules, faults and a receiver of their own, so that memory
 * stays small. The same count plays the same lives again: a violation names the seed of its group.
 */
export function playMany(count: number, newReceiver: () => Receiver): Summary {
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
    for (const verdict of play({
      scenarios,
      receiver: newReceiver(),
      rules,
      faults,
      lateWakesPercent,
      random,
    }))
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
