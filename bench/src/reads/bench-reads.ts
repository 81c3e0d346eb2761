// npm run bench -- reads [--folder PATH]: do reads take longer for a merchant with many payments? Measures
// the database made by build-payments.
import { parseArgs } from 'node:util';
import pg from 'pg';
import { Client } from 'undici';
import { type BenchOutcome, type Counts, saveResult, thisMachine } from '../bench-result.ts';
import { databaseFolder, isBuilt } from '../built-database.ts';
import { runSmallBuild } from './build-payments.ts';
import { explainReads, type ReadCost } from './explain-reads.ts';
import { openReader } from './open-reader.ts';
import { bigMerchant, smallMerchant } from './payments-database.ts';
import type { Read } from './reads.ts';
import { type Readers, type TimedRead, type TimingPlan, timeReads } from './time-reads.ts';
import { type RunningGateway, withGateway } from './with-gateway.ts';

/** A read may take at most 1.3 times as long (p99) for the merchant with many payments as for the one with few. */
const goal = 1.3;
/**
 * Returns the maximum number of 8 KiB pages that a read may touch, whatever the table's size: 300, and two for each
 * index entry that the read walks through, since an entry may lead to two row versions.
 */
const maxBuffersOf = ({ walks }: Pick<Read, 'walks'>) => 300 + 2 * walks;

type Plan = TimingPlan & {
  /** The number of cursors collected, from the newest payment to the oldest. */
  readonly depths: number;
};

/**
 * There are enough repetitions that the slowest hundredth of calls, on which p99 depends, is more than a handful.
 */
const full: Plan = {
  rounds: 3,
  warmUp: 150,
  depths: 360,
  repetitionsOf: ({ bound }) => (bound ? 2000 : 500),
};
const smallPlan: Plan = { rounds: 1, warmUp: 0, depths: 5, repetitionsOf: () => 2 };

export async function benchReads(args: readonly string[]): Promise<BenchOutcome> {
  const { values } = parseArgs({ args: [...args], options: { folder: { type: 'string' } } });
  const folder = databaseFolder(values.folder, 'payments');
  if (!isBuilt(folder))
    throw new Error(`Left out: ${folder} is not built yet, npm run bench -- build-payments builds it.`);
  const machine = thisMachine();
  await withGateway(folder, async (gateway) => {
    const { payments, measured } = await measureReads(gateway, full);
    print(measured);
    saveResult('reads', {
      machine: { ...machine, loadAverageAfter: thisMachine().loadAverage },
      payments,
      rounds: full.rounds,
      goal,
      reads: measured,
    });
    checkReads(measured);
  });
  return 'saved';
}

/**
 * Makes every read twice for each merchant. The merchant with many payments has a thousand; the database is built in
 * `folder` if it is missing. Query plans on small tables say nothing about large ones, so the plans are only counted.
 */
export async function runSmallReads(folder: string): Promise<Counts> {
  if (!isBuilt(folder)) await runSmallBuild(folder);
  return withGateway(folder, async (gateway) => {
    const { payments, measured } = await measureReads(gateway, smallPlan);
    const explained = measured.flatMap(({ explained: { big, small } }) => [big, small]);
    return {
      ...payments,
      reads: measured.length,
      'reads explained': explained.filter((plan) => plan !== undefined).length,
    };
  });
}

type ReadResults = {
  readonly payments: { readonly big: number; readonly small: number };
  readonly measured: readonly MeasuredRead[];
};

async function measureReads({ origin, ownerUrl }: RunningGateway, plan: Plan): Promise<ReadResults> {
  const client = new Client(origin);
  try {
    const readers = await openReaders(client, ownerUrl, plan);
    const explained = {
      big: await explainReads(ownerUrl, readers.big),
      small: await explainReads(ownerUrl, readers.small),
    };
    const measured = (await timeReads(client, readers, plan)).map((read) => ({
      ...read,
      explained: { big: explained.big.get(read.name), small: explained.small.get(read.name) },
    }));
    return { payments: { big: readers.big.total, small: readers.small.total }, measured };
  } finally {
    await client.close();
  }
}

async function openReaders(client: Client, ownerUrl: string, { depths }: Plan): Promise<Readers> {
  const database = new pg.Client({ connectionString: ownerUrl });
  await database.connect();
  try {
    const idOf = async (username: string) => {
      const { rows } = await database.query<{ id: string }>('select id from users where username = $1', [
        username,
      ]);
      return Number(rows[0]?.id);
    };
    return {
      big: await openReader(client, await idOf(bigMerchant), bigMerchant, depths),
      small: await openReader(client, await idOf(smallMerchant), smallMerchant, depths),
    };
  } finally {
    await database.end();
  }
}

type MeasuredRead = TimedRead & {
  /** The query plans for each merchant. */
  readonly explained: { readonly big: ReadCost | undefined; readonly small: ReadCost | undefined };
};

function print(measured: readonly MeasuredRead[]): void {
  console.table(
    Object.fromEntries(
      measured.map(({ name, bound, big, small, ratioP50, ratioP99, explained }) => [
        name,
        {
          'p50 ms, many': big.p50,
          'few ': small.p50,
          ratio: ratioP50,
          'p99 ms, many': big.p99,
          few: small.p99,
          'ratio of p99': ratioP99,
          goal: bound ? goal : '',
          'buffers, many': explained.big?.buffers,
          'few  ': explained.small?.buffers,
        },
      ]),
    ),
  );
}

/**
 * Prints slow reads.
 * @throws if the cost of a query plan grows with the table, even if the times do not show that yet
 */
function checkReads(measured: readonly MeasuredRead[]): void {
  const slow = measured.filter(({ bound, ratioP99 }) => bound && ratioP99 > goal);
  for (const { name, ratioP99 } of slow) console.log(`Falls short: ${name} takes ${ratioP99} times as long.`);
  const growing = measured.flatMap((read) =>
    [read.explained.big, read.explained.small].flatMap((plan) => growingCosts(read, plan)),
  );
  if (growing.length > 0) throw new Error(`Reads that grow with the table: ${growing.join('; ')}`);
}

/** Describes the costs of a plan that grow with the table: sequential scans, and more pages than allowed. */
function growingCosts(read: MeasuredRead, plan: ReadCost | undefined): string[] {
  if (plan === undefined) return [`${read.name} was not explained`];
  const scans = plan.scans.map((scan) => `${read.name}: ${scan}`);
  if (plan.buffers <= maxBuffersOf(read)) return scans;
  return [...scans, `${read.name}: ${plan.buffers} buffers`];
}
