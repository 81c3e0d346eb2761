import { expect, test } from 'vitest';
import { MANY_FAULTS, NO_FAULTS } from './faults.ts';
import type { Guarantee, Verdict } from './judge.ts';
import { play } from './machine.ts';
import { GOOD_HABITS, type Habits, PlainReceiver } from './plain-receiver.ts';
import { randomFrom } from './random.ts';
import { TRY_REJECTIONS } from './rule-book.ts';
import { randomScenario } from './scenario.ts';

const CYCLES = 24;
const GROUP = 100;
const mandates = process.env['LONG'] ? 100_000 : 2_000;

/** Plays groups of subscriptions, each with a bank and rules of its own, and hands every verdict on. */
function playMany(
  count: number,
  habits: Habits,
  seed: number,
  hear: (verdict: Verdict, seed: number) => void,
) {
  for (let group = 0; group * GROUP < count; group += 1) {
    const random = randomFrom(seed + group);
    const scenarios = Array.from({ length: GROUP }, () => randomScenario(random, CYCLES));
    const rules = {
      checksAtCall: random.happens(0.5),
      window: random.pick(['calendar', 'every'] as const),
      tellsDebitsApart: random.happens(0.5),
    };
    const isFaulty = random.happens(0.7);
    const verdicts = play({
      scenarios,
      receiver: new PlainReceiver(habits),
      rules,
      faults: isFaulty ? MANY_FAULTS : NO_FAULTS,
      lateWakesPercent: isFaulty ? 1 : 0,
      random,
    });
    for (const verdict of verdicts) hear(verdict, seed + group);
  }
}

test('a receiver that asks before it acts keeps every guarantee, whatever payers, banks and networks do', () => {
  const codes = new Set<string>();
  const outcomes = new Map<string, number>();
  const violations: string[] = [];
  playMany(mandates, GOOD_HABITS, 1, (verdict, seed) => {
    for (const code of verdict.codes) codes.add(code);
    for (const [name, count] of verdict.outcomes) outcomes.set(name, (outcomes.get(name) ?? 0) + count);
    for (const { guarantee, cycle, what } of verdict.violations)
      violations.push(`${seed} ${verdict.idRec} cycle ${cycle}: ${guarantee}: ${what}`);
  });
  console.info(Object.fromEntries(outcomes), [...codes].sort().join(' '));
  expect(violations.slice(0, 20)).toEqual([]);
});
