import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import { InvalidSetting } from '../config.ts';
import { invariant } from '../invariant.ts';
import { setSharded } from './sharding.ts';

/**
 * The tables that are spread over the servers of a cluster by the merchant of their rows: those that grow with the
 * payments and that the database keeps right. All others stay on the coordinator (docs/cluster.md says why). A table
 * comes after those that it refers to.
 */
const tablesByMerchant = [
  'ledger_balances',
  'ledger_entries',
  'ledger_days',
  'charges',
  'charge_options',
  'due_terms',
  'charge_metadata',
  'customers',
  'charge_reminders',
  'open_charges',
  'ended_charges',
  'charge_runs',
  'merchant_counters',
  'merchant_days',
  'reserves',
  'reserve_claims',
  'withdrawals',
  'withdrawal_returns',
  'refunds',
  'disputes',
  'idempotency_keys',
  'subscriptions',
  'mandates',
  'cycles',
  'cycle_codes',
  'debit_attempts',
  'debit_reminders',
];

/** How many parts each table has. A part moves between servers as a whole, so there are more than servers. */
const shardCount = 32;

/**
 * Settings of every connection to a database of a cluster.
 * - Triggers of a merchant's rows write only rows of the same merchant, which are on the same server and written in the
 *   same transaction. Citus cannot know that, and so asks for the first two.
 * - A statement visits the servers one after the other, over one connection to each: rows of two transactions are then
 *   locked in the same order, and a transaction sees its own writes.
 */
export const clusterSettings: Readonly<Record<string, string>> = {
  'citus.enable_unsafe_triggers': 'on',
  'citus.allow_nested_distributed_execution': 'on',
  'citus.multi_shard_modify_mode': 'sequential',
  'citus.max_adaptive_executor_pool_size': '1',
};

/** Whether the tables of this database are spread over several servers by `cluster:prepare`. */
export async function isCluster(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    "select to_regclass('pg_dist_partition') is not null as found",
  );
  if (rows[0]?.found !== true) return false;
  const charges = await client.query(
    "select from pg_dist_partition where logicalrelid = to_regclass('charges')",
  );
  return charges.rowCount !== 0;
}

/**
 * Brings what later migrations created into the form that a cluster needs. Called after each migration of a cluster.
 * The functions of the books run as the owner of the tables, and Citus refuses two roles in one transaction on the same
 * rows. So in a cluster the gateway works as the owner.
 */
export async function adaptToCluster(client: pg.Client, hasOwnRole: boolean): Promise<void> {
  if (hasOwnRole)
    throw new InvalidSetting(
      'in a cluster the gateway works as the owner of its tables: remove MIGRATION_DATABASE_URL (docs/cluster.md)',
    );
  setSharded(true);
  await client.query(await readClusterFile('figures.sql'));
  await dropForeignKeysToUsers(client);
  await nameTheServers(client);
  await letPlansFollowTheirArguments(client);
}

/**
 * Spreads the tables of a migrated database over the servers that the operator has added to its coordinator. Rows that
 * exist already are copied, while the gateway is stopped.
 */
export async function distributeTables(client: pg.Client, hasOwnRole: boolean): Promise<void> {
  await checkServers(client);
  await applySettings(client);
  await adaptToCluster(client, hasOwnRole);
  await client.query(await readClusterFile('triggers.sql'));
  await client.query(`set citus.shard_count = ${shardCount}`);
  const [first = '', ...others] = tablesByMerchant;
  await client.query(
    "select create_distributed_table($1::text::regclass, 'merchant_id', colocate_with => 'none')",
    [first],
  );
  for (const table of others)
    await client.query(
      "select create_distributed_table($1::text::regclass, 'merchant_id', colocate_with => $2)",
      [table, first],
    );
  // A Pix is booked once, whoever receives it, so its id decides where its row is.
  await client.query("select create_distributed_table('received_pix', 'end_to_end_id')");
}

const readClusterFile = (name: string) => readFile(new URL(`../../cluster/${name}`, import.meta.url), 'utf8');

async function checkServers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ has_citus: boolean }>(
    "select exists (select from pg_extension where extname = 'citus') as has_citus",
  );
  if (rows[0]?.has_citus !== true)
    throw new InvalidSetting('this database has no extension citus: see docs/cluster.md');
  const workers = await client.query("select from pg_dist_node where noderole = 'primary' and groupid <> 0");
  if (workers.rowCount === 0)
    throw new InvalidSetting(
      'the coordinator knows no worker: add them with citus_add_node (docs/cluster.md)',
    );
}

async function applySettings(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select quote_ident(current_database()) as name');
  for (const [setting, value] of Object.entries(clusterSettings)) {
    await client.query(`set ${setting} = ${value}`);
    await client.query('select run_command_on_all_nodes($1)', [
      `alter database ${rows[0]?.name} set ${setting} = ${value}`,
    ]);
  }
}

/**
 * Accounts stay on the coordinator, where other servers cannot look them up for each row. They are never deleted
 * (`users_stay`), and the books refuse merchants whom they do not know.
 */
async function dropForeignKeysToUsers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string; name: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name from pg_constraint
     where contype = 'f' and confrelid = 'users'::regclass and conrelid::regclass::text = any($1)`,
    [tablesByMerchant],
  );
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`);
}

/**
 * Conditions by which a statement of the books names the servers that it concerns; without them it would ask all. They
 * are true for the rows that the statement reaches anyway.
 */
const conditions: readonly { readonly name: string; readonly after: string; readonly condition: string }[] = [
  {
    name: 'post',
    after: 'where balance.merchant_id = change.merchant_id',
    condition: 'balance.merchant_id = any(merchants)',
  },
  {
    name: 'settle',
    after: 'where charges.merchant_id = paid.merchant_id and charges.id = paid.charge_id',
    condition: 'charges.merchant_id = any(owners)',
  },
];

async function nameTheServers(client: pg.Client): Promise<void> {
  for (const { name, after, condition } of conditions) {
    const { rows } = await client.query<{ text: string }>(
      "select pg_get_functiondef(oid) as text from pg_proc where proname = $1 and pronamespace = 'public'::regnamespace",
      [name],
    );
    const text = rows[0]?.text ?? '';
    if (text.includes(condition)) continue;
    invariant(text.includes(after), `${name} has no statement to complete`);
    await client.query(text.replace(after, `${after} and ${condition}`));
  }
}

/** On one server, functions keep one plan (see `post`). Citus must see the arguments to know which servers to ask. */
async function letPlansFollowTheirArguments(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regprocedure::text as name from pg_proc
     where pronamespace = 'public'::regnamespace and 'plan_cache_mode=force_generic_plan' = any(proconfig)`,
  );
  for (const { name } of rows)
    await client.query(`alter function ${name} set plan_cache_mode = force_custom_plan`);
}
