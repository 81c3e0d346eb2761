import pMap from 'p-map';
import { expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from './gateway.ts';
import { commands } from './money/commands.ts';
import { findDifferences, startMachine } from './money/machine.ts';
import { seededRandom } from './money/random.ts';

const isLongRun = process.env['LONG'] === '1';
const stepCount = Number(process.env['MONEY_STEPS'] ?? (isLongRun ? 100_000 : 160));
/** Steps between full comparisons; each command also checks its own response. */
const stepsBetweenComparisons = 20;
/** Steps per story; each story begins with an empty database and bank. */
const stepsOfStory = isLongRun ? 500 : 80;
/** Several stories run concurrently, because each mostly waits for the bank and the database. */
const concurrentStories = 3;
const seed = Number(process.env['MONEY_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

const settings = { WITHDRAWAL_DAY: '999999999', WITHDRAWAL_NIGHT: '999999999', GATEWAY_DAY: '999999999' };
const totalWeight = commands.reduce((sum, { weight }) => sum + weight, 0);

/** Runs one story, and throws with its last steps on a difference. */
async function play(gateway: TestGateway, storySeed: number): Promise<void> {
  const random = seededRandom(storySeed);
  const machine = await startMachine(gateway, random);
  const report = () => `MONEY_SEED=${storySeed}, after:\n${machine.stepLog.slice(-60).join('\n')}`;
  for (let step = 1; step <= stepsOfStory; step += 1) {
    // Chooses a command at random, by its weight.
    let remainingWeight = random.between(1, totalWeight);
    const command = commands.find(({ weight }) => {
      remainingWeight -= weight;
      return remainingWeight <= 0;
    });
    try {
      const what = await command?.run(machine);
      if (what !== undefined) machine.stepLog.push(`${step}. ${what}`);
    } catch (cause) {
      throw new Error(report(), { cause });
    }
    if (step % stepsBetweenComparisons === 0) expect(await findDifferences(machine), report()).toEqual([]);
  }
}

test('any sequence of money movements leaves the books, the bank and a simple model in agreement', {
  timeout: 6 * 3_600_000,
}, async () => {
  console.log(`MONEY_SEED=${seed} plays this run again`);
  const stories = Array.from({ length: Math.ceil(stepCount / stepsOfStory) }, (_, story) => story);
  let doneSteps = 0;
  await pMap(
    stories,
    async (story) => {
      const gateway = await startTestGateway({ startsWork: false, env: settings });
      try {
        await play(gateway, seed + story);
      } catch (error) {
        // Wrong books also make the stop fail, but the story's own error says more.
        await gateway.stop().catch(() => {});
        throw error;
      }
      await gateway.stop();
      doneSteps += stepsOfStory;
      if (isLongRun) console.log(`${doneSteps} steps`);
    },
    { concurrency: concurrentStories },
  );
});
