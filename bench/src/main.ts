// npm run bench [-- NAME [arguments]]: runs one bench or all, and stores their results in bench/results/.
// npm run bench -- --quick: a three-minute preview of the longest bench, which stores nothing.
// npm run bench -- --small [NAME ...]: runs small forms as the tests do, prints their counts, and stores nothing.
import { type Bench, benches } from './benches.ts';
import { benchReceiving } from './receiving/bench-receiving.ts';
import { runAll, runSmallForms } from './run-benches.ts';

async function main([name, ...args]: readonly string[]): Promise<void> {
  if (name === undefined) await runAll(benches);
  else if (name === '--quick') await benchReceiving([name, ...args]);
  else if (name === '--small') {
    const selected = args.length === 0 ? benches : args.map(benchNamed);
    console.log(JSON.stringify(await runSmallForms(selected)));
  } else await benchNamed(name).run(args);
}

function benchNamed(name: string): Bench {
  const bench = benches.find((candidate) => candidate.name === name);
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
