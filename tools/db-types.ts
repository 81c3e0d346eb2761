// node tools/run.mjs tools/db-types.ts DATABASE_URL: writes server/src/db/schema.ts, the types of the tables,
// from a migrated database.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

/** The TypeScript type of each PostgreSQL type that the schema uses. */
const typesByPostgresType: Record<string, string> = {
  _int8: 'number[]',
  _text: 'string[]',
  bool: 'boolean',
  bytea: 'Buffer',
  date: 'string',
  int4: 'number',
  int8: 'number',
  json: 'Json',
  jsonb: 'Json',
  text: 'string',
  timestamptz: 'Date',
  uuid: 'string',
  xid8: 'string',
};

/** A column. `generated` means that an insert may omit it, because the database supplies a value. */
type Column = { table: string; name: string; type: string; nullable: boolean; generated: boolean };

/** Returns the TypeScript types of the tables in the schema `public`, as source text for Kysely. */
export async function databaseTypes(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Column>(`
    select table_name as table, column_name as name, udt_name as type, is_nullable = 'YES' as nullable,
           (column_default is not null or is_identity = 'YES') as generated
    from information_schema.columns where table_schema = 'public'
    order by table_name, ordinal_position`);
  await client.end();
  const tables = Map.groupBy(rows, (row) => row.table);
  const body = [...tables]
    .map(([table, columns]) => `  ${table}: {\n${columns.map(columnLine).join('')}  };\n`)
    .join('');
  return `// Made from the migrated database by tools/db-types.ts; a test keeps it true.
import type { ColumnType, Generated } from 'kysely';

/** Written as JSON text, read as parsed JSON. */
type Json = ColumnType<unknown, string, string>;

export type DB = {
${body}};
`;
}

function columnLine(column: Column): string {
  const base = typesByPostgresType[column.type];
  if (base === undefined)
    throw new Error(`${column.table}.${column.name}: no TypeScript type for ${column.type}`);
  const type = column.nullable ? `${base} | null` : base;
  return `    ${column.name}: ${column.generated ? `Generated<${type}>` : type};\n`;
}

if (import.meta.main) {
  const url = process.argv[2];
  if (url === undefined) throw new Error('Name the database: DATABASE_URL as the first argument.');
  const target = fileURLToPath(new URL('../server/src/db/schema.ts', import.meta.url));
  await writeFile(target, await databaseTypes(url));
}
