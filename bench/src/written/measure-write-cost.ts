// Measures what PostgreSQL writes for a piece of work, from its write-ahead log (WAL), which holds every change.
import type { Client } from 'pg';

/** The cost of one step of the gateway, as the database counts it. */
export type WriteCost = {
  /** Statements that clients sent, `begin` and `commit` included. Each is one round trip. */
  readonly statements: number;
  /** New versions of rows: inserted rows and updated ones. */
  readonly rows: number;
  readonly deletedRows: number;
  /** Entries added to b-tree indexes, without those that link pages of an index to each other. */
  readonly indexEntries: number;
  /** Locks of single rows, which are written to the WAL too. */
  readonly rowLocks: number;
  /** Bytes of the WAL, without copies of whole pages (those follow each checkpoint). */
  readonly walBytes: number;
  readonly tables: Readonly<Record<string, { readonly rows: number; readonly indexEntries: number }>>;
};

/** Measures what `work` makes PostgreSQL write. `superuser` is connected to the gateway's database. */
export async function measureWriteCost(superuser: Client, work: () => Promise<unknown>): Promise<WriteCost> {
  // Every measurement starts right after a checkpoint, so that PostgreSQL makes none of its own during the work.
  await superuser.query('checkpoint');
  const start = await walPosition(superuser);
  await superuser.query('select pg_stat_statements_reset()');
  await work();
  const statements = await countStatements(superuser);
  const end = await walPosition(superuser);
  return { statements, ...(await readWal(superuser, start, end)) };
}

/** Where the next record of the WAL will be written. */
export async function walPosition(superuser: Client): Promise<string> {
  const { rows } = await superuser.query<{ lsn: string }>('select pg_current_wal_insert_lsn()::text as lsn');
  return rows[0]?.lsn ?? '0/0';
}

/** Counts the statements since the last reset, without the superuser's own. */
async function countStatements(superuser: Client): Promise<number> {
  const { rows } = await superuser.query<{ calls: number }>(`
    select coalesce(sum(calls), 0)::integer as calls
    from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database())
      and userid <> (select oid from pg_roles where rolname = current_user)`);
  return rows[0]?.calls ?? 0;
}

type Change = {
  readonly table: string;
  readonly kind: 'rows' | 'deletedRows' | 'indexEntries' | 'rowLocks';
  readonly count: number;
};

/** Counts the changes in the WAL between two positions. */
async function readWal(superuser: Client, start: string, end: string) {
  // Only records that are on disk can be read. Switching to the next WAL file flushes the current one.
  await superuser.query('select pg_switch_wal()');
  const { rows: changes } = await superuser.query<Change>(
    `
    with blocks as (
      select coalesce(owner.relname, relation.relname, 'other') as "table", resource_manager, record_type, description
      from pg_get_wal_block_info($1::pg_lsn, $2::pg_lsn, false) block
      join pg_class relation on pg_relation_filenode(relation.oid) = block.relfilenode
      left join pg_index index on index.indexrelid = relation.oid
      left join pg_class owner on owner.oid = index.indrelid
      -- A record may touch several pages. Its first block is the page that changed.
      where block.block_id = 0 and block.relforknumber = 0
        and block.reldatabase = (select oid from pg_database where datname = current_database())
        and relation.relnamespace = 'public'::regnamespace
    ), changes as (
      select "table",
             case
               -- The record that splits an index page also inserts the entry that did not fit.
               when resource_manager = 'Btree' and record_type ~ '^(INSERT_LEAF|INSERT_POST|SPLIT_[LR])' then 'indexEntries'
               when resource_manager = 'Heap' and record_type ~ '^(INSERT|UPDATE|HOT_UPDATE)' then 'rows'
               when resource_manager = 'Heap2' and record_type ~ '^MULTI_INSERT' then 'rows'
               when resource_manager = 'Heap' and record_type ~ '^DELETE' then 'deletedRows'
               when resource_manager = 'Heap' and record_type ~ '^LOCK' then 'rowLocks'
             end as kind,
             -- Several rows inserted into one page are one record, which says how many.
             coalesce(substring(description from 'ntuples: (\\d+)')::integer, 1) as count
      from blocks
    )
    select "table", kind, sum(count)::integer as count from changes where kind is not null group by 1, 2 order by 1, 2`,
    [start, end],
  );
  // Records of Standby and XLOG are PostgreSQL's own, such as checkpoints and lists of running transactions.
  const { rows: sizes } = await superuser.query<{ bytes: number }>(
    `select coalesce(sum(record_length - fpi_length), 0)::integer as bytes
     from pg_get_wal_records_info($1::pg_lsn, $2::pg_lsn) where resource_manager not in ('Standby', 'XLOG')`,
    [start, end],
  );
  const sumOf = (kind: Change['kind'], table?: string) =>
    changes
      .filter((change) => change.kind === kind && (table === undefined || change.table === table))
      .reduce((sum, { count }) => sum + count, 0);
  const tables = [...new Set(changes.map(({ table }) => table))];
  return {
    rows: sumOf('rows'),
    deletedRows: sumOf('deletedRows'),
    indexEntries: sumOf('indexEntries'),
    rowLocks: sumOf('rowLocks'),
    walBytes: sizes[0]?.bytes ?? 0,
    tables: Object.fromEntries(
      tables.map((table) => [
        table,
        { rows: sumOf('rows', table), indexEntries: sumOf('indexEntries', table) },
      ]),
    ),
  };
}
