import { randomUUID } from 'node:crypto';
// npm run bench -- written: what does the database write for a payment? The counts are exact even on a busy machine.
// The tests compare them, so that nobody makes a payment write more without noticing.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { backgroundLoops } from '../../../server/src/background-work.ts';
import { startEmbeddedPostgres } from '../../../server/src/db/embedded.ts';
import { createAddressRules, createGuardedFetch } from '../../../server/src/guarded-fetch/index.ts';
import { createNoticeProcessor } from '../../../server/src/payments/index.ts';
import { noticePath } from '../../../server/src/psp/index.ts';
import { createWebhookSender } from '../../../server/src/webhooks/index.ts';
import { CLUSTER_VARIABLE } from '../../../server/test/cluster.ts';
import { startTestGateway, type TestGateway } from '../../../server/test/gateway.ts';
import { type GivenMerchant, givenBalance, givenCharge, givenMerchant } from '../../../server/test/given.ts';
import { bankIsBusy } from '../../../server/test/money/bank-is-busy.ts';
import { allowWithdrawals, payeePixKey } from '../../../server/test/money/machine.ts';
import { startWebhookReceiver } from '../../../server/test/webhook-receiver.ts';
import { type BenchOutcome, type Counts, saveResult, thisMachine } from '../bench-result.ts';
import { measureWriteCost, type WriteCost } from './measure-write-cost.ts';

/** The steps of a payment's life, in the order in which they run. */
export type Step =
  | 'charge created and opened'
  | 'created under an idempotency key'
  | 'paid alone'
  | 'webhook delivered'
  | 'refunded'
  | 'withdrawn'
  | 'hundred paid by one notification';

export async function benchWriteCost(): Promise<BenchOutcome> {
  const written = await measureWriteCosts();
  console.table(
    Object.fromEntries(
      Object.entries(written).map(([step, { tables: _tables, ...counts }]) => [step, counts]),
    ),
  );
  for (const [step, { tables }] of Object.entries(written)) {
    console.log(step);
    console.table(tables);
  }
  saveResult('written', { machine: thisMachine(), steps: written });
  return 'saved';
}

/**
 * Returns the counts that do not vary from run to run. The hundred payments are booked in groups, and the number of
 * groups depends on the order of the bank's responses. Rows that the payments of a group share must therefore not
 * count, so the rows of each table are divided by the number of payments and rounded down.
 */
export async function runSmallWriteCost(): Promise<Counts> {
  const written = await measureWriteCosts();
  return Object.fromEntries(
    Object.entries(written).flatMap(([step, { statements, tables, deletedRows, indexEntries }]) => {
      const payments = step === 'hundred paid by one notification' ? 100 : 1;
      const rowsPerPayment = Object.values(tables).map(({ rows }) => Math.floor(rows / payments));
      return [
        ...(hasFixedStatements(step) ? [[`${step}: statements`, statements]] : []),
        [`${step}: rows`, rowsPerPayment.reduce((sum, rows) => sum + rows, 0)],
        [`${step}: deleted rows`, deletedRows],
        [`${step}: index entries`, Math.round(indexEntries / payments)],
      ];
    }),
  );
}

/**
 * Whether a step sends the same number of statements in every run. Steps with orders to the bank do not, because the
 * orders are looked up until they end. Nor does the step with a hundred payments, because the number of groups varies.
 */
const hasFixedStatements = (step: string) =>
  [
    'charge created and opened',
    'created under an idempotency key',
    'paid alone',
    'webhook delivered',
  ].includes(step);

async function measureWriteCosts(): Promise<Record<Step, WriteCost>> {
  const folder = mkdtempSync(join(tmpdir(), 'jangada-written-'));
  const cluster = await startEmbeddedPostgres({
    dataDir: join(folder, 'postgres'),
    durable: false,
    settings: {
      shared_preload_libraries: 'pg_stat_statements',
      // PostgreSQL starts no vacuum and no checkpoint of its own, so that only the gateway writes during a count.
      autovacuum: 'off',
      checkpoint_timeout: '1d',
      max_wal_size: '4GB',
      scram_iterations: '1',
    },
  });
  const previousCluster = process.env[CLUSTER_VARIABLE];
  process.env[CLUSTER_VARIABLE] = cluster.url('postgres');
  try {
    return await measureOn(await startTestGateway({ startsWork: false }), cluster.url);
  } finally {
    if (previousCluster === undefined) delete process.env[CLUSTER_VARIABLE];
    else process.env[CLUSTER_VARIABLE] = previousCluster;
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureOn(
  gateway: TestGateway,
  clusterUrl: (database: string) => string,
): Promise<Record<Step, WriteCost>> {
  const superuser = new pg.Client(clusterUrl(new URL(gateway.database.appUrl).pathname.slice(1)));
  await superuser.connect();
  try {
    await superuser.query('create extension pg_stat_statements; create extension pg_walinspect');
    return await measureSteps(gateway, (work) => measureWriteCost(superuser, work));
  } finally {
    await superuser.end();
    await gateway.stop();
  }
}

/** Runs each step of a payment's life within `measure`, after a first round that only warms up. */
export async function measureSteps<T>(
  gateway: TestGateway,
  measure: (work: () => Promise<void>) => Promise<T>,
): Promise<Record<Step, T>> {
  const shop = await startWebhookReceiver();
  try {
    const merchant = await givenShop(gateway, shop.url);
    // The gateway sends no order to the bank before one of its loops has compared the bank's balance.
    for (const { work } of backgroundLoops) await work(gateway.deps);
    const steps = stepsOf(gateway, merchant);
    // The first round is not counted: it fills caches and first pages of tables, unlike later payments.
    await runSteps(steps, async (work) => void (await work()));
    await sendWebhooks(gateway);
    const measured = new Map<string, T>();
    await runSteps(steps, async (work, name) => void measured.set(name, await measure(work)));
    return Object.fromEntries(measured) as Record<Step, T>;
  } finally {
    await shop.close();
  }
}

/** Each payment has a fee, so that it moves money both to the balance and to the fees. */
const taxes = {
  pix: { in: 0.99, out: 0, fixIn: 0, fixOut: 1.5 },
  crypto: 0,
  reserve: { enabled: false, percentage: 0, liberationTime: 0 },
};

/** A merchant with a PIN and one webhook endpoint, who may withdraw by API key. */
async function givenShop(gateway: TestGateway, webhookUrl: string): Promise<GivenMerchant> {
  const merchant = await givenMerchant(gateway, { account: { taxes } });
  const { token } = merchant;
  await allowWithdrawals(gateway, merchant);
  await succeed(gateway.api('POST', '/webhooks/endpoints', { url: `${webhookUrl}/webhooks` }, { token }));
  // A full refund takes more than the payment credited, because of the fee, so the merchant needs other money.
  await givenBalance(gateway, merchant, 1000);
  return merchant;
}

async function succeed(response: ReturnType<TestGateway['api']>): Promise<unknown> {
  const { status, body } = await response;
  if (status >= 300) throw new Error(`The gateway answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

type NamedStep = {
  readonly name: Step;
  /** Prepares the step. Its own writes are not counted. */
  readonly prepare?: () => Promise<void>;
  readonly work: () => Promise<void>;
};

async function runSteps(
  steps: readonly NamedStep[],
  run: (work: () => Promise<void>, name: Step) => Promise<void>,
): Promise<void> {
  for (const { name, prepare, work } of steps) {
    await prepare?.();
    await run(work, name);
  }
}

/** Sends all webhooks with a new sender, so that the count includes the lease of the merchant and its release. */
async function sendWebhooks({ deps }: TestGateway): Promise<void> {
  const sender = createWebhookSender({
    ...deps,
    fetch: createGuardedFetch({ rules: createAddressRules(deps.config) }),
  });
  await sender.sendDue();
  await sender.stop();
}

function stepsOf(gateway: TestGateway, merchant: GivenMerchant): NamedStep[] {
  const notices = createNoticeProcessor(gateway.deps);
  let charges: { id: string; content: string }[] = [];
  let endToEndIds: string[] = [];
  const createCharges = async (count: number) => {
    charges = [];
    for (let index = 0; index < count; index += 1)
      charges.push(await givenCharge(gateway, merchant, { image: false }));
  };
  const createUnderKey = async () => {
    const [apiKey, headers] = [merchant.apiKey, { 'idempotency-key': randomUUID() }];
    await succeed(gateway.api('POST', '/pix/new', { amount: 100, image: false }, { apiKey, headers }));
  };
  const settle = async () => {
    await notices.sweep();
    await notices.waitUntilIdle(10_000);
  };
  const payOne = async () => {
    await gateway.bank.pay({ brCode: charges[0]?.content });
    await waitForBank(gateway);
    await settle();
  };
  return [
    { name: 'created under an idempotency key', work: createUnderKey },
    { name: 'charge created and opened', work: () => createCharges(1) },
    { name: 'paid alone', work: payOne },
    { name: 'webhook delivered', work: () => sendWebhooks(gateway) },
    {
      name: 'refunded',
      work: async () => {
        const path = `/pix/${charges[0]?.id}/refund`;
        await succeed(gateway.api('POST', path, {}, { apiKey: merchant.apiKey }));
        await sendOrders(gateway, settle);
      },
    },
    {
      name: 'withdrawn',
      prepare: async () => {
        await createCharges(1);
        await payOne();
      },
      work: async () => {
        const request = { amount: 2000, pixKey: payeePixKey, keyType: 'email' };
        await succeed(gateway.api('POST', '/withdraw', request, { apiKey: merchant.apiKey }));
        await sendOrders(gateway, settle);
      },
    },
    {
      name: 'hundred paid by one notification',
      prepare: async () => {
        await createCharges(100);
        await gateway.bank.setBehaviour({ notifications: 'never' });
        endToEndIds = [];
        for (const { content } of charges) endToEndIds.push(await gateway.bank.pay({ brCode: content }));
        await gateway.bank.setBehaviour({});
      },
      work: async () => {
        const url = `${gateway.noticesUrl}${noticePath(gateway.deps)}/pix`;
        const pix = endToEndIds.map((endToEndId) => ({ endToEndId }));
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ pix }),
        });
        if (!response.ok) throw new Error(`The notification was answered ${response.status}.`);
        await settle();
      },
    },
  ];
}

/** Sends orders to the bank, and books the bank's reports, until no order is under way. */
async function sendOrders(gateway: TestGateway, settle: () => Promise<void>): Promise<void> {
  for (let round = 0; round < 200; round += 1) {
    for (const { work, sendsOrders, name } of backgroundLoops)
      if (sendsOrders || ['withdrawal look-ups', 'returns'].includes(name)) await work(gateway.deps);
    await waitForBank(gateway);
    // The bank reports returned money like received money.
    await settle();
    const { rows } = await sql`
      select 1 from withdrawals where status in ('pending', 'processing')
      union all select 1 from refunds where status = 'processing'`.execute(gateway.deps.db);
    if (rows.length === 0) return;
    await sleep(20);
  }
  throw new Error('An order to the bank does not end.');
}

async function waitForBank({ bank }: TestGateway): Promise<void> {
  while (await bankIsBusy(bank)) await sleep(10);
}
