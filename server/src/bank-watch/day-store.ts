import { sql } from 'kysely';
import { z } from 'zod';
import { numbers, texts } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import type { BookedRefund } from './compare-returns.ts';
import type { OpenItemKind } from './open-item.ts';

/** What a comparison has found up to a moment. Amounts in integer cents. */
export const progress = z.object({
  startedAt: z.coerce.date(),
  until: z.coerce.date(),
  receivedCents: z.number(),
  returnedCents: z.number(),
  sentCents: z.number(),
  differences: z.number(),
});
export type Progress = z.infer<typeof progress>;

export type KnownDay = {
  readonly day: string;
  readonly comparedAt: Date | undefined;
  readonly differences: number;
  readonly takenUntil: Date | undefined;
};

/** Days from one on that were compared, or are. */
export async function listDays(db: Db, from: string): Promise<KnownDay[]> {
  const rows = await db
    .selectFrom('reconciled_days')
    .select(['day', 'compared_at', 'differences', 'taken_until'])
    .where('day', '>=', from)
    .execute();
  return rows.map((row) => ({
    day: row.day,
    comparedAt: row.compared_at ?? undefined,
    differences: row.differences,
    takenUntil: row.taken_until ?? undefined,
  }));
}

/** The day on which the gateway began. */
export async function readBeginning(db: Db): Promise<Date | undefined> {
  const row = await db.selectFrom('gateway').select('created_at').executeTakeFirst();
  return row?.created_at;
}

/** Takes a day, unless somebody else has it; answers how far its comparison came. */
export async function takeDay(
  tx: Tx,
  day: string,
  takenUntil: Date,
): Promise<{ progress: Progress | undefined } | undefined> {
  const { rows } = await sql<{ under_way: unknown }>`
    insert into reconciled_days as known (day, taken_until) values (${day}, ${takenUntil})
    on conflict (day) do update set taken_until = excluded.taken_until
    where known.taken_until is null or known.taken_until <= ${tx.now}
    returning under_way
  `.execute(tx.db);
  const [row] = rows;
  return row && { progress: row.under_way === null ? undefined : progress.parse(row.under_way) };
}

/** Writes how far a comparison came, and lets go of its day. */
export async function writeProgress(tx: Tx, day: string, found: Progress): Promise<void> {
  await tx.db
    .updateTable('reconciled_days')
    .set({ under_way: JSON.stringify(found), taken_until: null })
    .where('day', '=', day)
    .execute();
}

export async function releaseDay(db: Db, day: string): Promise<void> {
  await db.updateTable('reconciled_days').set({ taken_until: null }).where('day', '=', day).execute();
}

export async function finishDay(tx: Tx, day: string, found: Progress): Promise<void> {
  await tx.db
    .updateTable('reconciled_days')
    .set({
      compared_at: tx.now,
      received_cents: found.receivedCents,
      returned_cents: found.returnedCents,
      sent_cents: found.sentCents,
      differences: found.differences,
      under_way: null,
      taken_until: null,
    })
    .where('day', '=', day)
    .execute();
}

export type ComparedDay = Omit<Progress, 'until' | 'startedAt'> & {
  readonly day: string;
  readonly comparedAt: Date;
};

/** Compared days, newest first. */
export async function listComparedDays(db: Db, limit: number): Promise<ComparedDay[]> {
  const rows = await db
    .selectFrom('reconciled_days')
    .selectAll()
    .where('compared_at', 'is not', null)
    .orderBy('day', 'desc')
    .limit(limit)
    .execute();
  return rows.flatMap(({ day, compared_at, received_cents, returned_cents, sent_cents, differences }) =>
    compared_at === null
      ? []
      : [
          {
            day,
            comparedAt: compared_at,
            receivedCents: received_cents,
            returnedCents: returned_cents,
            sentCents: sent_cents,
            differences,
          },
        ],
  );
}

export type BookedPix = { readonly merchantId: number; readonly amountCents: number };

/** Received Pix as we booked them, by endToEndId. */
export async function findBookedPix(db: Db, endToEndIds: readonly string[]): Promise<Map<string, BookedPix>> {
  const { rows } = await sql<{ end_to_end_id: string; merchant_id: number; amount_cents: number }>`
    select end_to_end_id, merchant_id, amount_cents from received_pix
    where end_to_end_id = any(${texts(endToEndIds)}::text[])
  `.execute(db);
  return new Map(
    rows.map((row) => [row.end_to_end_id, { merchantId: row.merchant_id, amountCents: row.amount_cents }]),
  );
}

/** Our refunds of Pix, by endToEndId; those of nobody's Pix stand under merchant 0, also after it found its merchant. */
export async function findBookedRefunds(
  db: Db,
  pix: readonly { readonly merchantId: number; readonly endToEndId: string }[],
): Promise<Map<string, BookedRefund[]>> {
  const named = pix.flatMap(({ merchantId, endToEndId }) =>
    merchantId === 0
      ? [{ merchantId, endToEndId }]
      : [
          { merchantId, endToEndId },
          { merchantId: 0, endToEndId },
        ],
  );
  const { rows } = await sql<{
    end_to_end_id: string;
    id: string;
    bank_refund_id: string;
    rtr_id: string | null;
    status: string;
    amount_cents: number;
  }>`
    select end_to_end_id, id, bank_refund_id, rtr_id, status, amount_cents
    from refunds
    join unnest(
      ${numbers(named.map(({ merchantId }) => merchantId))}::bigint[],
      ${texts(named.map(({ endToEndId }) => endToEndId))}::text[]
    ) named (merchant_id, end_to_end_id) using (merchant_id, end_to_end_id)
  `.execute(db);
  const refunds = new Map<string, BookedRefund[]>();
  for (const row of rows) {
    const { id, bank_refund_id: bankRefundId, rtr_id: rtrId, amount_cents: amountCents } = row;
    // The table's CHECK admits only these words.
    const status = row.status as BookedRefund['status'];
    const same = refunds.get(row.end_to_end_id) ?? [];
    refunds.set(row.end_to_end_id, [...same, { id, bankRefundId, rtrId, status, amountCents }]);
  }
  return refunds;
}

type Window = { readonly from: Date; readonly until: Date };

/** How many Pix we booked that were received in a window, counted to `atMost`. */
export async function countReceived(db: Db, { from, until }: Window, atMost: number): Promise<number> {
  const { rows } = await sql<{ found: number }>`
    select count(*) as found from (
      select from received_pix where paid_at >= ${from} and paid_at < ${until} limit ${atMost}::int
    ) counted
  `.execute(db);
  return rows[0]?.found ?? 0;
}

export async function sumReceived(
  db: Db,
  { from, until }: Window,
): Promise<{ count: number; cents: number }> {
  const { rows } = await sql<{ count: number; cents: number }>`
    select count(*) as count, coalesce(sum(amount_cents), 0)::bigint as cents
    from received_pix where paid_at >= ${from} and paid_at < ${until}
  `.execute(db);
  return rows[0] ?? { count: 0, cents: 0 };
}

/** What we booked as received in a window, a page behind the last id. */
export async function listReceived(
  db: Db,
  { from, until }: Window,
  behind: string,
  limit: number,
): Promise<{ endToEndId: string; merchantId: number; amountCents: number }[]> {
  const { rows } = await sql<{ endToEndId: string; merchantId: number; amountCents: number }>`
    with received as materialized (
      select end_to_end_id, merchant_id, amount_cents from received_pix
      where paid_at >= ${from} and paid_at < ${until}
    )
    select end_to_end_id as "endToEndId", merchant_id as "merchantId", amount_cents as "amountCents"
    from received
    where end_to_end_id > ${behind}
    order by end_to_end_id limit ${limit}::int
  `.execute(db);
  return rows;
}

/** A withdrawal as our books have it, as far as it is compared. `cents`: what left for its key. */
export type BookedPayout = {
  readonly merchantId: number;
  readonly id: string;
  readonly idEnvio: string;
  readonly status: string;
  readonly completedAt: Date | null;
  readonly cents: number;
  readonly returnedCents: number;
};

const payoutColumns = sql`
  merchant_id as "merchantId", id, id_envio as "idEnvio", status, completed_at as "completedAt",
  amount_cents - fee_cents as cents, returned_cents as "returnedCents"`;

/** By the names that their orders have at the bank. */
export async function findBookedPayouts(
  db: Db,
  orders: readonly { readonly merchantId: number; readonly idEnvio: string }[],
): Promise<Map<string, BookedPayout>> {
  const { rows } = await sql<BookedPayout>`
    select ${payoutColumns} from withdrawals
    join unnest(
      ${numbers(orders.map(({ merchantId }) => merchantId))}::bigint[],
      ${texts(orders.map(({ idEnvio }) => idEnvio))}::text[]
    ) named (merchant_id, id_envio) using (merchant_id, id_envio)
  `.execute(db);
  return new Map(rows.map((row) => [row.idEnvio, row]));
}

/** Withdrawals that left in a window and were paid. */
export async function listPaidOut(db: Db, { from, until }: Window): Promise<BookedPayout[]> {
  const { rows } = await sql<BookedPayout>`
    select ${payoutColumns} from withdrawals
    where first_sent_at is not null and first_sent_at >= ${from} and first_sent_at < ${until}
      and completed_at is not null
  `.execute(db);
  return rows;
}

/** Which of these stand before the operator as somebody else put them there, and which were explained by one. */
export async function findItems(
  db: Db,
  kind: OpenItemKind,
  references: readonly string[],
): Promise<Map<string, 'standing' | 'explained'>> {
  if (references.length === 0) return new Map();
  const { rows } = await sql<{ reference: string; stands: boolean }>`
    select reference, bool_or(closed_at is null) as stands from open_items
    where kind = ${kind} and reference = any(${texts(references)}::text[])
      and (closed_at is null or closed_by is not null)
    group by reference
  `.execute(db);
  return new Map(rows.map(({ reference, stands }) => [reference, stands ? 'standing' : 'explained']));
}
