// npm run bench -- user-search [--folder PATH]: how long does an administrator's search among a million accounts take?
// The first run creates them.
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { Client } from 'undici';
import { findUsers } from '../../../server/src/admin/find-users.ts';
import { machineClock } from '../../../server/src/clock.ts';
import { createRecorder, explain } from '../../../server/test/explain.ts';
import { databaseFolder, isBuilt } from '../built-database.ts';
import type { BenchOutcome, Counts } from '../outcome.ts';
import { get, signIn } from '../reads/ask-gateway.ts';
import { type RunningGateway, withGateway } from '../reads/with-gateway.ts';
import { saveResult, thisMachine } from '../save-result.ts';
import { percentileOf } from '../statistics.ts';
import { defaultUsers, makeUsers, staff } from './make-users.ts';
import { firstNames, lastNames } from './names.ts';

/** The number of measured searches of each kind, after a warm-up. */
type Plan = { readonly repetitions: number; readonly warmUp: number };

const full: Plan = { repetitions: 200, warmUp: 20 };

type Search = {
  readonly name: string;
  readonly as: 'admin' | 'support';
  readonly text: (n: number) => string;
};

const documentOf = (n: number) => String((n * 12_345_678_917) % 100_000_000_000).padStart(11, '0');
const someone = (n: number) => 1 + ((n * 7919) % 400_000);
const pick = (names: readonly string[], n: number) => names[n % names.length] ?? '';

const searches: readonly Search[] = [
  { name: 'the newest', as: 'admin', text: () => '' },
  { name: 'a common name', as: 'admin', text: (n) => pick(['silva', 'Maria', 'santos', 'José'], n) },
  { name: 'a rare name', as: 'admin', text: (n) => pick(['Zuleide', 'uchôa', 'zanella', 'Quitéria'], n) },
  {
    name: 'first and last name',
    as: 'admin',
    text: (n) => `${pick(firstNames, n)} ${pick(lastNames, 3 * n + 1)}`,
  },
  { name: 'a username', as: 'admin', text: (n) => `loja${someone(n)}` },
  { name: 'the end of an e-mail’s name', as: 'admin', text: (n) => `${someone(n)}@exam` },
  { name: 'six digits of a document', as: 'admin', text: (n) => documentOf(someone(n)).slice(2, 8) },
  { name: 'a whole document', as: 'admin', text: (n) => documentOf(someone(n)) },
  { name: 'two letters', as: 'admin', text: (n) => pick(['an', 'jo', 'si'], n) },
  { name: 'two letters of nobody', as: 'admin', text: (n) => pick(['wq', 'kx', 'yz'], n) },
  { name: 'nobody', as: 'admin', text: (n) => `wolfeschlegel${n}` },
  { name: 'support: a rare name', as: 'support', text: (n) => pick(['Zuleide', 'uchôa', 'zanella'], n) },
  { name: 'support: a common name', as: 'support', text: (n) => pick(['silva', 'Maria', 'santos'], n) },
  { name: 'support: part of a document', as: 'support', text: (n) => documentOf(someone(n)).slice(2, 8) },
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
  return 'kept';
}

/** Makes every search twice among a thousand accounts created in `folder`. */
export async function userSearchInSmall(folder: string): Promise<Counts> {
  const accounts = 1000;
  await makeUsers(folder, accounts);
  return withGateway(folder, async (gateway) => {
    const measured = await measureSearches(gateway, { warmUp: 0, repetitions: 2 });
    const explained = measured.filter(({ buffers, reads }) => buffers > 0 && reads.length > 0);
    return { accounts, searches: measured.length, 'searches explained': explained.length };
  });
}

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
      const times = await timeSearch(client, tokens[search.as], search, plan);
      const statements = await recorder.record((db) =>
        findUsers(
          { db, clock: machineClock },
          { search: search.text(1), page: 1 },
          { userId: 0, seesDocuments: search.as === 'admin' },
        ),
      );
      const plans = [];
      const asked = statements.filter(({ sql }) => sql.startsWith('select'));
      for (const statement of asked) plans.push(await explain(database, statement, 'custom'));
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

async function timeSearch(client: Client, token: string, { text }: Search, { warmUp, repetitions }: Plan) {
  const times: number[] = [];
  for (let serial = -warmUp; serial < repetitions; serial += 1) {
    const path = `/api/admin/user/basics?search=${encodeURIComponent(text(serial + warmUp))}`;
    const began = performance.now();
    await get(client, token, path);
    if (serial >= 0) times.push(performance.now() - began);
  }
  const at = (share: number) => Math.round(percentileOf(times, share) * 10) / 10;
  return { p50: at(0.5), p95: at(0.95) };
}
