import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PrimaryAndStandby } from '../../test/primary-and-standby.ts';
import { writeTime } from '../gateway/index.ts';
import { createDb, createPool, type Db } from './pool.ts';
import { createReadReplica, type ReadReplica, readOnReplica } from './read-replica.ts';

let directory: string;
let servers: PrimaryAndStandby;
let primary: Db;
let replica: ReadReplica;
const log = pino({ level: 'silent' });
const maxLagMs = 1500;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'jangada-replica-'));
  chmodSync(directory, 0o711);
  servers = await PrimaryAndStandby.start(directory, { synchronous: false });
  primary = createDb(createPool({ url: servers.primaryUrl('postgres'), max: 4 }));
  await sql`create table write_checks (only_row boolean primary key default true, written_at timestamptz not null)`.execute(
    primary,
  );
  await sql`create table facts (value int); insert into facts values (1)`.execute(primary);
  await servers.waitUntilReplicated();
  replica = createReplica(servers.standbyUrl('postgres'));
});

afterAll(async () => {
  await replica.stop();
  await primary.destroy();
  await servers.stop();
  rmSync(directory, { recursive: true, force: true });
});

const createReplica = (url: string) =>
  createReadReplica({ url, primary, writeTime: () => writeTime(primary), maxLagMs, log, checkEveryMs: 100 });

async function readAnywhere(parts = { db: primary, replica }) {
  const { rows } = await readOnReplica(parts, ({ db }) =>
    sql<{ is_replica: boolean; value: number }>`
      select pg_is_in_recovery() as is_replica, value from facts order by value desc limit 1`.execute(db),
  );
  return rows[0];
}
const untilState = (state: string) => expect.poll(() => replica.health().state).toBe(state);
const onStandby = async (statement: string) => {
  const db = createDb(createPool({ url: servers.standbyUrl('postgres'), max: 1 }));
  await sql.raw(statement).execute(db);
  await db.destroy();
};

test('what may be old is read at the replica, and what it lacks is known by its lag', async () => {
  await untilState('ok');
  expect(await readAnywhere()).toEqual({ is_replica: true, value: 1 });
  expect(replica.health().lagMs).toBeLessThanOrEqual(maxLagMs);
  expect(await readAnywhere({ db: primary } as never)).toEqual({ is_replica: false, value: 1 });
});

test('a replica that lags by more than the limit is not read until it has caught up', async () => {
  await onStandby('select pg_wal_replay_pause()');
  await sql`insert into facts values (2)`.execute(primary);
  await untilState('behind');
  expect(await readAnywhere()).toEqual({ is_replica: false, value: 2 });
  await onStandby('select pg_wal_replay_resume()');
  await untilState('ok');
  expect(await readAnywhere()).toEqual({ is_replica: true, value: 2 });
});

test('a read that the replica breaks off is repeated at the primary', async () => {
  await untilState('ok');
  const places: boolean[] = [];
  await readOnReplica({ db: primary, replica }, async ({ db }) => {
    places.push(db !== primary);
    if (db !== primary) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(db);
  });
  expect(places).toEqual([true, false]);
  await untilState('ok');
  await expect(
    readOnReplica({ db: primary, replica }, ({ db }) => sql`select no_such_column`.execute(db)),
  ).rejects.toThrow('no_such_column');
});

test('a server that is no replica is not read, since it may be a former primary', async () => {
  const former = createReplica(servers.primaryUrl('postgres'));
  await expect.poll(() => former.health().state).toBe('not-a-replica');
  expect(former.current()).toBeUndefined();
  await former.stop();
});

test('a replica that is gone is not read', async () => {
  servers.cutReplication();
  await untilState('behind');
  expect(await readAnywhere()).toMatchObject({ is_replica: false });
});
