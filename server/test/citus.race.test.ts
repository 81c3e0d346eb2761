import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { machineClock } from '../src/clock.ts';
import { distributeTables } from '../src/db/cluster.ts';
import { migrate, readMigrations } from '../src/db/migrate.ts';
import { createDb, createPool } from '../src/db/pool.ts';
import { inTransaction } from '../src/db/transaction.ts';
import { movements, post, readBalances } from '../src/ledger/index.ts';
import { newChargeIds } from '../src/payments/bank-ids.ts';
import { CitusCluster } from './citus-cluster.ts';
import { insertConnection } from './connection-row.ts';
import { insertMerchant } from './merchant-row.ts';
import type { MoneyCall } from './money/load.ts';
import { seededRandom } from './money/random.ts';
import {
  expectBankMatchesBooks,
  findLost,
  repeatUnknownCalls,
  startTraffic,
  startTrafficStand,
  stopTrafficStand,
  type TrafficStand,
  waitUntilNothingIsPending,
} from './money/traffic-stand.ts';
import { observeDatabase } from './observer.ts';

// A gateway on a coordinator and two workers, as an operator would run it (docs/cluster.md).

const rounds = process.env['LONG'] === '1' ? 20 : 1;
const seed = Number(process.env['MONEY_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const random = seededRandom(seed);

let directory: string;
let cluster: CitusCluster;
let stand: TrafficStand;

beforeAll(async () => {
  console.log(`MONEY_SEED=${seed}`);
  directory = mkdtempSync(join(tmpdir(), 'jangada-cluster-'));
  cluster = await CitusCluster.start();
  await cluster.createDatabase('jangada');
  const url = cluster.url('jangada');
  await migrate({ ownerUrl: url });
  const owner = new pg.Client(url);
  await owner.connect();
  await distributeTables(owner, false);
  await owner.end();
  stand = await startTrafficStand(
    directory,
    () => url,
    () => observeDatabase(url),
  );
});

afterAll(async () => {
  if (stand !== undefined) await stopTrafficStand(stand);
  cluster?.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Runs the merchants' traffic while `interrupt` does its work, and then checks the books and the bank. */
async function interruptTraffic(all: MoneyCall[], interrupt: () => Promise<void>): Promise<void> {
  const moves: MoneyCall[] = [];
  const endTraffic = startTraffic(stand, random, moves);
  await sleep(random.between(1000, 2500));
  await interrupt();
  const before = countAcknowledged(moves);
  while (countAcknowledged(moves) < before + 5) await sleep(20);
  await endTraffic();
  all.push(...moves);
  await repeatUnknownCalls(stand, moves);
  await waitUntilNothingIsPending(stand);
  expect(await findLost(stand, moves)).toEqual([]);
  await expectBankMatchesBooks(stand, all);
}

const countAcknowledged = (moves: readonly MoneyCall[]) =>
  moves.filter(({ outcome }) => outcome === 'acknowledged').length;

/** Moves one shard of each table, with the merchants in it, to the other worker. */
async function moveShard(): Promise<void> {
  const { rows } = await sql<{ shard: string; from: number; to: number }>`
    select shardid as shard, placement.nodeport as from, other.nodeport as to
    from citus_shards placement
    join pg_dist_node other on other.nodeport <> placement.nodeport and other.groupid <> 0
    where table_name = 'ledger_balances'::regclass
    order by shardid offset ${random.between(0, 31)} limit 1
  `.execute(stand.db);
  const [move] = rows;
  if (move === undefined) throw new Error('no shard');
  // Moving takes longer than a statement of the gateway may.
  const operator = new pg.Client(cluster.url('jangada'));
  await operator.connect();
  await operator.query("select citus_move_shard_placement($1, '127.0.0.1', $2, '127.0.0.1', $3)", [
    move.shard,
    move.from,
    move.to,
  ]);
  await operator.end();
}

test('a cluster of the first release takes the migrations since', async () => {
  await cluster.createDatabase('older');
  const url = cluster.url('older');
  const owner = new pg.Client(url);
  await owner.connect();
  await owner.query(
    'create table schema_migrations (name text primary key, checksum text not null, applied_at timestamptz)',
  );
  const ofFirstRelease = (await readMigrations()).filter(({ name }) => name < '0010');
  for (const { name, sql: text, checksum } of ofFirstRelease) {
    await owner.query(text);
    await owner.query('insert into schema_migrations values ($1, $2, now())', [name, checksum]);
  }
  await distributeTables(owner, false);
  await migrate({ ownerUrl: url });

  const db = createDb(createPool({ url, max: 1 }));
  const merchantId = await insertMerchant(db);
  const connectionId = await insertConnection(db, merchantId, 'loja@example.com');
  await inTransaction({ db, clock: machineClock }, (tx) =>
    post(tx, movements.ownPaymentReceived({ merchantId, connectionId, reference: 'E1', amountCents: 500 })),
  );
  expect(await readBalances(db, merchantId, connectionId)).toMatchObject({ available: 500, psp: -500 });
  const moved = owner.query('update ledger_entries set connection_id = 1 where merchant_id = $1', [
    merchantId,
  ]);
  await expect(moved).rejects.toThrow();

  const now = new Date();
  const otherId = await insertConnection(db, merchantId, 'loja-2@example.com');
  await sql`
    insert into charges (merchant_id, id, txid, connection_id, status, amount_cents, in_rate, fix_in_cents, reserve_rate,
                         reserve_days, fee_cents, reserve_cents, expires_at, created_at, updated_at, next_check_at)
    values (${merchantId}, ${newChargeIds(merchantId, now).id}, 'txid', ${connectionId}, 'pending', 100, 0, 0, 0, 0, 0, 0,
            ${now}, ${now}, ${now}, ${now})
  `.execute(db);
  await sql`update charges set connection_id = ${otherId}, txid = 'other' where merchant_id = ${merchantId}`.execute(
    db,
  );
  expect(
    await sql`select connection_id from open_charges where merchant_id = ${merchantId}`.execute(db),
  ).toMatchObject({
    rows: [{ connection_id: otherId }],
  });
  await db.destroy();
  await owner.end();
});

test('whether a worker is killed or a part of the merchants moves to another, nothing acknowledged is lost or doubled', async () => {
  const all: MoneyCall[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await interruptTraffic(all, async () => cluster.killWorker(round % 2 === 0 ? 0 : 1));
    await interruptTraffic(all, moveShard);
  }
  console.log(
    `${rounds} kills and ${rounds} moves, ${countAcknowledged(all)} moves of money: none lost, none doubled`,
  );
});
