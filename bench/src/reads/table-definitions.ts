import type { Client } from 'pg';

/**
 * Drops the tables' indexes, index-backed constraints and the foreign keys that depend on them, and records their
 * definitions: a bulk load is several times faster without them, and rebuilt indexes are dense.
 */
export async function dropDefinitions(client: Client, tables: readonly string[]): Promise<void> {
  await client.query(`create table bench.definitions (
    rank integer generated always as identity, table_name text, name text, make text, done boolean default false)`);
  await client.query(
    `insert into bench.definitions (table_name, name, make)
     select table_name, name, make from (
       select conrelid::regclass::text as table_name, conname as name, case contype when 'f' then 2 else 0 end as rank,
              format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
       from pg_constraint
       where (conrelid = any($1::text[]::regclass[]) and contype in ('p', 'u', 'x'))
          or (confrelid = any($1::text[]::regclass[]) and contype = 'f')
       union all
       select indrelid::regclass::text, indexrelid::regclass::text, 1, pg_get_indexdef(indexrelid)
       from pg_index
       where indrelid = any($1::text[]::regclass[])
         and not exists (select from pg_constraint where conindid = indexrelid and conrelid = indrelid)
     ) found order by rank, table_name, name`,
    [tables],
  );
  const { rows } = await client.query<{ drop: string }>(`
    select case when make like 'alter table%' then format('alter table %s drop constraint %I', table_name, name)
                else format('drop index %s', name) end as drop
    from bench.definitions order by rank desc`);
  for (const { drop } of rows) await client.query(drop);
}

/**
 * Recreates the dropped definitions, each in its own transaction, so that an interruption does not undo the definitions
 * that were recreated before.
 */
export async function restoreDefinitions(client: Client): Promise<void> {
  const { rows } = await client.query<{ rank: number; name: string; make: string }>(
    'select rank, name, make from bench.definitions where not done order by rank',
  );
  for (const { rank, name, make } of rows) {
    const startMs = performance.now();
    await client.query('begin');
    await client.query(make);
    await client.query('update bench.definitions set done = true where rank = $1', [rank]);
    await client.query('commit');
    console.log(`     ${name}: ${Math.round((performance.now() - startMs) / 1000)} s`);
  }
}
