import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { CLUSTER_VARIABLE } from '../../test/cluster.ts';

const suffix = randomBytes(4).toString('hex');
const [database, owner, app] = [
  `jangada_${suffix}`,
  `jangada_owner_${suffix}`,
  `jangada_app_${suffix}`,
] as const;

/**
 * Returns the script's SQL, with role names of this test: its statements for the whole cluster, then its SQL for the
 * new database.
 */
function readScript(): readonly [string[], string] {
  const script = readFileSync(new URL('../../../ops/make-roles.sh', import.meta.url), 'utf8');
  const commands = /<<'SQL'\n(.*)\nSQL\n/s.exec(script)?.[1] ?? '';
  const [clusterStatements = '', databaseScript = ''] = commands
    .replaceAll(/:'\w+_password'/g, "'test'")
    .replaceAll(/\bjangada(_owner|_app)?\b/g, `$&_${suffix}`)
    .split(`\\connect ${database}\n`);
  return [clusterStatements.split(';'), databaseScript];
}

async function connectAs(role?: string, databaseName?: string): Promise<Client> {
  const url = new URL(process.env[CLUSTER_VARIABLE] ?? '');
  if (databaseName !== undefined) url.pathname = `/${databaseName}`;
  if (role !== undefined) [url.username, url.password] = [role, 'test'];
  const client = new Client({ connectionString: url.href });
  await client.connect();
  return client;
}

test('the application role of ops/make-roles.sh can call no function and create no table from the start', async () => {
  const [clusterStatements, databaseScript] = readScript();
  const cluster = await connectAs();
  const clients: Client[] = [];
  const open = async (role?: string) => {
    const client = await connectAs(role, database);
    clients.push(client);
    return client;
  };
  try {
    for (const statement of clusterStatements) await cluster.query(statement);
    await (await open()).query(databaseScript);
    await (await open(owner)).query('create function made() returns int language sql as $$ select 1 $$');
    const role = await open(app);
    await expect(role.query('select made()')).rejects.toThrow(/permission denied for function/);
    for (const table of ['temp table own (id int)', 'table own (id int)'])
      await expect(role.query(`create ${table}`)).rejects.toThrow(/permission denied/);
  } finally {
    for (const client of clients) await client.end();
    await cluster.query(`drop database if exists ${database} with (force)`);
    await cluster.query(`drop role if exists ${owner}, ${app}`);
    await cluster.end();
  }
});
