import { MIN_CHARGE_CENTS } from '@jangada/contract';
import { expect, test } from 'vitest';
import { startTestGateway } from '../gateway.ts';
import { insertMerchant } from '../merchant-row.ts';
import { readDay } from './calendar.ts';
import { MANY_FAULTS, NO_FAULTS } from './faults.ts';
import { merchantActsOf } from './merchant-acts.ts';
import { type Random, randomFrom } from './random.ts';
import { randomScenario, type Scenario } from './scenario.ts';
import { type Life, playOnServer } from './server-machine.ts';

/*
 * Plays random lives of subscriptions on the server's own loops and a real database, against the bank of the rule book in
 * place of the port to a bank. A violation names its seed, which RULE_BOOK_SEED plays alone. With LONG=1: some hundreds, of
 * 24 cycles each.
 */
const isLong = process.env['LONG'] !== undefined;
const only = process.env['RULE_BOOK_SEED'];
const groupCount = isLong ? 30 : 2;
const weeklyPerGroup = isLong ? 10 : 8;
const monthlyPerGroup = isLong ? 5 : 1;
/** Most of the time goes into the look at each mandate on each day, so the short run plays short lives. */
const weeks = isLong ? 24 : 12;
const seeds =
  only === undefined ? Array.from({ length: groupCount }, (_, group) => group + 1) : [Number(only)];

function lifeOf(random: Random, merchants: readonly [number, ...number[]], isWeekly: boolean): Life {
  const scenario = withPayableAmounts(
    isWeekly ? randomScenario(random, weeks, 'SEMANAL') : randomScenario(random, 12, 'MENSAL'),
  );
  return {
    merchantId: random.pick(merchants),
    authorization: random.pick(['code', 'code', 'code', 'pay', 'push']),
    scenario,
    acts: merchantActsOf(random, scenario),
  };
}

/** The server takes no amount below its minimum, and a cycle without an amount is rightly never sent. */
function withPayableAmounts({ terms, amountCents, ...scenario }: Scenario): Scenario {
  const { fixedCents } = terms;
  return {
    ...scenario,
    terms: { ...terms, fixedCents: fixedCents === null ? null : Math.max(fixedCents, MIN_CHARGE_CENTS) },
    amountCents: (cycle) => Math.max(amountCents(cycle), MIN_CHARGE_CENTS),
  };
}

/** Holidays of the payers' town, which no bank tells before it has scheduled a debit. */
const someDays = (random: Random) =>
  new Set(
    Array.from({ length: 3000 }, (_, day) => readDay('2026-01-01') + day).filter(() => random.happens(0.04)),
  );

/** Plays one group of lives, and returns what is wrong. */
async function playGroup(seed: number): Promise<string[]> {
  const random = randomFrom(seed);
  const gateway = await startTestGateway({ startsWork: false });
  const { deps } = gateway;
  const merchants = [await insertMerchant(deps.db), await insertMerchant(deps.db, { in_rate: 150 })] as const;
  const lives = [
    ...Array.from({ length: weeklyPerGroup }, () => lifeOf(random, merchants, true)),
    ...Array.from({ length: monthlyPerGroup }, () => lifeOf(random, merchants, false)),
  ];
  const { verdicts, complaints } = await playOnServer({
    deps,
    lives,
    rules: {
      checksAtCall: random.happens(0.5),
      window: random.pick(['calendar', 'every']),
      tellsDebitsApart: random.happens(0.5),
      localHolidays: someDays(random),
    },
    habits: {
      pixKey: deps.connection.pixKey,
      hasUniqueContracts: random.happens(0.5),
      hidesRequestedDays: random.happens(0.5),
    },
    faults: seed % 4 === 0 ? NO_FAULTS : MANY_FAULTS,
    random,
  });
  await gateway.stop();
  const violations = verdicts.flatMap(({ idRec, violations: ofMandate }) =>
    ofMandate.map(({ guarantee, cycle, what }) => `${idRec}, cycle ${cycle}: ${guarantee}: ${what}`),
  );
  expect(verdicts.length).toBeGreaterThan(0);
  return [...violations, ...complaints].map((text) => `seed ${seed}: ${text}`);
}

test('the server keeps every guarantee on its own database, whatever payers, merchants, banks and networks do', async () => {
  const wrong: string[] = [];
  for (const seed of seeds) {
    wrong.push(...(await playGroup(seed)));
    if (isLong) console.log(`${seed} of ${groupCount} groups played, ${wrong.length} violations`);
  }
  expect(wrong).toEqual([]);
});
