// npm run bench [-- NAME [arguments]]: runs one bench or all, and stores their results in bench/results/.
// npm run bench -- --quick: a three-minute preview of the longest bench.
// npm run bench -- --small [NAME ...]: prints the counts of small forms, as run by the tests, and stores nothing.
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
// After an interruption, pending browser calls would keep the process alive.
process.exit();
