import { sql } from 'kysely';
import { z } from 'zod';
import type { Tx, TxOrDb } from '../db/transaction.ts';

/** A notice: a bank's unverified callback that one Pix was paid. The endToEndId identifies that Pix nationwide. */
export type Notice = {
  readonly endToEndId: string;
  /** The payment time that the notice claims; used only to find the Pix. */
  readonly claimedAt?: Date | undefined;
  /** The callback's item as received. Stored notices contain the field under this name. */
  readonly told: unknown;
};

/** A notice that this process has leased, with the row that stores it. */
export type LeasedNotice = Notice & {
  readonly row: InboxRow;
  /** Whether the Pix was already booked when the notice was leased. */
  readonly isBooked: boolean;
};

/** A row that stores several notices. They are leased together, and the row is done when all of them are. */
export type InboxRow = {
  readonly id: number;
  /** The connection whose bank sent the notices, and is asked about them. */
  readonly connectionId: number;
  /** The number of notices in the row. */
  readonly size: number;
  readonly receivedAt: Date;
  /** How often the row was leased, including now. */
  readonly attempts: number;
  /** No other process takes the row before this time. */
  readonly leasedUntil: Date;
};

/** Processes notices in the process that stores them. */
export type NoticeSink = {
  /**
   * How many more notices of a connection the sink can take now. The others wait in the database for the next sweep of
   * due notices.
   */
  freeCapacity(connectionId: number): number;
  /** Processes notices that this process has leased. */
  take(notices: readonly LeasedNotice[]): void;
};

/** The length of a lease (exclusive right to process) on a row. It is short, so that a crash delays notices little. */
const leaseMs = 10_000;
/** More notices than this are split into several rows. */
const maxNoticesPerRow = 500;

/** How many notices of one merchant's own account wait at most: each is asked about, until it is known, for a day. */
const maxOwnNotices = 5000;

/** How many more notices of each of merchants' own accounts a process may store until it counts those that wait again. */
export type InboxRoom = Map<number, { left: number; readonly countedAt: Date }>;

/** Other processes store notices too, so the waiting ones of an account are counted again after this long. */
const roomHoldsMs = 60_000;

/**
 * Returns those of merchants' own accounts of which so many notices wait that no more are stored: reconciliation finds
 * their Pix. Of the others, takes the notices from the room.
 */
export async function takeInboxRoom(
  { db, now }: TxOrDb,
  room: InboxRoom,
  wanted: ReadonlyMap<number, number>,
): Promise<Set<number>> {
  const isCounted = (id: number) => {
    const { left = 0, countedAt } = room.get(id) ?? {};
    return countedAt !== undefined && left > 0 && Math.abs(now.getTime() - countedAt.getTime()) < roomHoldsMs;
  };
  const uncountedIds = [...wanted.keys()].filter((id) => !isCounted(id));
  for (const [id, waiting] of await countWaiting(db, uncountedIds))
    room.set(id, { left: maxOwnNotices - waiting, countedAt: now });
  const fullIds = new Set<number>();
  for (const [id, count] of wanted) {
    const ofAccount = room.get(id);
    if (ofAccount === undefined || ofAccount.left <= 0) fullIds.add(id);
    else ofAccount.left -= count;
  }
  return fullIds;
}

/** Counts the waiting notices of these accounts, up to the maximum. */
async function countWaiting(
  db: TxOrDb['db'],
  connectionIds: readonly number[],
): Promise<(readonly [number, number])[]> {
  if (connectionIds.length === 0) return [];
  const { rows } = await sql<{ id: number; waiting: number }>`
    select account.id, (
      select coalesce(sum(size), 0)::bigint from (
        select size from psp_inbox where state = 'waiting' and connection_id = account.id limit ${maxOwnNotices}
      ) waiting_row
    ) as waiting
    from unnest(${connectionIds}::int[]) account (id)
  `.execute(db);
  return rows.map(({ id, waiting }) => [id, waiting]);
}

/** Notices of one connection. `isLeased`: they are leased in the statement that stores them. */
export type ConnectionNotices = {
  readonly connectionId: number;
  readonly notices: readonly Notice[];
  readonly isLeased?: boolean;
};

/** Stores notices, and returns those that are leased with it. Any process may take the others immediately. */
export async function storeNotices(
  writer: TxOrDb,
  notices: readonly ConnectionNotices[],
): Promise<LeasedNotice[]> {
  const rows = splitIntoRows(notices);
  const { ids, booked } = await insertRows(writer, rows);
  return rows.flatMap(({ connectionId, notices, isLeased }, index) => {
    if (isLeased !== true) return [];
    const row = {
      id: ids[index] ?? 0,
      connectionId,
      size: notices.length,
      receivedAt: writer.now,
      attempts: 1,
      leasedUntil: leaseEnd(writer),
    };
    return notices.map((notice) => ({
      ...notice,
      row,
      isBooked: booked.has(pixAtConnection(notice.endToEndId, connectionId)),
    }));
  });
}

const leaseEnd = ({ now }: Pick<TxOrDb, 'now'>) => new Date(now.getTime() + leaseMs);

const pixAtConnection = (endToEndId: string, connectionId: number) => `${endToEndId} ${connectionId}`;

function splitIntoRows(notices: readonly ConnectionNotices[]): ConnectionNotices[] {
  return notices.flatMap((ofConnection) => {
    const rows: ConnectionNotices[] = [];
    for (let start = 0; start < ofConnection.notices.length; start += maxNoticesPerRow)
      rows.push({ ...ofConnection, notices: ofConnection.notices.slice(start, start + maxNoticesPerRow) });
    return rows;
  });
}

/** Returns the ids of the rows, in order, and which of the notices' Pix are already booked (`pixAtConnection`). */
async function insertRows(
  writer: TxOrDb,
  rows: readonly ConnectionNotices[],
): Promise<{ ids: number[]; booked: ReadonlySet<string> }> {
  const { db, now } = writer;
  const pix = rows.flatMap(({ connectionId, notices }) =>
    notices.map(({ endToEndId }) => ({ endToEndId, connectionId })),
  );
  const result = await sql<{ ids: number[]; booked: string[]; booked_at: number[] }>`
    with stored as (
      insert into psp_inbox (connection_id, received_at, notices, size, attempts, due_at)
      select connection_id, ${now}, notices, size, is_leased::int,
             case when is_leased then ${leaseEnd(writer)}::timestamptz else ${now}::timestamptz end
      from unnest(${rows.map(({ connectionId }) => connectionId)}::int[],
                  ${rows.map(({ notices }) => toStorableJson(notices))}::json[],
                  ${rows.map(({ notices }) => notices.length)}::int[],
                  ${rows.map(({ isLeased }) => isLeased === true)}::boolean[])
        with ordinality new_row (connection_id, notices, size, is_leased, ordinal)
      order by ordinal
      returning id
    ), booked as (
      select end_to_end_id, connection_id from received_pix
      where end_to_end_id = any(${pix.map(({ endToEndId }) => endToEndId)}::text[])
        and connection_id = any(${[...new Set(pix.map(({ connectionId }) => connectionId))]}::int[])
    )
    select array(select id from stored order by id) as ids, array(select end_to_end_id from booked) as booked,
           array(select connection_id from booked) as booked_at
  `.execute(db);
  const [row] = result.rows;
  const booked = row?.booked.map((id, index) => pixAtConnection(id, row.booked_at[index] ?? 0));
  return { ids: row?.ids ?? [], booked: new Set(booked) };
}

/** Returns the endToEndIds among the notices that are already booked at a connection. */
async function findBookedIds(
  db: TxOrDb['db'],
  connectionId: number,
  notices: readonly Notice[],
): Promise<Set<string>> {
  const { rows } = await sql<{ end_to_end_id: string }>`
    select end_to_end_id from received_pix
    where end_to_end_id = any(${notices.map((notice) => notice.endToEndId)}::text[]) and connection_id = ${connectionId}
  `.execute(db);
  return new Set(rows.map((row) => row.end_to_end_id));
}

/** Returns the connections with due notices. */
export async function findConnectionsWithDueNotices({ db, now }: TxOrDb): Promise<number[]> {
  // Goes from each connection to the next in the index, without reading the notices in between.
  const next = (after: unknown) => sql`
    select connection_id from psp_inbox
    where state = 'waiting' and due_at <= ${now} and connection_id > ${after} order by connection_id, due_at limit 1`;
  const { rows } = await sql<{ id: number }>`
    with recursive found (id) as (
      (${next(sql`0`)})
      union all
      select (${next(sql`found.id`)}) from found where found.id is not null
    )
    select id from found where id is not null
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** Leases due rows of a connection that together have about `limit` notices; after a crash they become due again. */
export async function leaseNotices(tx: Tx, connectionId: number, limit: number): Promise<LeasedNotice[]> {
  const leasedUntil = leaseEnd(tx);
  const { rows } = await sql<{
    id: number;
    size: number;
    received_at: Date;
    attempts: number;
    notices: unknown;
  }>`
    update psp_inbox set attempts = attempts + 1, due_at = ${leasedUntil}
    where id = any(array(
      select id from (
        select id, size, sum(size) over (order by due_at, id) as so_far from (
          select id, size, due_at from psp_inbox
          where state = 'waiting' and connection_id = ${connectionId} and due_at <= ${tx.now}
          order by due_at, id limit ${limit}
          for update skip locked
        ) due
      ) counted
      where so_far - size < ${limit}
    ))
    returning id, size, received_at, attempts, notices
  `.execute(tx.db);
  const leasedNotices = rows.flatMap(({ id, size, attempts, received_at: receivedAt, notices }) => {
    const row = { id, connectionId, size, receivedAt, attempts, leasedUntil };
    return storedNotices.parse(notices).map((notice) => ({ ...notice, row }));
  });
  const bookedIds =
    leasedNotices.length === 0 ? new Set() : await findBookedIds(tx.db, connectionId, leasedNotices);
  return leasedNotices.map((notice) => ({ ...notice, isBooked: bookedIds.has(notice.endToEndId) }));
}

const storedNotices = z.array(
  z.object({
    endToEndId: z.string(),
    claimedAt: z.coerce.date().optional().catch(undefined),
    told: z.unknown(),
  }),
);

/** Returns the notices as JSON, without the escapes that PostgreSQL cannot store as text: NUL and lone surrogates. */
function toStorableJson(notices: readonly Notice[]): string {
  return JSON.stringify(notices).replace(/(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][\da-f]{2})/g, '$1');
}

/** Finishes rows whose notices were all processed. */
export async function finishInboxRows({ db, now }: TxOrDb, ids: readonly number[]): Promise<void> {
  // `state = 'waiting'` would select the same rows, but the planner might then read all waiting rows through their
  // partial index. With `not in`, that index does not apply, and each row is found by its key.
  await sql`
    update psp_inbox set state = 'done', outcome = null, finished_at = ${now}
    where id = any(${ids}::bigint[]) and state not in ('done', 'refused')
  `.execute(db);
}

/** An unfinished notice: to be retried, or refused for good. */
export type DeferredNotice = {
  readonly notice: LeasedNotice;
  readonly outcome: string;
  /** The time of the next attempt; undefined if the notice is refused. */
  readonly retryAt: Date | undefined;
};

/**
 * Defers notices, each in its own row. A notice that shared a row with others is copied to a new row; the caller then
 * finishes the shared row.
 */
export async function deferNotices({ db, now }: TxOrDb, deferred: readonly DeferredNotice[]): Promise<void> {
  const inOwnRow = deferred.filter(({ notice }) => notice.row.size === 1);
  const inSharedRow = deferred.filter(({ notice }) => notice.row.size > 1);
  if (inOwnRow.length > 0)
    await sql`
      update psp_inbox
      set state = case when retry_at is null then 'refused' else 'waiting' end, outcome = deferral.outcome,
          due_at = coalesce(retry_at, psp_inbox.due_at), finished_at = case when retry_at is null then ${now}::timestamptz end
      from unnest(${inOwnRow.map(({ notice }) => notice.row.id)}::bigint[], ${inOwnRow.map(({ retryAt }) => retryAt)}::timestamptz[],
                  ${inOwnRow.map(({ outcome }) => outcome)}::text[]) deferral (id, retry_at, outcome)
      where psp_inbox.id = deferral.id and psp_inbox.id = any(${inOwnRow.map(({ notice }) => notice.row.id)}::bigint[])
        and state not in ('done', 'refused')
    `.execute(db);
  if (inSharedRow.length > 0)
    await sql`
      insert into psp_inbox (connection_id, received_at, notices, size, attempts, state, outcome, due_at, finished_at)
      select connection_id, received_at, notices, 1, attempts, case when retry_at is null then 'refused' else 'waiting' end, outcome,
             coalesce(retry_at, ${now}), case when retry_at is null then ${now}::timestamptz end
      from unnest(
        ${inSharedRow.map(({ notice }) => notice.row.connectionId)}::int[],
        ${inSharedRow.map(({ notice }) => notice.row.receivedAt)}::timestamptz[],
        ${inSharedRow.map(({ notice: { endToEndId, claimedAt, told } }) => toStorableJson([{ endToEndId, claimedAt, told }]))}::json[],
        ${inSharedRow.map(({ notice }) => notice.row.attempts)}::int[], ${inSharedRow.map(({ outcome }) => outcome)}::text[],
        ${inSharedRow.map(({ retryAt }) => retryAt)}::timestamptz[]
      ) deferral (connection_id, received_at, notices, attempts, outcome, retry_at)
    `.execute(db);
}

/** Deletes finished notices received before `before`: their results are in the ledger. */
export async function pruneNotices(tx: Tx, before: Date): Promise<void> {
  await tx.db
    .deleteFrom('psp_inbox')
    .where('state', '<>', 'waiting')
    .where('received_at', '<', before)
    .execute();
}
