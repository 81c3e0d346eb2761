import type { AuditAction } from '@jangada/contract';
import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import { numberArray } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import type { DB } from '../db/schema.ts';
import type { Tx } from '../db/transaction.ts';
import type { StoredAuditEntry } from './chain.ts';

/**
 * The head of the chain of audit log entries: how many entries the chain has, the MAC of its last entry, and a MAC that
 * proves that the chain ends there.
 */
export type AuditHead = Omit<Selectable<DB['audit_head']>, 'only_row'>;

/** An entry's position in the chain, and the entry's MAC (a keyed hash of it and of the previous entry's MAC). */
export type ChainLink = { readonly position: number; readonly entryId: number; readonly mac: Buffer };

/** Inserts an entry that is not in the chain yet, and returns its id. */
export async function insertEntry({ db, now }: Tx, entry: NewAuditEntry): Promise<number> {
  const { id } = await db
    .insertInto('audit_log')
    .values({
      ...entry,
      before: JSON.stringify(entry.before),
      after: JSON.stringify(entry.after),
      at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const entryColumns = [
  'entry.id',
  sql<string>`extract(epoch from entry.at)::text`.as('at'),
  'entry.actor_id',
  'entry.action',
  'entry.subject_id',
  'entry.reason',
  'entry.before',
  'entry.after',
] as const;

/** Reads entries as stored in the database, in the order of their ids. */
export function readEntries(db: Db, ids: readonly number[]): Promise<StoredAuditEntry[]> {
  return selectEntries(db).where('entry.id', 'in', ids).execute();
}

/** Reads the entries with ids above `after`, up to the id `upTo` if given, in the order of their ids. */
export function readEntriesAfter(
  db: Db,
  { after, upTo, limit }: { after: number; upTo: number | undefined; limit: number },
): Promise<StoredAuditEntry[]> {
  return selectEntries(db)
    .where('entry.id', '>', after)
    .$if(upTo !== undefined, (query) => query.where('entry.id', '<=', upTo ?? 0))
    .limit(limit)
    .execute();
}

function selectEntries(db: Db) {
  return db.selectFrom('audit_log as entry').select(entryColumns).orderBy('entry.id');
}

export function readHead(db: Db): Promise<AuditHead | undefined> {
  return selectHead(db).executeTakeFirst();
}

/** Locks the head until commit, so that entries are appended to the chain one transaction after another. */
export function lockHead({ db }: Tx): Promise<AuditHead | undefined> {
  return selectHead(db).forUpdate().executeTakeFirst();
}

function selectHead(db: Db): SelectQueryBuilder<DB, 'audit_head', AuditHead> {
  return db.selectFrom('audit_head').select(['entries', 'last_mac', 'mac']);
}

export async function writeHead({ db }: Tx, head: AuditHead): Promise<void> {
  await db.updateTable('audit_head').set(head).execute();
}

export async function insertLinks({ db }: Tx, links: readonly ChainLink[]): Promise<void> {
  const macs = links.map(({ mac }) => mac.toString('hex')).join();
  await sql`
    insert into audit_chain (position, entry_id, mac)
    select position, entry_id, decode(mac, 'hex')
    from unnest(
      ${numberArray(links.map(({ position }) => position))}::bigint[],
      ${numberArray(links.map(({ entryId }) => entryId))}::bigint[],
      ${`{${macs}}`}::text[]
    ) as link (position, entry_id, mac)
  `.execute(db);
}

/** The MAC of the entry at a position of the chain; undefined if the chain has no such position. */
export async function readMac(db: Db, position: number): Promise<Buffer | undefined> {
  const link = await db
    .selectFrom('audit_chain')
    .select('mac')
    .where('position', '=', position)
    .executeTakeFirst();
  return link?.mac;
}

/** Reads the links after a position, each with its entry, or with null if the entry was removed from the log. */
export function readLinks(
  db: Db,
  after: number,
  limit: number,
): Promise<{ position: number; entry_id: number; mac: Buffer; entry: StoredAuditEntry | null }[]> {
  return db
    .selectFrom('audit_chain as link')
    .leftJoin('audit_log as entry', 'entry.id', 'link.entry_id')
    .select(['link.position', 'link.entry_id', 'link.mac', ...entryColumns])
    .where('link.position', '>', after)
    .orderBy('link.position')
    .limit(limit)
    .execute()
    .then((rows) => rows.map(withEntry));
}

type LinkRow = { position: number; entry_id: number; mac: Buffer } & {
  readonly [field in keyof StoredAuditEntry]: StoredAuditEntry[field] | null;
};

function withEntry({ position, entry_id, mac, ...fields }: LinkRow) {
  const { id, at, actor_id, action, subject_id, reason, before, after } = fields;
  const hasEntry = id !== null && at !== null && actor_id !== null && action !== null && subject_id !== null;
  const entry = hasEntry ? { id, at, actor_id, action, subject_id, reason, before, after } : null;
  return { position, entry_id, mac, entry };
}

/** Reads the ids of entries that are in the log but not in the chain. */
export async function readUnchained(db: Db, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('audit_log as entry')
    .select('entry.id')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('audit_chain as link')
            .select('link.position')
            .whereRef('link.entry_id', '=', 'entry.id'),
        ),
      ),
    )
    .orderBy('entry.id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

type AuditEntryFilter = {
  /** The account that acted or was acted upon. */
  readonly userId: number | undefined;
  readonly action: string | undefined;
  /** Lists only entries with a lower id, to continue after a page; undefined for the first page. */
  readonly before: number | undefined;
  readonly limit: number;
};

const accountNumber = /^\d{1,15}$/;

/** Finds the id of the account with this number, or else of the account with this username. */
export async function findAccountIdByNumberOrUsername(
  db: Db,
  numberOrUsername: string,
): Promise<number | undefined> {
  const id = accountNumber.test(numberOrUsername) ? Number(numberOrUsername) : -1;
  const row = await db
    .selectFrom('users')
    .select('id')
    .where(({ or, eb }) =>
      or([eb('id', '=', id), eb(sql`lower(username)`, '=', numberOrUsername.toLowerCase())]),
    )
    .orderBy(({ eb }) => eb('id', '=', id), 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Lists entries, newest first, each with the names of the account that acted and of the one acted upon. */
export async function listEntries(db: Db, { userId, action, before, limit }: AuditEntryFilter) {
  const newestIds = (column: 'actor_id' | 'subject_id' | undefined) =>
    db
      .selectFrom('audit_log')
      .select('id')
      .$if(column !== undefined, (query) => query.where(column ?? 'actor_id', '=', userId ?? 0))
      .$if(action !== undefined, (query) => query.where('action', '=', action ?? ''))
      .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
      .orderBy('id', 'desc')
      .limit(limit);
  // The entries by an account and the entries about it are read by two queries, because each side has an index of its
  // own.
  const sides = userId === undefined ? [undefined] : (['actor_id', 'subject_id'] as const);
  const found = sides
    .map((column) => db.selectFrom(newestIds(column).as('side')).select('id'))
    .reduce((combined, query) => combined.union(query));
  return db
    .selectFrom(found.as('found'))
    .innerJoin('audit_log as entry', 'entry.id', 'found.id')
    .innerJoin('users as actor', 'actor.id', 'entry.actor_id')
    .innerJoin('users as subject', 'subject.id', 'entry.subject_id')
    .select(['entry.id', 'entry.at', 'entry.actor_id', 'entry.action', 'entry.subject_id', 'entry.reason'])
    .select(['entry.before', 'entry.after', 'actor.name as actor_name', 'subject.name as subject_name'])
    .orderBy('entry.id', 'desc')
    .limit(limit)
    .execute();
}

/**
 * An action on an account, and who did it. Account 0 is the platform: the actor if no signed-in user did it, and the
 * subject if the action does not concern one account.
 */
export type NewAuditEntry = {
  actor_id: number;
  action: AuditAction;
  subject_id: number;
  reason: string | null;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
};
