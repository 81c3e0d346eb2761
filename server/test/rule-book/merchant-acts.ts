import { cycleStart, DAY, HOUR, MINUTE, momentOn, readDay, settlementDay } from './calendar.ts';
import type { Random } from './random.ts';
import { badMoment, type Scenario } from './scenario.ts';

/** An act of the merchant, or of a payer by a code, that only a server with its own charges knows. */
export interface MerchantAct {
  readonly at: number;
  readonly does: 'set-amount' | 'cancel-cycle' | 'ask-for-code' | 'pay-code' | 'pay-and-ask-again';
  /** Of which the first is number 0. */
  readonly cycle: number;
  readonly cents: number;
}

/** The amounts of a subscription that has none of its own, and now and then something at a bad moment. */
export function merchantActsOf(random: Random, { terms, cycles, amountCents }: Scenario): MerchantAct[] {
  const acts: MerchantAct[] = [];
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    const due = cycleStart(readDay(terms.firstDay), terms.period, cycle);
    const cents = amountCents(cycle);
    const add = (does: MerchantAct['does'], at: number, amount = cents) =>
      acts.push({ at, does, cycle, cents: amount });
    const settles = settlementDay(due);
    if (terms.fixedCents === null) {
      const planned = momentOn(due - 10, 8 * HOUR);
      // Some change their mind at the hour at which the cycle is sent.
      if (random.happens(0.2)) add('set-amount', planned + random.between(0, DAY), cents + 100);
      if (random.happens(0.1))
        add('set-amount', momentOn(due - 6, 8 * HOUR) + random.between(-MINUTE, MINUTE), cents + 500);
      add('set-amount', planned + random.between(0, 4 * DAY));
    }
    const share = random.next();
    if (share < 0.05) add('cancel-cycle', badMoment(random, settles));
    else if (share < 0.15) add('ask-for-code', badMoment(random, settles));
    else if (share < 0.22) {
      add('ask-for-code', momentOn(settles - random.between(1, 6), random.between(0, 20 * HOUR)));
      add(random.pick(['pay-code', 'pay-and-ask-again']), badMoment(random, settles));
    } else if (share < 0.25) add('pay-and-ask-again', badMoment(random, settles));
  }
  return acts;
}
