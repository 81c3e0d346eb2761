import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDb, createPool } from '../src/db/pool.ts';
import type { MoneyCall } from './money/load.ts';
import { type Random, seededRandom } from './money/random.ts';
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
import { type Failure, PrimaryAndStandby } from './primary-and-standby.ts';

// A gateway whose address of the database names a primary and its synchronous standby, as an operator would run it.

const rounds = process.env['LONG'] === '1' ? 60 : 1;
const seed = Number(process.env['MONEY_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const failures: readonly Failure[] = ['kill', 'freeze', 'partition'];

let directory: string;
let servers: PrimaryAndStandby;
let stand: TrafficStand;

const urlOfBoth = () => servers.urlOfBoth(servers.primaryUrl('jangada'));
const connect = () => createDb(createPool({ url: urlOfBoth(), max: 4, onError: () => {} }));

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'jangada-failover-'));
  chmodSync(directory, 0o711);
  servers = await PrimaryAndStandby.start(directory, { synchronous: true });
  const superuser = new pg.Client(servers.primaryUrl('postgres'));
  await superuser.connect();
  await superuser.query('create database jangada');
  await superuser.end();
  stand = await startTrafficStand(directory, urlOfBoth, connect);
});

afterAll(async () => {
  await stopTrafficStand(stand);
  await servers.stop();
  rmSync(directory, { recursive: true, force: true });
});

/**
 * Lets the primary fail in the middle of traffic, which goes on until calls succeed at the new primary. Returns the
 * moves, and after how many milliseconds from the promotion the first of them succeeded.
 */
async function failOver(failure: Failure, random: Random) {
  const moves: MoneyCall[] = [];
  const endTraffic = startTraffic(stand, random, moves);
  await sleep(random.between(400, 1500));
  servers.failPrimary(failure);
  await sleep(random.between(0, 1500));
  await servers.promote();
  const promotedAt = performance.now();
  const before = countAcknowledged(moves);
  while (countAcknowledged(moves) === before) await sleep(20);
  const firstAnswerMs = performance.now() - promotedAt;
  await sleep(500);
  await endTraffic();
  return { moves, firstAnswerMs };
}

const countAcknowledged = (moves: readonly MoneyCall[]) =>
  moves.filter(({ outcome }) => outcome === 'acknowledged').length;

const readStop = async () => {
  const { rows } = await sql<{ stop: string | null }>`
    select payouts_stopped_because as stop from gateway`.execute(stand.db);
  return rows[0]?.stop;
};

test('whether the primary is killed, frozen or cut off, nothing acknowledged is lost or doubled, and payouts go on', async () => {
  console.log(`MONEY_SEED=${seed}`);
  const random = seededRandom(seed);
  const all: MoneyCall[] = [];
  const firstAnswers: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const failure = failures[(round + seed) % failures.length] ?? 'kill';
    const { moves, firstAnswerMs } = await failOver(failure, random);
    all.push(...moves);
    firstAnswers.push(Math.round(firstAnswerMs));
    console.log(`round ${round}: ${failure}, first answer after ${Math.round(firstAnswerMs)} ms`);
    await stand.db.destroy();
    stand.db = connect();
    expect(await readStop(), `${failure}: payouts`).toMatch(/^o banco de dados passou a outro servidor/);
    await servers.addStandby();
    expect(await findLost(stand, moves), `round ${round}: lost by ${failure}`).toEqual([]);
    await sql`update gateway set compare_with_bank_at = now() where compare_with_bank_at is not null`.execute(
      stand.db,
    );
    await repeatUnknownCalls(stand, moves);
    await waitUntilNothingIsPending(stand);
    expect(await readStop()).toBeNull();
    await expectBankMatchesBooks(stand, all);
  }
  console.log(
    `${rounds} failovers, ${countAcknowledged(all)} moves of money: none lost, none doubled; first answers (ms): ${firstAnswers.join(' ')}`,
  );
});
