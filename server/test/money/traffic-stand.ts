// A gateway process with its bank, and merchants with money who may withdraw by API key. Also the checks that must pass
// after the merchants' traffic was interrupted.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pMap from 'p-map';
import { expect } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import type { Db } from '../../src/db/pool.ts';
import { auditLedger } from '../../src/ledger/index.ts';
import { createSecrets } from '../../src/secrets.ts';
import { startTestBank, type TestBank } from '../bank.ts';
import { findFreePort } from '../free-port.ts';
import { type GatewayProcess, startGatewayProcess } from '../gateway-process.ts';
import { insertMerchant } from '../merchant-row.ts';
import { bankIsBusy } from './bank-is-busy.ts';
import { type LoadMerchant, loadDestination, type MoneyCall, runTraffic, sendMoneyCall } from './load.ts';
import { type Random, seededRandom } from './random.ts';

const merchantCount = 16;
const secretKey = Buffer.alloc(32, 9);
const secrets = createSecrets(secretKey);

export type TrafficStand = {
  readonly settings: () => Record<string, string>;
  readonly bank: TestBank;
  readonly merchants: readonly LoadMerchant[];
  gateway: GatewayProcess;
  /** Connections to the gateway's database. */
  db: Db;
  /** Ends traffic that a failed test did not end. */
  isStopped: boolean;
};

/** Starts a stand on the database at `url()`. The URL may change, so `settings` asks for it again at each start. */
export async function startTrafficStand(
  directory: string,
  url: () => string,
  connect: () => Db,
): Promise<TrafficStand> {
  const [bank, port] = await Promise.all([startTestBank(), findFreePort()]);
  const settings = () => ({
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SANDBOX_PORT: String(bank.port),
    PSP_BASE_URL: `${bank.apiUrl}/v2`,
    PSP_TOKEN_URL: `${bank.apiUrl}/oauth/token`,
    DATA_DIR: directory,
    DATABASE_URL: url(),
    SECRET_KEY: secretKey.toString('base64'),
    RATE_LIMIT: '0',
    WITHDRAWAL_DAY: '999999999',
    WITHDRAWAL_NIGHT: '999999999',
    GATEWAY_DAY: '999999999',
  });
  await migrate({ ownerUrl: url() });
  const db = connect();
  const merchants: LoadMerchant[] = [];
  for (let nth = 0; nth < merchantCount; nth += 1) merchants.push(await makeMerchant(db, nth));
  // The gateway starts after the merchants were created, because in an empty database it would first create the demo.
  const gateway = await startGatewayProcess(settings());
  return { settings, bank, merchants, gateway, db, isStopped: false };
}

export async function stopTrafficStand(stand: TrafficStand): Promise<void> {
  stand.isStopped = true;
  const { gateway, bank, db } = stand;
  await gateway.kill();
  await db.destroy();
  await bank.stop();
}

/** Starts the traffic of all merchants, which adds each call to `moves`. Returns a function that ends the traffic. */
export function startTraffic(
  stand: TrafficStand,
  random: Random,
  moves: MoneyCall[],
): () => Promise<unknown> {
  let isStopped = false;
  const traffic = stand.merchants.map((merchant, nth) =>
    runTraffic(
      stand.gateway.url,
      stand.bank,
      merchant,
      seededRandom(random.between(1, 2 ** 30) + nth),
      moves,
      () => isStopped || stand.isStopped,
    ),
  );
  return () => {
    isStopped = true;
    return Promise.all(traffic);
  };
}

async function makeMerchant(db: Db, nth: number): Promise<LoadMerchant> {
  const apiKey = `jgd_${nth.toString(16).padStart(48, '0')}`;
  const id = await insertMerchant(
    db,
    nth % 2 === 0 ? {} : { reserve_enabled: true, reserve_rate: 1000, reserve_days: 1 },
  );
  const created_at = new Date();
  const hashed = { key_hash: secrets.hash('api-key', apiKey), sealed_key: secrets.seal('api-key', apiKey) };
  await db
    .insertInto('api_keys')
    .values({ merchant_id: id, ...hashed, masked_key: '', created_at })
    .execute();
  await db.insertInto('withdrawal_controls').values({ merchant_id: id, api_enabled: true }).execute();
  await db
    .insertInto('withdrawal_destinations')
    .values({ merchant_id: id, pix_key: loadDestination, key_type: 'email', created_at })
    .execute();
  return { id, apiKey, paid: [] };
}

/** Finds the acknowledged moves that are missing in the database. */
export async function findLost({ db }: TrafficStand, moves: readonly MoneyCall[]): Promise<MoneyCall[]> {
  const { rows } = await sql<{ id: string }>`
    select id from charges union all select id from withdrawals union all select id from refunds
  `.execute(db);
  const storedIds = new Set(rows.map(({ id }) => id));
  return moves.filter(({ outcome, id }) => outcome === 'acknowledged' && !storedIds.has(id ?? ''));
}

/**
 * Repeats every call whose outcome is unknown, under its idempotency key, until the outcome is known. Returns the
 * number of these calls.
 */
export async function repeatUnknownCalls(stand: TrafficStand, moves: readonly MoneyCall[]): Promise<number> {
  const unknown = moves.filter(({ outcome }) => outcome === 'unknown');
  // After this time the idempotency claims of the killed gateway have expired.
  await stand.bank.advance(61);
  await sleep(1100);
  await pMap(
    unknown,
    async (move) => {
      for (let tries = 0; move.outcome === 'unknown'; tries += 1) {
        await sendMoneyCall(stand.gateway.url, move);
        if (move.outcome === 'unknown') await sleep(100);
        if (tries > 1200) throw new Error(`The outcome of a ${move.kind} stays unknown`);
      }
    },
    { concurrency: 8 },
  );
  return unknown.length;
}

/** Waits until nothing is pending. Moves the bank's clock at intervals, because some work is due only later. */
export async function waitUntilNothingIsPending({ db, bank }: TrafficStand): Promise<void> {
  for (let tries = 0; tries < 1200; tries += 1) {
    const { rows } = await sql<{ open: number }>`
      select (select count(*) from psp_inbox where state = 'waiting')
           + (select count(*) from bank_hints)
           + (select count(*) from withdrawals where status in ('pending', 'processing'))
           + (select count(*) from refunds where status = 'processing')
           + (select count(*) from charges where status = 'pending' and br_code = '') as open
    `.execute(db);
    if (Number(rows[0]?.open) === 0 && !(await bankIsBusy(bank))) return;
    if (tries % 6 === 5) await bank.advance(150);
    await sleep(200);
  }
  throw new Error('The pending work never ends');
}

/**
 * Expects that every stored order was requested, and that the bank executed each order exactly once, with the amount in
 * our books.
 */
export async function expectBankMatchesBooks(
  { db, bank, merchants }: TrafficStand,
  moves: readonly MoneyCall[],
): Promise<void> {
  const stored = await sql<{ kind: string; id: string }>`
    select 'charge' as kind, id from charges where merchant_id >= ${merchants[0]?.id}
    union all select 'withdrawal', id from withdrawals
    union all select 'refund', id from refunds where origin <> 'bank'
  `.execute(db);
  const acknowledged = moves.flatMap(({ kind, outcome, id }) =>
    outcome === 'acknowledged' ? [`${kind} ${id}`] : [],
  );
  expect(new Set(acknowledged).size, 'two calls got the same id').toBe(acknowledged.length);
  // A charge alone moves no money, so charges are not compared.
  const isNoCharge = (row: string) => !row.startsWith('charge');
  const storedOrders = stored.rows.map(({ kind, id }) => `${kind} ${id}`);
  expect(storedOrders.filter(isNoCharge).toSorted()).toEqual(acknowledged.filter(isNoCharge).toSorted());

  const withdrawals = await db
    .selectFrom('withdrawals')
    .select(['id_envio', 'completed_at', 'amount_cents', 'fee_cents'])
    .execute();
  const sent = (await bank.listPayouts()).filter(({ status }) => status !== 'NAO_REALIZADO');
  // Some of the bank's special amounts cause returned payouts. Such a withdrawal failed after its payout had left the
  // bank, so it counts as paid out here.
  const paidOut = withdrawals.filter(({ completed_at }) => completed_at !== null);
  const line = (idEnvio: string, cents: number) => `${idEnvio} ${cents}`;
  expect(sent.map(({ idEnvio, amountCents }) => line(idEnvio, amountCents)).toSorted()).toEqual(
    paidOut.map((row) => line(row.id_envio, row.amount_cents - row.fee_cents)).toSorted(),
  );
  expect(await auditLedger(db)).toEqual([]);
  const { rows } = await sql<{
    held: number;
  }>`select -sum(psp_cents)::bigint as held from ledger_balances`.execute(db);
  expect(await bank.balanceCents()).toBe(Number(rows[0]?.held));
}
