// npm run bench -- reads [--folder PATH]: do reads take longer for a merchant with many payments? Measures the database
// made by build-payments.
import { parseArgs } from 'node:util';
import pg from 'pg';
import { Client } from 'undici';
import { databaseFolder, isBuilt } from '../built-database.ts';
import type { BenchOutcome, Counts } from '../outcome.ts';
import { saveResult, thisMachine } from '../save-result.ts';
import { spreadOf } from '../statistics.ts';
import { buildInSmall } from './build-payments.ts';
import { type Explained, explainReads } from './explain-reads.ts';
import { openReader } from './open-reader.ts';
import { bigMerchant, smallMerchant } from './payments-database.ts';
import { type Read, type Reader, reads } from './reads.ts';
import { type Times, timeRound } from './time-reads.ts';
import { type RunningGateway, withGateway } from './with-gateway.ts';

const goal = 1.5;
/** The 8 KiB pages that a read may touch, whatever the table's size. Each index entry may lead to two row versions. */
const mostBuffers = ({ walks }: Pick<Read, 'walks'>) => 300 + 2 * walks;

type Plan = {
  readonly rounds: number;
  readonly warmUp: number;
  /** The number of cursors collected, from the newest payment to the oldest. */
  readonly depths: number;
  /** Per round and merchant. */
  repetitionsOf(read: Pick<Read, 'bound'>): number;
};

/** Large enough that the slowest hundredth, which p99 depends on, is more than a handful of calls. */
const full: Plan = {
  rounds: 3,
  warmUp: 150,
  depths: 360,
  repetitionsOf: ({ bound }) => (bound ? 2000 : 500),
};
const inSmall: Plan = { rounds: 1, warmUp: 0, depths: 5, repetitionsOf: () => 2 };

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
    judge(measured);
  });
  return 'kept';
}

/** Makes every read twice on a thousand payments, built in `folder` if missing. Tables this small say nothing about plans. */
export async function readsInSmall(folder: string): Promise<Counts> {
  if (!isBuilt(folder)) await buildInSmall(folder);
  return withGateway(folder, async (gateway) => {
    const { payments, measured } = await measureReads(gateway, inSmall);
    const explained = measured.flatMap(({ explained: { big, small } }) => [big, small]);
    return {
      ...payments,
      reads: measured.length,
      'reads explained': explained.filter((plan) => plan !== undefined).length,
    };
  });
}

type Readers = { readonly big: Reader; readonly small: Reader };

type Found = {
  readonly payments: { readonly big: number; readonly small: number };
  readonly measured: readonly Measured[];
};

async function measureReads({ origin, ownerUrl }: RunningGateway, plan: Plan): Promise<Found> {
  const client = new Client(origin);
  try {
    const readers = await openReaders(client, ownerUrl, plan);
    const explained = {
      big: await explainReads(ownerUrl, readers.big),
      small: await explainReads(ownerUrl, readers.small),
    };
    const measured = (await timeReads(client, readers, plan)).map((timed) => ({
      ...timed,
      explained: { big: explained.big.get(timed.name), small: explained.small.get(timed.name) },
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

type Timed = {
  readonly name: string;
  readonly bound: boolean;
  readonly walks: number;
  readonly repetitions: number;
  readonly big: Times;
  readonly small: Times;
  /** How many times as long the read takes for the big merchant: the median over the rounds. */
  readonly ratioP50: number;
  readonly ratioP99: number;
  readonly ratiosP99: readonly number[];
};

/** Each round makes all reads, so that disturbances of the machine affect all of them alike. */
async function timeReads(client: Client, readers: Readers, plan: Plan): Promise<Timed[]> {
  const { warmUp, repetitionsOf } = plan;
  for (const read of reads) await timeRound(client, read, readers, warmUp);
  const found = new Map<Read, Awaited<ReturnType<typeof timeRound>>[]>(reads.map((read) => [read, []]));
  for (let round = 0; round < plan.rounds; round += 1)
    for (const read of reads)
      found.get(read)?.push(await timeRound(client, read, readers, repetitionsOf(read)));
  return [...found].map(([read, rounds]) => {
    const { name, bound, walks } = read;
    const middle = (figure: (round: (typeof rounds)[number]) => number) =>
      rounded(spreadOf(rounds.map(figure)).median);
    const times = (size: 'big' | 'small') => ({
      p50: middle((round) => round[size].p50),
      p99: middle((round) => round[size].p99),
    });
    return {
      name,
      bound,
      walks,
      repetitions: repetitionsOf(read),
      big: times('big'),
      small: times('small'),
      ratioP50: middle(({ big, small }) => big.p50 / small.p50),
      ratioP99: middle(({ big, small }) => big.p99 / small.p99),
      ratiosP99: rounds.map(({ big, small }) => rounded(big.p99 / small.p99)),
    };
  });
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

type Measured = Timed & {
  readonly explained: { readonly big: Explained | undefined; readonly small: Explained | undefined };
};

function print(measured: readonly Measured[]): void {
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

/** Reports slow reads. A plan whose cost grows with the table is an error, even if times do not show it yet. */
function judge(measured: readonly Measured[]): void {
  const long = measured.filter(({ bound, ratioP99 }) => bound && ratioP99 > goal);
  for (const { name, ratioP99 } of long) console.log(`Falls short: ${name} takes ${ratioP99} times as long.`);
  const wrong = measured.flatMap((read) =>
    [read.explained.big, read.explained.small].flatMap((plan) => whatGrows(read, plan)),
  );
  if (wrong.length > 0) throw new Error(`Reads that grow with the table: ${wrong.join('; ')}`);
}

function whatGrows(read: Measured, plan: Explained | undefined): string[] {
  if (plan === undefined) return [`${read.name} was not explained`];
  const scans = plan.scans.map((scan) => `${read.name}: ${scan}`);
  return plan.buffers > mostBuffers(read) ? [...scans, `${read.name}: ${plan.buffers} buffers`] : scans;
}
