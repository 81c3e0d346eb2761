import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEmptyDatabase, type TestDatabase } from '../../test/database.ts';
import { machineClock } from '../clock.ts';
import { connectClient } from './client.ts';
import { openDatabase } from './open-database.ts';
import { createDb, createPool } from './pool.ts';
import { inTransaction } from './transaction.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createEmptyDatabase();
  const owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
  const { rows } = await owner.query('select current_database() as name');
  // As an operator's server may be set up.
  for (const setting of [
    'jit = on',
    'timezone = "America/Sao_Paulo"',
    'datestyle = "SQL, DMY"',
    'default_transaction_isolation = "serializable"',
    'statement_timeout = 5000',
    'lock_timeout = 5000',
    'idle_in_transaction_session_timeout = 5000',
  ])
    await owner.query(`alter database ${rows[0].name} set ${setting}`);
  await owner.end();
});
afterAll(() => database.drop());

const read = async (client: Pick<pg.Client, 'query'>) => {
  const { rows } = await client.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings
     where name = any('{jit,TimeZone,DateStyle,default_transaction_isolation,statement_timeout,lock_timeout,
                        idle_in_transaction_session_timeout,enable_seqscan,enable_hashjoin,enable_mergejoin}')`,
  );
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
};
const always = {
  jit: 'off',
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  default_transaction_isolation: 'read committed',
  lock_timeout: '0',
};

test('the sessions of a pool are set up alike on every server', async () => {
  const pool = createPool({ url: database.appUrl, readsByKey: true, statementTimeoutMs: 30_000 });
  expect(await read(pool)).toEqual({
    ...always,
    statement_timeout: '30000',
    idle_in_transaction_session_timeout: '60000',
    enable_seqscan: 'off',
    enable_hashjoin: 'off',
    enable_mergejoin: 'off',
  });
  await pool.end();
});

test('a session for long work has no limit of time, whatever the server sets', async () => {
  const client = await connectClient(database.ownerUrl);
  expect(await read(client)).toEqual({
    ...always,
    statement_timeout: '0',
    idle_in_transaction_session_timeout: '0',
    enable_seqscan: 'on',
    enable_hashjoin: 'on',
    enable_mergejoin: 'on',
  });
  await client.end();
});

/** A server that refuses every connection as a pooler does, and what it was sent first. */
async function startRefusingServer() {
  const received: string[][] = [];
  const fields = Buffer.from('SFATAL\0C08P01\0Munsupported startup parameter: x\0\0');
  const refusal = Buffer.concat([Buffer.of(0x45, 0, 0, 0, fields.length + 4), fields]);
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (startup) => {
      const pairs = startup.subarray(8).toString().split('\0');
      received.push(pairs.filter((text, index) => index % 2 === 0 && text !== ''));
      socket.end(refusal);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `postgres://a:b@127.0.0.1:${port}/c`, received, close: () => server.close() };
}

test('connections are opened with the parameters alone that every pooler knows', async () => {
  const server = await startRefusingServer();
  const pool = createPool({ url: server.url, readsByKey: true });
  await expect(pool.query('select 1')).rejects.toThrow('unsupported startup parameter');
  await expect(connectClient(server.url)).rejects.toThrow('unsupported startup parameter');
  for (const names of server.received)
    expect(names).toEqual(expect.arrayContaining(['user', 'database', 'application_name']));
  for (const names of server.received) expect(names).toHaveLength(4);
  expect(server.received.flat()).toContain('client_encoding');
  await pool.end();
  server.close();
});

test('a refused connection ends the start with a line that names the setting', async () => {
  const server = await startRefusingServer();
  const settings = { databaseUrl: server.url, migrationDatabaseUrl: undefined, dataDir: '' };
  await expect(openDatabase(settings)).rejects.toThrow(
    /^DATABASE_URL aponta para um PostgreSQL que não atende: unsupported startup parameter/,
  );
  server.close();
});

test('a statement whose columns changed since it was prepared is prepared again, by every connection', async () => {
  const pool = createPool({ url: database.ownerUrl, max: 2 });
  const db = createDb(pool);
  const deps = { db, clock: machineClock };
  await pool.query('create table changing (id int); insert into changing values (1)');
  const selectAll = (client: Pick<pg.Client, 'query'>) =>
    client.query('select * from changing where id = $1', [1]).then(({ rows }) => rows);
  const [one, other] = [await pool.connect(), await pool.connect()];
  await selectAll(one);
  await selectAll(other);
  await one.query('alter table changing add column later int not null default 7');
  expect(await selectAll(one)).toEqual([{ id: 1, later: 7 }]);
  one.release();
  other.release();
  // All statements of a transaction are repeated, since the failed one aborted it.
  await pool.query('alter table changing add column latest int not null default 8');
  const rows = await Promise.all(
    [1, 2].map(() =>
      inTransaction(deps, async (tx) => {
        await sql`insert into changing (id) values (2)`.execute(tx.db);
        return (await sql`select * from changing where id = ${1}`.execute(tx.db)).rows;
      }),
    ),
  );
  expect(rows).toEqual([[{ id: 1, later: 7, latest: 8 }], [{ id: 1, later: 7, latest: 8 }]]);
  expect((await pool.query('select id from changing where id = 2')).rows).toHaveLength(2);
  await db.destroy();
});
