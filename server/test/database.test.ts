import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from './database.ts';

let databases: TestDatabase[];

beforeAll(async () => {
  databases = await Promise.all([createTestDatabase(), createTestDatabase()]);
});

afterAll(async () => {
  for (const database of databases) await database.drop();
});

async function queryRows(url: string | undefined, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test('each test file has its own migrated database', async () => {
  const [one, other] = databases;
  await queryRows(one?.ownerUrl, 'create table mine ()');
  expect(await queryRows(one?.ownerUrl, "select to_regclass('mine') is not null as found")).toEqual([
    { found: true },
  ]);
  expect(await queryRows(other?.ownerUrl, "select to_regclass('mine') is not null as found")).toEqual([
    { found: false },
  ]);
  expect((await queryRows(other?.ownerUrl, 'select name from schema_migrations')).length).toBeGreaterThan(0);
});

test('neither role is a superuser, and the application does not own the tables', async () => {
  const [database] = databases;
  const who = `select current_setting('is_superuser') as superuser,
    (select tableowner = current_user from pg_tables where tablename = 'schema_migrations') as owner`;
  expect(await queryRows(database?.ownerUrl, who)).toEqual([{ superuser: 'off', owner: true }]);
  expect(await queryRows(database?.appUrl, who)).toEqual([{ superuser: 'off', owner: false }]);
});
