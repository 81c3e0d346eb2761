import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSubscription, cycle as cycleSchema, type Subscription } from '@jangada/contract';
import pMap from 'p-map';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { calendarDayOf, daysAfter } from '../src/calendar-day.ts';
import { migrate } from '../src/db/migrate.ts';
import type { Db } from '../src/db/pool.ts';
import { auditLedger } from '../src/ledger/index.ts';
import { createSecrets } from '../src/secrets.ts';
import { cancelUntil } from '../src/subscriptions/next-step.ts';
import { startTestBank, type TestBank } from './bank.ts';
import { findFreePort } from './free-port.ts';
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts';
import { insertMerchant } from './merchant-row.ts';
import { type KillableCluster, startKillableCluster } from './money/killable-cluster.ts';
import { seededRandom } from './money/random.ts';
import { observeDatabase } from './observer.ts';

const isLongRun = process.env['LONG'] === '1';
const subscriptionCount = isLongRun ? 60 : 8;
const weeks = isLongRun ? 26 : 2;
const kills = isLongRun ? 60 : 4;
const actsPerStep = isLongRun ? 4 : 1;
const stepHours = isLongRun ? 12 : 24;
const seed = Number(process.env['MONEY_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

let cluster: KillableCluster;
let db: Db;
let bank: TestBank;
let gateway: GatewayProcess;
let merchantId: number;
const directory = mkdtempSync(join(tmpdir(), 'jangada-kill-'));
const secretKey = Buffer.alloc(32, 7);
const apiKey = `jgd_${'5e'.repeat(24)}`;
const port = await findFreePort();

const settings = () => ({
  PORT: String(port),
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  SANDBOX_PORT: String(bank.port),
  PSP_BASE_URL: `${bank.apiUrl}/v2`,
  PSP_TOKEN_URL: `${bank.apiUrl}/oauth/token`,
  DATA_DIR: directory,
  DATABASE_URL: cluster.url(),
  SECRET_KEY: secretKey.toString('base64'),
  RATE_LIMIT: '0',
});

beforeAll(async () => {
  chmodSync(directory, 0o711);
  cluster = await startKillableCluster(join(directory, 'database'), { synchronousCommit: true });
  bank = await startTestBank();
  await migrate({ ownerUrl: cluster.url() });
  db = observeDatabase(cluster.url());
  merchantId = await insertMerchant(db);
  const secrets = createSecrets(secretKey);
  const hashed = { key_hash: secrets.hash('api-key', apiKey), sealed_key: secrets.seal('api-key', apiKey) };
  await db
    .insertInto('api_keys')
    .values({ merchant_id: merchantId, ...hashed, masked_key: '', created_at: new Date() })
    .execute();
  gateway = await startGatewayProcess(settings());
});

afterAll(async () => {
  await gateway?.kill();
  await db?.destroy();
  await bank?.stop();
  await cluster?.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Calls the gateway. Undefined if there was no answer, or none of success. */
async function call(method: string, path: string, body?: unknown): Promise<unknown> {
  try {
    const response = await fetch(`${gateway.url}/api${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    return response.ok ? answer : undefined;
  } catch {
    return undefined;
  }
}

const bankMandate = z.object({
  status: z.string(),
  charges: z.array(
    z.object({
      txid: z.string(),
      dueDate: z.string(),
      amount: z.number(),
      attempts: z.array(z.object({ day: z.string(), status: z.string() })),
    }),
  ),
});
const bankTime = z.object({ now: z.iso.datetime() });
const now = async () => new Date(bankTime.parse(await bank.control('GET', '/sandbox/clock')).now);

/** A subscription, with what happened to it that the end is judged by. */
type Played = {
  readonly id: string;
  readonly idRec: string;
  /** When the gateway acknowledged its end, or the bank the payer's. */
  endedAt?: Date;
  /** When cycles were acknowledged as cancelled, by their numbers. */
  readonly cancelled: Map<number, Date>;
};

async function playNew(nth: number): Promise<Played> {
  const body = {
    payer: { name: 'Ana Souza', document: '529.982.247-25' },
    description: 'Semanal',
    amount: 10 + nth,
    period: 'weekly',
    first_day: daysAfter(calendarDayOf(await now()), 9),
    authorization: 'code',
    retry_days: [1, 3],
  };
  const created: Subscription = createSubscription.response.parse(await call('POST', '/subscriptions', body));
  await bank.control('POST', '/sandbox/recs', { brCode: created.code });
  const idRec = created.mandate.id_rec ?? '';
  // Every third payer has money only in the evening, and every fourth none on the first days.
  const funds =
    nth % 3 === 0
      ? [
          { fromHour: 0, amount: 0 },
          { fromHour: 18, amount: 500 },
        ]
      : [];
  const none = [{ fromHour: 0, amount: 0 }];
  await bank.control('PUT', `/sandbox/recs/${idRec}/debits`, { funds: nth % 4 === 1 ? none : funds });
  return { id: created.id, idRec, cancelled: new Map() };
}

const cyclesOf = async ({ id }: Played) =>
  z.object({ data: z.array(cycleSchema) }).parse(await call('GET', `/subscriptions/${id}/cycles?limit=100`))
    .data;

test('whichever process is killed while cycles are sent, retried and cancelled, each is debited once or not at all', {
  timeout: 3 * 3_600_000,
}, async () => {
  console.log(`MONEY_SEED=${seed}`);
  const random = seededRandom(seed);
  const all = await pMap([...Array(subscriptionCount).keys()], playNew, { concurrency: 4 });
  const earlySteps = (weeks * 7 * 24) / stepHours;
  const steps = earlySteps + (14 * 24) / stepHours;
  let killCount = 0;
  for (let step = 0; step < steps; step += 1) {
    await bank.advance(stepHours * 3600);
    const isLate = step >= earlySteps;
    // Each set of so many early steps is equally probable.
    const isKilled = !isLate && random.chance((100 * (kills - killCount)) / (earlySteps - step));
    const acts = act(isLate ? [] : all, random.between(0, actsPerStep));
    if (isKilled) {
      await sleep(random.between(0, 2500));
      await kill(killCount % 2 === 0 ? 'gateway' : 'PostgreSQL');
      killCount += 1;
      await acts;
      // After this time the leases of the killed process have ended.
      await bank.advance(121);
    }
    await acts;
    await untilIdle();
  }
  expect(killCount).toBe(kills);
  const paidCents = await expectSound(all);
  expect(paidCents).toBeGreaterThan(0);
  console.log(
    `${killCount} kills, ${subscriptionCount} subscriptions, ${weeks} weeks, ${paidCents / 100} BRL debited`,
  );
  expect(await auditLedger(db)).toEqual([]);

  /** People at their work: some cycles and subscriptions are cancelled, some cycles paid by a code, some payers leave. */
  async function act(among: readonly Played[], count: number): Promise<void> {
    for (let nth = 0; nth < count; nth += 1) {
      const played = random.pick(among);
      if (played === undefined || played.endedAt !== undefined) continue;
      const number = random.between(1, weeks);
      const path = `/subscriptions/${played.id}`;
      const choice = random.between(1, 100);
      if (choice <= 40) {
        if ((await call('POST', `${path}/cycles/${number}/cancel`, {})) !== undefined)
          played.cancelled.set(number, await now());
      } else if (choice <= 80) {
        await payByCode(`${path}/cycles/${number}/charge`);
      } else if (choice <= 84) {
        if ((await call('POST', `${path}/cancel`, {})) !== undefined) played.endedAt = await now();
      } else if (choice <= 87) {
        await bank
          .control('POST', `/sandbox/recs/${played.idRec}/cancellation`, { by: 'USUARIO_PAGADOR' })
          .catch(() => undefined);
        played.endedAt = await now();
      } else
        await bank
          .control('PUT', `/sandbox/recs/${played.idRec}/debits`, { funds: [] })
          .catch(() => undefined);
    }
  }
});

async function payByCode(path: string): Promise<void> {
  const charged = cycleSchema.safeParse(await call('POST', path, {}));
  const id = charged.data?.other_payment_id;
  if (id == null) return;
  const status = z.object({ content: z.string() }).safeParse(await call('GET', `/pix/status/${id}`));
  if (status.success) await bank.pay({ brCode: status.data.content }).catch(() => undefined);
}

async function kill(victim: 'gateway' | 'PostgreSQL'): Promise<void> {
  if (victim === 'PostgreSQL') await cluster.kill();
  await gateway.kill();
  if (victim === 'PostgreSQL') {
    await db.destroy();
    await cluster.start();
    db = observeDatabase(cluster.url());
  }
  gateway = await startGatewayProcess(settings());
}

/** Waits until the gateway has seen the time of the bank and has done what is due. */
async function untilIdle(): Promise<void> {
  await expect
    .poll(
      async () => {
        const at = await now();
        const due = await Promise.all([
          db.selectFrom('cycles').select('number').where('check_at', '<=', at).execute(),
          db.selectFrom('mandates').select('status').where('check_at', '<=', at).execute(),
          db.selectFrom('subscriptions').select('id').where('plan_at', '<=', at).execute(),
        ]);
        return due.flat().length;
      },
      { timeout: 120_000, interval: 100 },
    )
    .toBe(0);
}

/** Compares the books with the bank's own, subscription by subscription. Returns what the bank debited, in cents. */
async function expectSound(all: readonly Played[]): Promise<number> {
  let debitedCents = 0;
  for (const played of all) {
    const atBank = bankMandate.parse(await bank.control('GET', `/sandbox/recs/${played.idRec}`));
    const cycles = await cyclesOf(played);
    const blame = JSON.stringify({ played, endedAt: played.endedAt, atBank, cycles }, null, 1);
    const dueDays = atBank.charges.map(({ dueDate }) => dueDate);
    expect(new Set(dueDays).size, `two debits of one cycle: ${blame}`).toBe(dueDays.length);
    for (const { txid, amount, attempts, dueDate } of atBank.charges) {
      const paid = attempts.filter(({ status }) => status === 'PAGA');
      expect(paid.length, `debited twice: ${blame}`).toBeLessThanOrEqual(1);
      if (paid.length === 0) continue;
      debitedCents += Math.round(amount * 100);
      const cycle = cycles.find(({ due_day }) => due_day === dueDate);
      expect(cycle?.status, `debited and not paid: ${blame}`).toBe('paid');
      const charge = await db
        .selectFrom('charges')
        .select(['id', 'status', 'amount_cents'])
        .where('txid', '=', txid)
        .executeTakeFirst();
      expect(charge?.status, `not in the books: ${blame}`).toMatch(/paid|refunded/);
      const stoppedAt = [played.cancelled.get(cycle?.number ?? 0), played.endedAt].filter(
        (at) => at !== undefined,
      );
      for (const at of stoppedAt) {
        const inTime = cancelUntil(cycle?.debit_day ?? '').getTime() - at.getTime() > 12 * 3_600_000;
        expect(inTime, `debited after it was cancelled: ${blame}`).toBe(false);
      }
    }
    expect(
      cycles.filter(({ attempts }) => attempts.filter(({ status }) => status === 'paid').length > 1),
    ).toEqual([]);
    // Numbers without a gap, and nothing that fell due long ago is still open.
    expect(cycles.map(({ number }) => number).toReversed(), blame).toEqual(
      cycles.map((_, index) => index + 1),
    );
    const longAgo = daysAfter(calendarDayOf(await now()), -9);
    for (const { status, debit_day } of cycles)
      if (debit_day < longAgo) expect(status, `forgotten: ${blame}`).toMatch(/paid|given_up|cancelled/);
  }
  await expectSecondPaymentsGivenBack();
  return debitedCents;
}

/** A cycle that was paid by its debit and by a code has a refund of one of them. */
async function expectSecondPaymentsGivenBack(): Promise<void> {
  const twice = await db
    .selectFrom('cycles')
    .innerJoin('cycle_codes', (join) =>
      join
        .onRef('cycle_codes.merchant_id', '=', 'cycles.merchant_id')
        .onRef('cycle_codes.subscription_id', '=', 'cycles.subscription_id')
        .onRef('cycle_codes.number', '=', 'cycles.number'),
    )
    .innerJoin('charges as debits', 'debits.id', 'cycles.charge_id')
    .innerJoin('charges as codes', 'codes.id', 'cycle_codes.charge_id')
    .select(['cycles.subscription_id', 'cycles.number', 'debits.id as debit'])
    .where('debits.status', 'in', ['paid', 'refunded'])
    .where('codes.status', 'in', ['paid', 'refunded'])
    .execute();
  for (const { debit, ...key } of twice) {
    const refunds = await db.selectFrom('refunds').select('id').where('charge_id', '=', debit).execute();
    expect(refunds.length, `paid twice: ${JSON.stringify(key)}`).toBe(1);
  }
}
