// npm run bench [-- NAME [arguments]]: runs one bench, or all of them, and keeps what they found in bench/results/.
// npm run bench -- --quick: a look in three minutes at the one that takes longest.
import { benchPageWeight } from './page-weight/bench-page-weight.ts';
import { benchReads } from './reads/bench-reads.ts';
import { buildPayments } from './reads/build-payments.ts';
import { benchReceiving } from './receiving/bench-receiving.ts';
import { benchRouteChange } from './route-change/bench-route-change.ts';
import { benchSignIn } from './sign-in/bench-sign-in.ts';
import { benchUserSearch } from './user-search/bench-user-search.ts';
import { benchWebhooks } from './webhooks/bench-webhooks.ts';

type Command = (args: readonly string[]) => Promise<void>;

const benches: Record<string, Command> = {
  receiving: benchReceiving,
  webhooks: benchWebhooks,
  reads: benchReads,
  'user-search': benchUserSearch,
  'page-weight': benchPageWeight,
  'route-change': benchRouteChange,
  'sign-in': benchSignIn,
};

/** What is run by its name only. */
const preparations: Record<string, Command> = { 'build-payments': buildPayments };

async function main([name, ...args]: readonly string[]): Promise<void> {
  if (name === undefined) {
    for (const bench of Object.values(benches)) await bench([]);
    return;
  }
  if (name === '--quick') return benchReceiving([name, ...args]);
  const named = { ...benches, ...preparations };
  const bench = named[name];
  if (bench === undefined) throw new Error(`No bench ${name}. There are: ${Object.keys(named).join(', ')}`);
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
