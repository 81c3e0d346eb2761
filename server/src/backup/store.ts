import pg from 'pg';

export type Table = { readonly name: string; readonly columns: readonly string[] };

/**
 * Reads the gateway's tables, each after the tables that it references. Two kinds of tables are left out: those of the
 * job queue, which are in a schema of their own, because the job queue recreates them; and the list of migrations,
 * because the manifest contains it.
 */
export async function readTables(client: pg.Client): Promise<Table[]> {
  const { rows: tables } = await client.query<Table>(`
    select c.relname as name,
           array(select attname::text from pg_attribute a
                 where a.attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
                 order by attnum) as columns
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'schema_migrations'
    order by c.relname`);
  const { rows: references } = await client.query<{ from: string; to: string }>(`
    select distinct conrelid::regclass::text as "from", confrelid::regclass::text as "to"
    from pg_constraint where contype = 'f' and conrelid <> confrelid and connamespace = 'public'::regnamespace`);
  return orderByReferences(tables, references);
}

/** Sorts tables so that each follows the tables that it references. */
function orderByReferences(
  tables: readonly Table[],
  references: readonly { from: string; to: string }[],
): Table[] {
  const ordered: Table[] = [];
  const remaining = new Set(tables);
  while (remaining.size > 0) {
    const names = new Set([...remaining].map(({ name }) => name));
    const ready = [...remaining].filter(
      ({ name }) => !references.some(({ from, to }) => from === name && names.has(to)),
    );
    if (ready.length === 0) throw new Error(`These tables refer to each other: ${[...names].join(', ')}`);
    for (const table of ready) remaining.delete(table);
    ordered.push(...ready);
  }
  return ordered;
}

export type Sequence = { readonly name: string; readonly lastValue: string; readonly isCalled: boolean };

export async function readSequences(client: pg.Client): Promise<Sequence[]> {
  const { rows } = await client.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' order by 1",
  );
  const sequences: Sequence[] = [];
  for (const { name } of rows) {
    const { rows: values } = await client.query<{ lastValue: string; isCalled: boolean }>(
      `select last_value::text as "lastValue", is_called as "isCalled" from ${pg.escapeIdentifier(name)}`,
    );
    for (const value of values) sequences.push({ name, ...value });
  }
  return sequences;
}

export async function isEmptyDatabase(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ empty: boolean }>(`
    select not exists (
      select from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')
    ) as empty`);
  return rows[0]?.empty === true;
}

/** Quotes and joins identifiers: `"one", "other"`. */
export function quoteNames(names: readonly string[]): string {
  return names.map((name) => pg.escapeIdentifier(name)).join(', ');
}

/**
 * Enables or disables the triggers of tables. Some triggers add derived rows when a row is inserted. A backup already
 * contains the derived rows, so the triggers are disabled while it is restored.
 */
export async function setTriggersEnabled(
  client: pg.Client,
  tables: readonly Table[],
  action: 'enable' | 'disable',
): Promise<void> {
  for (const { name } of tables)
    await client.query(`alter table ${quoteNames([name])} ${action} trigger user`);
}
