// npm run bench -- user-search [--folder PATH]: how long does an administrator's search among a million accounts
// take? The first run creates the accounts.
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { Client } from 'undici';
import { findUsers } from '../../../server/src/admin/find-users.ts';
import { machineClock } from '../../../server/src/clock.ts';
import { createRecorder, explain } from '../../../server/test/explain.ts';
import { type BenchOutcome, type Counts, saveResult, thisMachine } from '../bench-result.ts';
import { databaseFolder, isBuilt } from '../built-database.ts';
import { fetchText, type RunningGateway, signIn, withGateway } from '../reads/with-gateway.ts';
import { percentileOf } from '../statistics.ts';
import { defaultUsers, firstNames, lastNames, makeUsers, staff } from './make-users.ts';

/** The number of measured searches of each kind, after a warm-up. */
type Plan = { readonly repetitions: number; readonly warmUp: number };

const full: Plan = { repetitions: 200, warmUp: 20 };

type Search = {
  readonly name: string;
  /** The account that searches. */
  readonly searcher: 'admin' | 'support';
  /** The text of the n-th search: each search looks for something else. */
  readonly text: (n: number) => string;
};

/** Returns the document of the account with this number, as make-users.ts assigned it. */
const documentOf = (n: number) => String((n * 12_345_678_917) % 100_000_000_000).padStart(11, '0');
/** Returns the number of an account for the n-th search. Successive searches select accounts far apart. */
const accountNumber = (n: number) => 1 + ((n * 7919) % 400_000);
const pick = (names: readonly string[], n: number) => names[n % names.length] ?? '';

const searches: readonly Search[] = [
  { name: 'the newest', searcher: 'admin', text: () => '' },
  { name: 'a common name', searcher: 'admin', text: (n) => pick(['silva', 'Maria', 'santos', 'José'], n) },
  {
    name: 'a rare name',
    searcher: 'admin',
    text: (n) => pick(['Zuleide', 'uchôa', 'zanella', 'Quitéria'], n),
  },
  {
    name: 'first and last name',
    searcher: 'admin',
    text: (n) => `${pick(firstNames, n)} ${pick(lastNames, 3 * n + 1)}`,
  },
  { name: 'a username', searcher: 'admin', text: (n) => `loja${accountNumber(n)}` },
  { name: 'the end of an e-mail’s name', searcher: 'admin', text: (n) => `${accountNumber(n)}@exam` },
  {
    name: 'six digits of a document',
    searcher: 'admin',
    text: (n) => documentOf(accountNumber(n)).slice(2, 8),
  },
  { name: 'a whole document', searcher: 'admin', text: (n) => documentOf(accountNumber(n)) },
  { name: 'two letters', searcher: 'admin', text: (n) => pick(['an', 'jo', 'si'], n) },
  { name: 'two letters of nobody', searcher: 'admin', text: (n) => pick(['wq', 'kx', 'yz'], n) },
  { name: 'nobody', searcher: 'admin', text: (n) => `wolfeschlegel${n}` },
  {
    name: 'support: a rare name',
    searcher: 'support',
    text: (n) => pick(['Zuleide', 'uchôa', 'zanella'], n),
  },
  { name: 'support: a common name', searcher: 'support', text: (n) => pick(['silva', 'Maria', 'santos'], n) },
  {
    name: 'support: part of a document',
    searcher: 'support',
    text: (n) => documentOf(accountNumber(n)).slice(2, 8),
  },
];

export async function benchUserSearch(args: readonly string[]): Promise<BenchOutcome> {
  const { values } = parseArgs({ args: [...args], options: { folder: { type: 'string' } } });
  const folder = databaseFolder(values.folder, 'users');
  if (!isBuilt(folder)) {
    rmSync(folder, { recursive: true, force: true });
    await makeUsers(folder, defaultUsers);
  }
  const machine = thisMachine();
  await withGateway(folder, async (gateway) => {
    const measured = await measureSearches(gateway, full);
    console.table(
      Object.fromEntries(measured.map(({ name, ...rest }) => [name, { ...rest, reads: rest.reads.join() }])),
    );
    const { repetitions } = full;
    saveResult('user-search', { machine, users: defaultUsers, repetitions, searches: measured });
  });
  return 'saved';
}

/** Makes every search twice among a thousand accounts created in `folder`. */
export async function runSmallUserSearch(folder: string): Promise<Counts> {
  const accounts = 1000;
  await makeUsers(folder, accounts);
  return withGateway(folder, async (gateway) => {
    const measured = await measureSearches(gateway, { warmUp: 0, repetitions: 2 });
    const explained = measured.filter(({ buffers, reads }) => buffers > 0 && reads.length > 0);
    return { accounts, searches: measured.length, 'searches explained': explained.length };
  });
}

/**
 * Times each search over HTTP, and reads from its query plans how many pages the search needs and how it reads `users`.
 */
async function measureSearches({ origin, ownerUrl }: RunningGateway, plan: Plan) {
  const client = new Client(origin);
  const database = new pg.Client({ connectionString: ownerUrl });
  await database.connect();
  const recorder = createRecorder(ownerUrl);
  try {
    const tokens = {
      admin: await signIn(client, staff.admin, staff.password),
      support: await signIn(client, staff.support, staff.password),
    };
    const measured = [];
    for (const search of searches) {
      const times = await timeSearch(client, tokens[search.searcher], search, plan);
      const statements = await recorder.record((db) =>
        findUsers(
          { db, clock: machineClock, config: { merchantAccounts: 'pooled' } },
          { search: search.text(1), page: 1 },
          { userId: 0, seesDocuments: search.searcher === 'admin' },
        ),
      );
      const plans = [];
      const queries = statements.filter(({ sql }) => sql.startsWith('select'));
      for (const statement of queries) plans.push(await explain(database, statement, 'custom'));
      const buffers = plans.reduce((sum, plan) => sum + plan.buffers, 0);
      const reads = plans.flatMap(({ steps }) => steps.filter((step) => / users/.test(step)));
      measured.push({ name: search.name, ...times, buffers, reads: [...new Set(reads)] });
    }
    return measured;
  } finally {
    await client.close();
    await database.end();
    await recorder.db.destroy();
  }
}

/** Returns the times of one search in milliseconds. */
async function timeSearch(client: Client, token: string, { text }: Search, { warmUp, repetitions }: Plan) {
  const times: number[] = [];
  for (let serial = -warmUp; serial < repetitions; serial += 1) {
    const path = `/api/admin/user/basics?search=${encodeURIComponent(text(serial + warmUp))}`;
    const startMs = performance.now();
    await fetchText(client, token, path);
    if (serial >= 0) times.push(performance.now() - startMs);
  }
  const percentile = (share: number) => Math.round(percentileOf(times, share) * 10) / 10;
  return { p50: percentile(0.5), p95: percentile(0.95) };
}
