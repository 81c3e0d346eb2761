import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '../src/db/migrate.ts';
import { createDb, createPool } from '../src/db/pool.ts';
import { auditLedger } from '../src/ledger/index.ts';
import { startTestBank, type TestBank } from './bank.ts';
import { APP_ROLE, createEmptyDatabase, createTestDatabase, type TestDatabase } from './database.ts';
import { findFreePort } from './free-port.ts';
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts';

// Each release left the database of its demo behind (docs/releasing.md): this version takes it over.

const folder = fileURLToPath(new URL('./releases/', import.meta.url));
const releases = readdirSync(folder).map((file) => file.replace('.sql.gz', ''));
/** The master key with which the demos were played. */
const secretKey = Buffer.alloc(32, 9).toString('base64');

test('there is a database of a release', () => expect(releases).toContain('0.1.0'));

describe.each(releases)('the database of %s', (release) => {
  let database: TestDatabase;
  let fresh: TestDatabase;
  let bank: TestBank;
  let gateway: GatewayProcess | undefined;
  let directory: string;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'jangada-upgrade-'));
    [database, fresh, bank] = await Promise.all([
      createEmptyDatabase(),
      createTestDatabase(),
      startTestBank(),
    ]);
    const dump = gunzipSync(readFileSync(join(folder, `${release}.sql.gz`))).toString();
    await query(database, dump);
    await migrate({ ownerUrl: database.ownerUrl, appRole: { name: APP_ROLE } });
  });
  afterAll(async () => {
    await gateway?.kill();
    await bank.stop();
    await database.drop();
    await fresh.drop();
    rmSync(directory, { recursive: true, force: true });
  });

  test('has after the migrations the same schema and rights as a new one', async () => {
    const migrated = await describeSchema(database);
    expect(migrated.length).toBeGreaterThan(1000);
    expect(migrated).toEqual(await describeSchema(fresh));
  });

  test('keeps its books in order', async () => {
    const db = createDb(createPool({ url: database.ownerUrl, max: 1 }));
    const { count } = await db
      .selectFrom('ledger_entries')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    expect(count).toBeGreaterThan(300);
    expect(await auditLedger(db)).toEqual([]);
    await db.destroy();
  });

  test('serves its merchant, who is paid for a new charge', async () => {
    const port = await findFreePort();
    gateway = await startGatewayProcess({
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      SANDBOX_PORT: String(bank.port),
      PSP_BASE_URL: `${bank.apiUrl}/v2`,
      PSP_TOKEN_URL: `${bank.apiUrl}/oauth/token`,
      DATA_DIR: directory,
      DATABASE_URL: database.appUrl,
      MIGRATION_DATABASE_URL: database.ownerUrl,
      SECRET_KEY: secretKey,
    });
    const api = async (method: string, path: string, body?: unknown, token?: string) => {
      const response = await fetch(`${gateway?.url}/api${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return (await response.json()) as Record<string, unknown>;
    };
    const { token } = await api('POST', '/login', { username: 'lojista', password: 'lojista-demo' });
    const readTotal = async () =>
      Number(Object((await api('GET', '/authed/profile', undefined, String(token)))['user'])['balance']);
    const before = await readTotal();
    expect(before).toBeGreaterThan(0);
    const charge = await api('POST', '/pix/new', { amount: 100 }, String(token));
    await bank.pay({ brCode: charge['content'] });
    await expect.poll(readTotal).toBeGreaterThan(before);
  });
});

async function query(database: TestDatabase, statement: string): Promise<unknown[][]> {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  try {
    return (await client.query({ text: statement, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}

/**
 * Describes every table, column, constraint, index, trigger, function and right, one a line. A dump writes the conditions
 * of triggers with other parentheses, so these are left out.
 */
async function describeSchema(database: TestDatabase): Promise<string[]> {
  const rows = await query(
    database,
    `select line from (
       select format('column %s.%s %s %s %s %s', table_name, column_name, data_type, is_nullable, column_default, collation_name)
       from information_schema.columns where table_schema = 'public'
       union all select format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
       from pg_constraint where connamespace = 'public'::regnamespace
       union all select indexdef from pg_indexes where schemaname = 'public'
       union all select translate(pg_get_triggerdef(t.oid), '()', '') from pg_trigger t join pg_class c on c.oid = tgrelid
       where not tgisinternal and relnamespace = 'public'::regnamespace
       union all select pg_get_functiondef(p.oid) || coalesce(array_to_string(array(select unnest(proacl)::text order by 1), ','), '')
       from pg_proc p where pronamespace = 'public'::regnamespace and prokind = 'f'
         and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = p.oid and deptype = 'e')
       union all select format('table %s %s %s', relname, reloptions, array_to_string(array(select unnest(relacl)::text order by 1), ','))
       from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'S', 'v')
     ) described (line) order by line collate "C"`,
  );
  return rows.map(([line]) => String(line));
}
