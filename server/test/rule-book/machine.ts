import { Agenda } from './agenda.ts';
import { cycleStart, momentOn, readDay, SECOND } from './calendar.ts';
import { type FaultRates, FaultyLine } from './faults.ts';
import { judge, type Verdict } from './judge.ts';
import type { Random } from './random.ts';
import type { Receiver } from './receiver.ts';
import type { BankRules, Notice } from './rule-book.ts';
import { RuleBookBank } from './rule-book-bank.ts';
import type { Scenario } from './scenario.ts';

export interface World {
  readonly scenarios: readonly Scenario[];
  readonly receiver: Receiver;
  readonly rules: BankRules;
  readonly faults: FaultRates;
  /** Of a hundred wakes, how many come up to ten minutes late. */
  readonly lateWakesPercent: number;
  readonly random: Random;
}

/** How long after its last cycle a subscription is judged: notices and sweeps need some days. */
const QUIET_DAYS = 30;
/** More wakes than any receiver needs in a subscription's life: one that never sleeps is broken. */
const MOST_WAKES = 50_000;

interface Player {
  readonly scenario: Scenario;
  idRec: string;
  wakeAt: number | null;
  wakes: number;
  merchantEndedAt: number | null;
}

/** Plays the scenarios against one bank and one receiver, moment by moment, and judges each in the end. */
export function play({ scenarios, receiver, rules, faults, lateWakesPercent, random }: World): Verdict[] {
  const start = Math.min(...scenarios.map(({ createdAt }) => createdAt));
  const end = Math.max(...scenarios.map(endOfScenario));
  const bank = new RuleBookBank(start, random, rules);
  const line = new FaultyLine(bank, random, faults);
  const agenda = new Agenda();
  const players = new Map<string, Player>();
  let now = start;

  const wake = (player: Player) => {
    player.wakes += 1;
    if (player.wakes > MOST_WAKES) return;
    line.setNow(now);
    const next = receiver.wake(player.idRec, now, line);
    player.wakeAt = next === null ? null : Math.max(next, now + SECOND);
    if (player.wakeAt === null) return;
    const isLate = random.happens(lateWakesPercent / 100);
    const late = lateWakesPercent === 0 ? 0 : random.between(0, (isLate ? 600 : 2) * SECOND);
    const asked = player.wakeAt;
    agenda.add(asked + late, () => {
      if (player.wakeAt === asked) wake(player);
    });
  };

  const deliver = (notice: Notice) => {
    const player = players.get(notice.idRec);
    if (player === undefined) return;
    line.setNow(now);
    line.delivered(notice);
    receiver.told(notice, now);
    wake(player);
  };

  const begin = (scenario: Scenario) => {
    const answer = bank.createMandate(scenario.terms, scenario.askUntil);
    if (answer.is !== 'done') throw new Error('the bank did not take the mandate of a scenario');
    const { idRec } = answer.value;
    const player: Player = { scenario, idRec, wakeAt: null, wakes: 0, merchantEndedAt: null };
    players.set(idRec, player);
    const { terms, amountCents, retryDays, acts } = scenario;
    receiver.begin({ idRec, terms, amountCents, retryDays }, now);
    for (const { at, act } of acts)
      agenda.add(at, () => {
        if (act !== 'merchant-ends') act(bank, idRec);
        else if (player.merchantEndedAt === null) {
          player.merchantEndedAt = now;
          receiver.endSubscription(idRec, now);
          wake(player);
        }
      });
    wake(player);
  };

  for (const scenario of scenarios) agenda.add(scenario.createdAt, () => begin(scenario));
  for (;;) {
    const next = Math.min(bank.nextMoment() ?? Infinity, agenda.nextMoment() ?? Infinity);
    if (next > end) break;
    now = Math.max(now, next);
    for (const notice of bank.advanceTo(now))
      for (const at of line.deliveries(notice)) agenda.add(Math.max(at, now), () => deliver(notice));
    if (agenda.nextMoment() === next) agenda.take()?.act();
  }
  return [...players.values()].map(({ idRec, scenario, wakes, merchantEndedAt }) =>
    judge({
      mandate: bank.record(idRec),
      conversation: line.about(idRec),
      records: receiver.records(idRec),
      scenario,
      merchantEndedAt,
      neverSleeps: wakes > MOST_WAKES,
      rules,
    }),
  );
}

function endOfScenario({ terms, cycles }: Scenario): number {
  return momentOn(cycleStart(readDay(terms.firstDay), terms.period, cycles) + QUIET_DAYS);
}
