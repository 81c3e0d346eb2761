// npm run bench [-- NAME [arguments]]: runs one bench, or all of them, and keeps what they found in bench/results/.
import { benchPageWeight } from './page-weight/bench-page-weight.ts';
import { benchReceiving } from './receiving/bench-receiving.ts';

const benches: Record<string, (args: readonly string[]) => Promise<void>> = {
  receiving: benchReceiving,
  'page-weight': benchPageWeight,
};

async function main([name, ...args]: readonly string[]): Promise<void> {
  if (name === undefined) {
    for (const bench of Object.values(benches)) await bench([]);
    return;
  }
  const bench = benches[name];
  if (bench === undefined) throw new Error(`No bench ${name}. There are: ${Object.keys(benches).join(', ')}`);
  await bench(args);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
// An interrupted bench leaves calls of its browser unanswered.
process.exit();
