import type { Client } from 'pg';
import { chargeIdSql } from '../../../server/test/charge-id.ts';

/** A slice of each merchant's payments, oldest first: from the share `from`/`of` to the share `to`/`of`. */
export type Slice = { readonly from: number; readonly to: number; readonly of: number };

/**
 * Inserts the payments of a slice in their final state, with all rows of other tables that belong to them. Triggers
 * must be off, because `deriveFigures` computes what they would have written.
 */
export async function loadSlice(client: Client, slice: Slice): Promise<void> {
  await makeRows(client, slice);
  await client.query(`insert into charges (${columns.join(', ')})
    select ${columns.join(', ')} from made order by created_at`);
  await insertRelatedRows(client);
}

/**
 * Writes a slice in two steps, like the gateway: charges are inserted as pending, and then updated as paid or ended.
 */
export async function loadArriving(client: Client, slice: Slice): Promise<void> {
  await makeRows(client, slice);
  const updatedColumns = [
    'status',
    'end_to_end_id',
    'paid_at',
    'refunded_cents',
    'next_check_at',
    'updated_at',
  ];
  const initialValues = columns.map((column) =>
    updatedColumns.includes(column) ? (pendingValues[column] ?? 'null') : column,
  );
  await client.query(`insert into charges (${columns.join(', ')})
    select ${initialValues.join(', ')} from made order by created_at`);
  await client.query(`update charges
    set ${updatedColumns.map((column) => `${column} = made.${column}`).join(', ')}
    from made
    where charges.merchant_id = made.merchant_id and charges.id = made.id and made.status <> 'pending'`);
  await insertRelatedRows(client);
}

const columns = [
  'merchant_id',
  'id',
  'txid',
  'status',
  'amount_cents',
  'in_rate',
  'fix_in_cents',
  'reserve_rate',
  'reserve_days',
  'fee_cents',
  'reserve_cents',
  'expires_at',
  'br_code',
  'end_to_end_id',
  'paid_at',
  'refunded_cents',
  'next_check_at',
  'created_at',
  'updated_at',
];
/** The values of a pending charge in the columns that a payment changes. Columns that are not listed are null. */
const pendingValues: Readonly<Record<string, string>> = {
  status: `'pending'`,
  refunded_cents: '0',
  next_check_at: `expires_at + interval '1 minute'`,
  updated_at: 'created_at',
};

/**
 * Makes the temporary table `made` with one row for each payment of a slice. Random-looking values are hashes of
 * merchant and serial number, so that an interrupted build resumes with the same rows. Only some of the newest charges
 * are pending. They expire after a year, so the gateway does not end them during a bench.
 */
async function makeRows(client: Client, { from, to, of }: Slice): Promise<void> {
  await client.query(`
    create temp table made on commit drop as
    select merchant_id, id, txid, status, amount_cents, 99 as in_rate, 0 as fix_in_cents, 0 as reserve_rate,
           0 as reserve_days, fee_cents, 0 as reserve_cents, br_code, created_at,
           created_at + case when status = 'pending' then interval '1 year' else interval '1 day' end as expires_at,
           case when settled then 'E' || bank || to_char(paid_at, 'YYYYMMDDHH24MI') || substr(digest, 20, 11)
           end as end_to_end_id,
           case when settled then paid_at end as paid_at,
           case when status = 'refunded' then amount_cents else 0 end as refunded_cents,
           case when status = 'pending' then created_at + interval '1 year 1 minute' end as next_check_at,
           case when settled then paid_at when status = 'pending' then created_at
                else created_at + interval '1 day 1 minute' end as updated_at
    from (
      select *, status in ('paid', 'refunded') as settled,
             created_at + (20000 + (draw >> 20) % 1500000) * interval '1 millisecond' as paid_at
      from (
        select merchant_id, created_at, draw, digest, amount_cents, fee_cents, br_code,
               ${chargeIdSql('created_at', "md5(merchant_id || ':' || n)::uuid")} as id,
               prefix || substr(digest, 1, 27) as txid,
               (array['60701190', '00000000', '18236120', '60746948', '00360305', '90400888'])[1 + (draw >> 12) % 6] as bank,
               case when n > payments - payments / 100 and draw % 1000 < 300 then 'pending'
                    when draw % 1000 < 800 then 'paid' when draw % 1000 < 830 then 'refunded'
                    when draw % 1000 < 975 then 'expired' else 'error' end as status
        from (
          select *, md5('t' || merchant_id || ':' || n) as digest,
                 begins_at + (n * step_ms + (draw >> 8) % step_ms) * interval '1 millisecond' as created_at,
                 floor(2000 * power((draw % 100000) / 100000.0::float8, 3))::integer as price
          from (
            select merchant.*, n, hashint8extended(n, merchant_id) & 9223372036854775807 as draw
            from bench.merchants merchant
            cross join lateral generate_series(payments * ${from} / ${of}, payments * ${to} / ${of} - 1) n
          ) drawn
        ) priced join bench.prices using (price)
      ) stated
    ) paid`);
}

const refundId = 'md5(id::text)::uuid';

/**
 * Inserts the options of one charge in fifty, the received Pix of paid charges, the refunds, and the
 * ledger entries.
 */
async function insertRelatedRows(client: Client): Promise<void> {
  // Some charges get options because PostgreSQL would scan an empty table sequentially in every read. These charges
  // are selected by the part of the id that does not depend on the time of the build.
  await client.query(`
    insert into charge_options (merchant_id, charge_id, description)
    select merchant_id, id, 'Pedido' from made where hashtext(substr(id::text, 15)) % 50 = 0 order by created_at`);
  await client.query(`
    insert into received_pix (
      end_to_end_id, merchant_id, charge_id, outcome, txid, pix_key, amount_cents, paid_at, received_at)
    select end_to_end_id, merchant_id, id, 'credited', txid, '8f5c1a2e-3b7d-4e61-9a0f-6d2c4b8e1f35', amount_cents,
           paid_at, paid_at + interval '200 milliseconds'
    from made where end_to_end_id is not null order by created_at`);
  await client.query(`
    insert into refunds (
      merchant_id, id, charge_id, end_to_end_id, bank_refund_id, origin, status, amount_cents, send_count, created_at,
      updated_at, completed_at)
    select merchant_id, ${refundId}, id, end_to_end_id, replace(id::text, '-', ''), 'panel', 'completed', amount_cents, 1,
           paid_at + interval '1 hour', paid_at + interval '1 hour 1 second', paid_at + interval '1 hour 1 second'
    from made where status = 'refunded' order by created_at`);
  await client.query(`
    insert into ledger_entries (
      merchant_id, posted_at, event, reference, available_cents, fees_cents, in_transit_cents, psp_cents)
    select merchant_id, paid_at + delay, event, coalesce(reference, end_to_end_id), available, fees, in_transit, psp
    from made, lateral (values
      (true, interval '200 milliseconds', 'payment received', null, amount_cents - fee_cents, fee_cents, 0, -amount_cents),
      (status = 'refunded', interval '1 hour', 'refund requested', ${refundId}::text, -amount_cents, 0, amount_cents, 0),
      (status = 'refunded', interval '1 hour 1 second', 'refund completed', ${refundId}::text, 0, 0, -amount_cents, amount_cents)
    ) entry (applies, delay, event, reference, available, fees, in_transit, psp)
    where end_to_end_id is not null and applies
    order by created_at`);
}
