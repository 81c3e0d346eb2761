import type { BatchLineState, NewBatchLine } from '@jangada/contract';
import { sql } from 'kysely';
import { jsonLines, rowsById, textArray } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';

/** A batch as stored, with how many of its lines are in each state. */
export type StoredBatch = {
  readonly merchantId: number;
  readonly id: string;
  readonly reference: string | null;
  readonly size: number;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
  readonly counts: Readonly<Record<BatchLineState, number>>;
};

export type NewBatch = {
  readonly merchantId: number;
  readonly id: string;
  readonly reference: string | null;
  readonly requestId: string;
  readonly madeWith: string;
  readonly createdBy: number | null;
  readonly lines: readonly NewBatchLine[];
};

/** Stores a batch with all its lines. Returns false if the batch is stored already. */
export async function insertBatch(tx: Tx, batch: NewBatch): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('charge_batches')
    .values({
      merchant_id: batch.merchantId,
      id: batch.id,
      reference: batch.reference,
      size: batch.lines.length,
      request_id: batch.requestId,
      made_with: batch.madeWith,
      created_by: batch.createdBy,
      created_at: tx.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (Number(numInsertedOrUpdatedRows) === 0) return false;
  await sql`
    insert into charge_batch_lines (merchant_id, batch_id, line, external_id, request, due_at)
    select ${batch.merchantId}, ${batch.id}, position, request ->> 'external_id', request, ${tx.now}
    from (
      select text::json as request, position
      from unnest(string_to_array(${jsonLines(batch.lines)}::text, E'\n')) with ordinality line (text, position)
    ) lines
  `.execute(tx.db);
  return true;
}

/** A line that repeats a charge, or a line of another batch that will become one. */
type ChargedBefore = { readonly line: number; readonly chargedAt: Date; readonly isPaid: boolean };

type BatchLineKey = Pick<NewBatchLine, 'external_id' | 'due_date'>;

/**
 * The lines whose external id and due date are those of a charge that is open or paid, or of a line that waits. Without
 * a due date only what can still be paid counts, because such charges are made again each month under the same id.
 */
export async function findChargedBefore(
  tx: Tx,
  batch: Pick<StoredBatch, 'merchantId' | 'id'>,
  lines: readonly BatchLineKey[],
): Promise<ChargedBefore[]> {
  // In this order no line is missed that becomes a charge meanwhile.
  const found = [...(await selectWaiting(tx, batch, lines)), ...(await selectCharged(tx, batch, lines))];
  const byKey = new Map(found.map((one) => [keyOf(one), one]));
  return lines.flatMap((line, index) => {
    const before = byKey.get(keyOf(line));
    return before === undefined
      ? []
      : [{ line: index + 1, chargedAt: before.charged_at, isPaid: before.is_paid }];
  });
}

const keyOf = ({ external_id, due_date }: BatchLineKey) => `${due_date ?? ''} ${external_id}`;
const idsOf = (lines: readonly BatchLineKey[]) => lines.map(({ external_id }) => external_id);

type ChargedRow = BatchLineKey & { readonly charged_at: Date; readonly is_paid: boolean };

async function selectWaiting(
  { db }: Tx,
  { merchantId, id }: Pick<StoredBatch, 'merchantId' | 'id'>,
  lines: readonly BatchLineKey[],
): Promise<ChargedRow[]> {
  const lookUp = sql`
    select line.external_id, line.request ->> 'due_date' as due_date, batch.created_at as charged_at, false as is_paid
    from charge_batch_lines line
    join charge_batches batch on batch.merchant_id = line.merchant_id and batch.id = line.batch_id
    where line.merchant_id = ${merchantId} and line.external_id = wanted.id and line.state = 'waiting'
      and line.batch_id <> ${id}`;
  const { rows } = await sql<ChargedRow>`
    select found.* from ${rowsById(idsOf(lines), 'text', lookUp)}
  `.execute(db);
  return rows;
}

async function selectCharged(
  { db }: Tx,
  { merchantId }: Pick<StoredBatch, 'merchantId'>,
  lines: readonly BatchLineKey[],
): Promise<ChargedRow[]> {
  const dueDates = [...new Set(lines.flatMap(({ due_date }) => due_date ?? []))];
  const lookUp = sql`
    select external_id, due_date::text, created_at as charged_at, status = 'paid' as is_paid
    from charges
    where merchant_id = ${merchantId} and external_id = wanted.id
      and case when due_date is null then status = 'pending'
        else status in ('pending', 'paid') and due_date = any(${textArray(dueDates)}::date[]) end`;
  const { rows } = await sql<ChargedRow>`
    select found.* from ${rowsById(idsOf(lines), 'text', lookUp)} order by found.charged_at
  `.execute(db);
  return rows;
}

const selectBatches = sql`
  select batch.merchant_id, batch.id, reference, size, created_at, completed_at, counted.*
  from charge_batches batch
  cross join lateral (
    select count(*) filter (where state = 'waiting') as waiting, count(*) filter (where state = 'created') as created,
           count(*) filter (where state = 'refused') as refused,
           count(*) filter (where state = 'cancelled') as cancelled
    from charge_batch_lines line where line.merchant_id = batch.merchant_id and line.batch_id = batch.id
  ) counted`;

type BatchRow = {
  merchant_id: number;
  id: string;
  reference: string | null;
  size: number;
  created_at: Date;
  completed_at: Date | null;
} & Record<BatchLineState, number>;

function batchFrom({ waiting, created, refused, cancelled, ...row }: BatchRow): StoredBatch {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    reference: row.reference,
    size: row.size,
    createdAt: row.created_at,
    completedAt: row.completed_at,
    counts: { waiting, created, refused, cancelled },
  };
}

export async function findBatch(
  db: Db | Tx['db'],
  merchantId: number,
  id: string,
): Promise<StoredBatch | undefined> {
  const { rows } = await sql<BatchRow>`
    ${selectBatches} where batch.merchant_id = ${merchantId} and batch.id = ${id}
  `.execute(db);
  return rows[0] && batchFrom(rows[0]);
}

/** Counts the batches of a merchant that are not completed. */
export async function countOpenBatches(db: Db, merchantId: number): Promise<number> {
  const { count } = await db
    .selectFrom('charge_batches')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('merchant_id', '=', merchantId)
    .where('completed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Lists a merchant's batches, newest first: those older than `before`. */
export async function listBatches(
  db: Db,
  merchantId: number,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<StoredBatch[]> {
  const { rows } = await sql<BatchRow>`
    ${selectBatches}
    where batch.merchant_id = ${merchantId} ${before === undefined ? sql`` : sql`and batch.id < ${before}::uuid`}
    order by batch.id desc limit ${limit}
  `.execute(db);
  return rows.map(batchFrom);
}

/** A line with the charge that it became. */
export type StoredLine = {
  readonly line: number;
  readonly externalId: string;
  readonly state: BatchLineState;
  readonly chargeId: string | null;
  readonly txid: string | null;
  readonly brCode: string | null;
  readonly amountCents: number | null;
  readonly dueDate: string | null;
  readonly code: string | null;
  readonly message: string | null;
};

/** Lists lines of a batch in their order: those after a line, and only those in a state, if one is given. */
export async function listLines(
  db: Db,
  { merchantId, id }: Pick<StoredBatch, 'merchantId' | 'id'>,
  {
    state,
    after,
    limit,
  }: { readonly state?: BatchLineState | undefined; readonly after: number; readonly limit: number },
): Promise<StoredLine[]> {
  const { rows } = await sql<StoredLine>`
    select line, line.external_id as "externalId", state, charge.id as "chargeId", txid, br_code as "brCode",
           amount_cents as "amountCents", due_date as "dueDate", code, message
    from charge_batch_lines line
    left join charges charge
      on charge.merchant_id = line.merchant_id and charge.id = line.charge_id and line.state = 'created'
    where line.merchant_id = ${merchantId} and batch_id = ${id} and line > ${after}
      ${state === undefined ? sql`` : sql`and state = ${state}`}
    order by line limit ${limit}
  `.execute(db);
  return rows;
}

/** A batch that has lines to be worked off, and whom its charges are made by. */
export type OpenBatch = {
  readonly merchantId: number;
  readonly id: string;
  readonly requestId: string | null;
  readonly madeWith: string;
  readonly createdBy: number | null;
};

/**
 * Takes the batches whose turn it is, of one merchant at most one: those that have waited longest since their last turn.
 * Each goes to the end of the line.
 */
export async function takeBatches(tx: Tx, limit: number): Promise<OpenBatch[]> {
  const { rows } = await sql<OpenBatch>`
    update charge_batches batch set worked_at = ${tx.now}
    from (
      select merchant_id, id from charge_batches
      where completed_at is null and (merchant_id, id) in (
        select distinct on (merchant_id) merchant_id, id from charge_batches waiting
        where completed_at is null and (
          exists (
            select from charge_batch_lines line
            where line.merchant_id = waiting.merchant_id and line.batch_id = waiting.id and line.state = 'waiting'
              and due_at <= ${tx.now})
          or not exists (
            select from charge_batch_lines line
            where line.merchant_id = waiting.merchant_id and line.batch_id = waiting.id and line.state = 'waiting'))
        order by merchant_id, worked_at nulls first, id)
      order by worked_at nulls first, id limit ${limit}
      for update skip locked
    ) turn
    where batch.merchant_id = turn.merchant_id and batch.id = turn.id
    returning batch.merchant_id as "merchantId", batch.id, request_id as "requestId", made_with as "madeWith",
              created_by as "createdBy"
  `.execute(tx.db);
  return rows;
}

/** A line for which an attempt is made. `leasedUntil` tells this attempt from every other. */
export type LeasedLine = {
  readonly line: number;
  readonly request: NewBatchLine;
  readonly chargeId: string | null;
  readonly attempts: number;
  readonly leasedUntil: Date;
};

/** Leases the next lines of a batch: nobody else takes them before `until`. */
export async function leaseLines(
  tx: Tx,
  { merchantId, id }: Pick<OpenBatch, 'merchantId' | 'id'>,
  until: Date,
  limit: number,
): Promise<LeasedLine[]> {
  const { rows } = await sql<LeasedLine>`
    update charge_batch_lines line set due_at = ${until}, is_leased = true, attempts = attempts + 1
    from (
      select line from charge_batch_lines
      where merchant_id = ${merchantId} and batch_id = ${id} and state = 'waiting' and due_at <= ${tx.now}
      order by line limit ${limit}
      for update skip locked
    ) due
    where line.merchant_id = ${merchantId} and line.batch_id = ${id} and line.line = due.line
    returning line.line, request, charge_id as "chargeId", attempts, due_at as "leasedUntil"
  `.execute(tx.db);
  return rows;
}

type LineKey = Pick<OpenBatch, 'merchantId' | 'id'> & Pick<LeasedLine, 'line' | 'leasedUntil'>;

function ofLease(db: Db | Tx['db'], { merchantId, id, line, leasedUntil }: LineKey) {
  return db
    .updateTable('charge_batch_lines')
    .where('merchant_id', '=', merchantId)
    .where('batch_id', '=', id)
    .where('line', '=', line)
    .where('state', '=', 'waiting')
    .where('is_leased', '=', true)
    .where('due_at', '=', leasedUntil);
}

/** Notes the id of the charge that is about to be stored. Returns false if the lease has ended. */
export async function noteCharge(db: Db, key: LineKey, chargeId: string): Promise<boolean> {
  const { numUpdatedRows } = await ofLease(db, key).set({ charge_id: chargeId }).executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** What an attempt came to. */
export type LineOutcome =
  | { readonly state: 'created'; readonly charge_id: string }
  | { readonly state: 'refused'; readonly code: string; readonly message: string };

export async function finishLine(db: Db, key: LineKey, outcome: LineOutcome): Promise<void> {
  await ofLease(db, key)
    .set({ ...outcome, is_leased: false })
    .execute();
}

export async function postponeLine(db: Db, key: LineKey, dueAt: Date): Promise<void> {
  await ofLease(db, key).set({ due_at: dueAt, is_leased: false }).execute();
}

/** Cancels the lines for which nothing was begun. A line that may have a charge at the bank is finished. */
export async function cancelWaitingLines(
  tx: Tx,
  { merchantId, id }: Pick<OpenBatch, 'merchantId' | 'id'>,
): Promise<void> {
  await tx.db
    .updateTable('charge_batch_lines')
    .set({ state: 'cancelled' })
    .where('merchant_id', '=', merchantId)
    .where('batch_id', '=', id)
    .where('state', '=', 'waiting')
    .where('is_leased', '=', false)
    .where('charge_id', 'is', null)
    .execute();
}

/** Marks a batch as completed if no line waits. Returns false if it is not, or was before. */
export async function completeBatch(
  tx: Tx,
  { merchantId, id }: Pick<OpenBatch, 'merchantId' | 'id'>,
): Promise<boolean> {
  const { rows } = await sql`
    update charge_batches batch set completed_at = ${tx.now}
    where merchant_id = ${merchantId} and id = ${id} and completed_at is null
      and not exists (
        select from charge_batch_lines line
        where line.merchant_id = ${merchantId} and line.batch_id = ${id} and line.state = 'waiting')
    returning id
  `.execute(tx.db);
  return rows.length > 0;
}
