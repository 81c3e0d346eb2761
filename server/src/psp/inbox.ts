import { sql } from 'kysely';
import { z } from 'zod';
import type { Tx, TxOrDb } from '../db/transaction.ts';

/** A bank's unverified notice of one Pix. */
export type Notice = {
  readonly endToEndId: string;
  /** The payment time that the notice claims; used only to find the Pix. */
  readonly claimedAt?: Date | undefined;
  /** As received. */
  readonly told: unknown;
};

/** A notice in memory, and the row that stores it. */
export type WaitingNotice = Notice & {
  readonly row: InboxRow;
  /** True if its Pix is already booked. */
  readonly known: boolean;
};

/** A row of notices stored together. They are leased together, and the row is done when its last notice is. */
export type InboxRow = {
  readonly id: number;
  readonly size: number;
  readonly receivedAt: Date;
  /** Includes this one. */
  readonly attempts: number;
  /** No other process takes it before then. */
  readonly takenUntil: Date;
};

/** Processes notices in the process that stores them. */
export type NoticeSink = {
  /** How many more it would take now; the rest is left to the sweep of due notices. */
  room(): number;
  take(notices: readonly WaitingNotice[]): void;
  /** Reports that notices were stored which nobody took. */
  wake(): void;
};

/** Lease on a notice: short, so that after a crash it is soon processed. */
const leaseMs = 10_000;
const noticesInRow = 500;

/** Stores notices before the bank gets its response. They are due at once. */
export async function storeNotices(written: TxOrDb, notices: readonly Notice[]): Promise<void> {
  await insertRows(written, inRows(notices), { attempts: 0, dueAt: written.now });
}

/** Stores notices and leases them in the same statement. */
export async function storeAndTakeNotices(
  written: TxOrDb,
  notices: readonly Notice[],
): Promise<WaitingNotice[]> {
  const takenUntil = new Date(written.now.getTime() + leaseMs);
  const rows = inRows(notices);
  const { ids, known } = await insertRows(written, rows, { attempts: 1, dueAt: takenUntil });
  return rows.flatMap((stored, place) => {
    const row = {
      id: ids[place] ?? 0,
      size: stored.length,
      receivedAt: written.now,
      attempts: 1,
      takenUntil,
    };
    return stored.map((notice) => ({ ...notice, row, known: known.has(notice.endToEndId) }));
  });
}

function inRows(notices: readonly Notice[]): Notice[][] {
  const rows: Notice[][] = [];
  for (let at = 0; at < notices.length; at += noticesInRow) rows.push(notices.slice(at, at + noticesInRow));
  return rows;
}

/** Returns the row ids, in order, and which of these Pix are already booked. */
async function insertRows(
  { db, now }: TxOrDb,
  rows: readonly (readonly Notice[])[],
  { attempts, dueAt }: { readonly attempts: number; readonly dueAt: Date },
): Promise<{ ids: number[]; known: ReadonlySet<string> }> {
  const result = await sql<{ ids: number[]; known: string[] }>`
    with stored as (
      insert into psp_inbox (received_at, notices, size, attempts, due_at)
      select ${now}, notices, size, ${attempts}, ${dueAt}
      from unnest(${rows.map(jsonOf)}::json[], ${rows.map((row) => row.length)}::int[])
        with ordinality stored (notices, size, place)
      order by place
      returning id
    )
    select array(select id from stored order by id) as ids,
           array(select end_to_end_id from received_pix
                 where end_to_end_id = any(${rows.flat().map((one) => one.endToEndId)}::text[])) as known
  `.execute(db);
  const [row] = result.rows;
  return { ids: row?.ids ?? [], known: new Set(row?.known) };
}

/** Returns which of these Pix are already booked. */
async function findKnown(db: TxOrDb['db'], notices: readonly Notice[]): Promise<Set<string>> {
  const { rows } = await sql<{ end_to_end_id: string }>`
    select end_to_end_id from received_pix
    where end_to_end_id = any(${notices.map((one) => one.endToEndId)}::text[])
  `.execute(db);
  return new Set(rows.map((row) => row.end_to_end_id));
}

/** Leases about `limit` due notices; after a crash they become due again. */
export async function takeNotices(tx: Tx, limit: number): Promise<WaitingNotice[]> {
  const takenUntil = new Date(tx.now.getTime() + leaseMs);
  const { rows } = await sql<{
    id: number;
    size: number;
    received_at: Date;
    attempts: number;
    notices: unknown;
  }>`
    update psp_inbox set attempts = attempts + 1, due_at = ${takenUntil}
    where id = any(array(
      select id from (
        select id, size, sum(size) over (order by due_at, id) as so_far from (
          select id, size, due_at from psp_inbox where state = 'waiting' and due_at <= ${tx.now}
          order by due_at, id limit ${limit}
          for update skip locked
        ) due
      ) counted
      where so_far - size < ${limit}
    ))
    returning id, size, received_at, attempts, notices
  `.execute(tx.db);
  const taken = rows.flatMap(({ id, size, attempts, received_at: receivedAt, notices }) => {
    const row = { id, size, receivedAt, attempts, takenUntil };
    return stored.parse(notices).map((notice) => ({ ...notice, row }));
  });
  const known = taken.length === 0 ? new Set() : await findKnown(tx.db, taken);
  return taken.map((notice) => ({ ...notice, known: known.has(notice.endToEndId) }));
}

const stored = z.array(
  z.object({
    endToEndId: z.string(),
    claimedAt: z.coerce.date().optional().catch(undefined),
    told: z.unknown(),
  }),
);

/** Removes what PostgreSQL cannot store as text: NUL and lone surrogates. */
function jsonOf(notices: readonly Notice[]): string {
  return JSON.stringify(notices).replace(/(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][\da-f]{2})/g, '$1');
}

/** Finishes rows whose notices were all processed. */
export async function finishRows({ db, now }: TxOrDb, ids: readonly number[]): Promise<void> {
  // The condition deliberately differs from the partial index's: the row is found by its key, however many wait.
  await sql`
    update psp_inbox set state = 'done', outcome = null, finished_at = ${now}
    where id = any(${ids}::bigint[]) and state not in ('done', 'refused')
  `.execute(db);
}

/** An unfinished notice: to be retried, or refused for good. */
export type DeferredNotice = {
  readonly notice: WaitingNotice;
  readonly outcome: string;
  /** When to retry; undefined: never. */
  readonly until: Date | undefined;
};

/** Defers notices, each in a row of its own. Notices that shared a row with others are copied out of it. */
export async function deferNotices({ db, now }: TxOrDb, putOff: readonly DeferredNotice[]): Promise<void> {
  const alone = putOff.filter(({ notice }) => notice.row.size === 1);
  const apart = putOff.filter(({ notice }) => notice.row.size > 1);
  if (alone.length > 0)
    await sql`
      update psp_inbox
      set state = case when until is null then 'refused' else 'waiting' end, outcome = later.outcome,
          due_at = coalesce(until, psp_inbox.due_at), finished_at = case when until is null then ${now}::timestamptz end
      from unnest(${alone.map(({ notice }) => notice.row.id)}::bigint[], ${alone.map(({ until }) => until)}::timestamptz[],
                  ${alone.map(({ outcome }) => outcome)}::text[]) later (id, until, outcome)
      where psp_inbox.id = later.id and psp_inbox.id = any(${alone.map(({ notice }) => notice.row.id)}::bigint[])
        and state not in ('done', 'refused')
    `.execute(db);
  if (apart.length > 0)
    await sql`
      insert into psp_inbox (received_at, notices, size, attempts, state, outcome, due_at, finished_at)
      select received_at, notices, 1, attempts, case when until is null then 'refused' else 'waiting' end, outcome,
             coalesce(until, ${now}), case when until is null then ${now}::timestamptz end
      from unnest(
        ${apart.map(({ notice }) => notice.row.receivedAt)}::timestamptz[],
        ${apart.map(({ notice: { endToEndId, claimedAt, told } }) => jsonOf([{ endToEndId, claimedAt, told }]))}::json[],
        ${apart.map(({ notice }) => notice.row.attempts)}::int[], ${apart.map(({ outcome }) => outcome)}::text[],
        ${apart.map(({ until }) => until)}::timestamptz[]
      ) apart (received_at, notices, attempts, outcome, until)
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
