// npm run bench [-- NAME [arguments]]: runs one bench, or all of them, and keeps what they found in bench/results/.
// npm run bench -- --quick: a look in three minutes at the one that takes longest.
// npm run bench -- --small [NAME ...]: small forms, as the tests run them: their counts, and nothing is kept.
import { type Bench, benches } from './benches.ts';
import { benchReceiving } from './receiving/bench-receiving.ts';
import { runAll } from './run-benches.ts';
import { runSmall } from './run-small.ts';

async function main([name, ...args]: readonly string[]): Promise<void> {
  if (name === undefined) await runAll(benches);
  else if (name === '--quick') await benchReceiving([name, ...args]);
  else if (name === '--small')
    console.log(JSON.stringify(await runSmall(args.length === 0 ? benches : args.map(benchOf))));
  else await benchOf(name).run(args);
}

function benchOf(name: string): Bench {
  const bench = benches.find((one) => one.name === name);
  if (bench !== undefined) return bench;
  throw new Error(`No bench ${name}. There are: ${benches.map(({ name }) => name).join(', ')}`);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
// An interrupted bench leaves calls of its browser unanswered.
process.exit();
