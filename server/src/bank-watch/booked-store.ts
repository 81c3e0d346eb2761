// Our records of received Pix, refunds and payouts, as they are read to compare them with the bank's lists.

import { sql } from 'kysely';
import type { TimeWindow } from '../calendar-day.ts';
import { numberArray, textArray } from '../db/arrays.ts';
import { type AtBank, HOUSE_CONNECTION } from '../psp/index.ts';
import type { BookedRefund } from './compare-returns.ts';

/** The fields of a booked Pix that are compared. */
export type BookedPix = { readonly merchantId: number; readonly amountCents: number };

/** Where the records of one account are read. */
type AccountRecords = Pick<AtBank, 'db' | 'connection'>;

/** What an account of a merchant's own holds for the merchant's decision is known, but not booked. */
const isInTheBooks = sql`(connection_id = ${HOUSE_CONNECTION} or charge_id is not null)`;

/** Returns booked Pix by endToEndId, the identifier of a Pix nationwide. */
export async function findBookedPix(
  { db, connection }: AccountRecords,
  endToEndIds: readonly string[],
): Promise<Map<string, BookedPix>> {
  const { rows } = await sql<{ end_to_end_id: string; merchant_id: number; amount_cents: number }>`
    select end_to_end_id, merchant_id, amount_cents from received_pix
    where end_to_end_id = any(${textArray(endToEndIds)}::text[]) and connection_id = ${connection.id} and ${isInTheBooks}
  `.execute(db);
  return new Map(
    rows.map((row) => [row.end_to_end_id, { merchantId: row.merchant_id, amountCents: row.amount_cents }]),
  );
}

/**
 * Returns our refunds of these Pix, by endToEndId. The refunds of a Pix in suspense (a Pix that matched no charge) are
 * stored under merchant 0 (the platform) and stay there after the Pix is assigned to a merchant, so merchant 0 is
 * always searched too.
 */
export async function findBookedRefunds(
  { db, connection }: AccountRecords,
  pix: readonly { readonly merchantId: number; readonly endToEndId: string }[],
): Promise<Map<string, BookedRefund[]>> {
  const keys = pix.flatMap(({ merchantId, endToEndId }) =>
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
      ${numberArray(keys.map(({ merchantId }) => merchantId))}::bigint[],
      ${textArray(keys.map(({ endToEndId }) => endToEndId))}::text[]
    ) keys (merchant_id, end_to_end_id) using (merchant_id, end_to_end_id)
    where connection_id = ${connection.id}
  `.execute(db);
  const refunds = new Map<string, BookedRefund[]>();
  for (const row of rows) {
    const { id, bank_refund_id: bankRefundId, rtr_id: rtrId, amount_cents: amountCents } = row;
    // The table's CHECK admits only these words.
    const status = row.status as BookedRefund['status'];
    const refundsOfPix = refunds.get(row.end_to_end_id) ?? [];
    refunds.set(row.end_to_end_id, [...refundsOfPix, { id, bankRefundId, rtrId, status, amountCents }]);
  }
  return refunds;
}

/** Counts the booked Pix received in a window. Counting stops at `maxCount`, because callers need no higher number. */
export async function countBookedPix(
  { db, connection }: AccountRecords,
  { from, until }: TimeWindow,
  maxCount: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select 1 from received_pix
      where paid_at >= ${from} and paid_at < ${until} and connection_id = ${connection.id} and ${isInTheBooks}
      limit ${maxCount}::int
    ) counted
  `.execute(db);
  return rows[0]?.count ?? 0;
}

export async function sumBookedPix(
  { db, connection }: AccountRecords,
  { from, until }: TimeWindow,
): Promise<{ count: number; cents: number }> {
  const { rows } = await sql<{ count: number; cents: number }>`
    select count(*) as count, coalesce(sum(amount_cents), 0)::bigint as cents
    from received_pix where paid_at >= ${from} and paid_at < ${until} and connection_id = ${connection.id} and ${isInTheBooks}
  `.execute(db);
  return rows[0] ?? { count: 0, cents: 0 };
}

/**
 * Lists a page of the booked Pix received in a window: those after `afterId`, in the order of their endToEndIds. The
 * window is read first (`materialized`), because the planner might otherwise read all Pix ever received in that order.
 */
export async function listBookedPix(
  { db, connection }: AccountRecords,
  { from, until }: TimeWindow,
  afterId: string,
  limit: number,
): Promise<{ endToEndId: string; merchantId: number; amountCents: number }[]> {
  const { rows } = await sql<{ endToEndId: string; merchantId: number; amountCents: number }>`
    with received as materialized (
      select end_to_end_id, merchant_id, amount_cents from received_pix
      where paid_at >= ${from} and paid_at < ${until} and connection_id = ${connection.id} and ${isInTheBooks}
    )
    select end_to_end_id as "endToEndId", merchant_id as "merchantId", amount_cents as "amountCents"
    from received
    where end_to_end_id > ${afterId}
    order by end_to_end_id limit ${limit}::int
  `.execute(db);
  return rows;
}

/** The fields of a booked withdrawal that are compared. `netCents`: the amount paid to the Pix key. */
export type BookedPayout = {
  readonly merchantId: number;
  readonly id: string;
  readonly idEnvio: string;
  readonly status: string;
  readonly completedAt: Date | null;
  readonly netCents: number;
  readonly returnedCents: number;
};

const payoutColumns = sql`
  merchant_id as "merchantId", id, id_envio as "idEnvio", status, completed_at as "completedAt",
  case when connection_id = ${HOUSE_CONNECTION} then amount_cents - fee_cents else amount_cents end as "netCents",
  returned_cents as "returnedCents"`;

/** Returns withdrawals by idEnvio, our id of the order at the bank. */
export async function findBookedPayouts(
  { db, connection }: AccountRecords,
  orders: readonly { readonly merchantId: number; readonly idEnvio: string }[],
): Promise<Map<string, BookedPayout>> {
  const { rows } = await sql<BookedPayout>`
    select ${payoutColumns} from withdrawals
    join unnest(
      ${numberArray(orders.map(({ merchantId }) => merchantId))}::bigint[],
      ${textArray(orders.map(({ idEnvio }) => idEnvio))}::text[]
    ) order_key (merchant_id, id_envio) using (merchant_id, id_envio)
    where connection_id = ${connection.id}
  `.execute(db);
  return new Map(rows.map((row) => [row.idEnvio, row]));
}

/** Whether the merchant to whom this account belongs withdrew this payout from another account of their own. */
export async function isFromSiblingAccount(
  { db, connection }: AccountRecords,
  { merchantId, idEnvio }: { readonly merchantId: number; readonly idEnvio: string },
): Promise<boolean> {
  const ownHere = await db
    .selectFrom('bank_connections')
    .select('id')
    .where('id', '=', connection.id)
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  if (ownHere === undefined) return false;
  const sibling = await db
    .selectFrom('withdrawals')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('id_envio', '=', idEnvio)
    .where('connection_id', '<>', HOUSE_CONNECTION)
    .executeTakeFirst();
  return sibling !== undefined;
}

/** Lists the withdrawals that were first sent in a window and have been completed, in the window or later. */
export async function listCompletedPayouts(
  { db, connection }: AccountRecords,
  { from, until }: TimeWindow,
): Promise<BookedPayout[]> {
  const { rows } = await sql<BookedPayout>`
    select ${payoutColumns} from withdrawals
    where first_sent_at is not null and first_sent_at >= ${from} and first_sent_at < ${until}
      and completed_at is not null and connection_id = ${connection.id}
  `.execute(db);
  return rows;
}
