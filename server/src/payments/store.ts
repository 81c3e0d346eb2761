import type { ChargeStatus } from '@jangada/contract';
import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import type { BankReceivedPix } from '../psp/index.ts';
import type { Charge, MerchantTerms } from './payment.ts';

export type ChargeRow = {
  merchant_id: number;
  id: string;
  txid: string;
  status: string;
  amount_cents: number;
  fee_cents: number;
  reserve_cents: number;
  reserve_days: number;
  expires_at: Date;
  callback_url: string | null;
  br_code: string;
  end_to_end_id: string | null;
  paid_at: Date | null;
  refunded_cents: number;
  created_at: Date;
};

export const chargeColumns = [
  'merchant_id',
  'id',
  'txid',
  'status',
  'amount_cents',
  'fee_cents',
  'reserve_cents',
  'reserve_days',
  'expires_at',
  'callback_url',
  'br_code',
  'end_to_end_id',
  'paid_at',
  'refunded_cents',
  'created_at',
] as const;

export function chargeFrom(row: ChargeRow): Charge {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    txid: row.txid,
    // The table's CHECK admits only these words.
    status: row.status as ChargeStatus,
    amountCents: row.amount_cents,
    feeCents: row.fee_cents,
    reserveCents: row.reserve_cents,
    reserveDays: row.reserve_days,
    expiresAt: row.expires_at,
    callbackUrl: row.callback_url,
    brCode: row.br_code,
    endToEndId: row.end_to_end_id,
    paidAt: row.paid_at,
    refundedCents: row.refunded_cents,
    createdAt: row.created_at,
  };
}

export async function insertCharge(tx: Tx, charge: Charge, terms: MerchantTerms, dueAt: Date): Promise<void> {
  await tx.db
    .insertInto('charges')
    .values({
      merchant_id: charge.merchantId,
      id: charge.id,
      txid: charge.txid,
      status: charge.status,
      amount_cents: charge.amountCents,
      in_rate: terms.inRate,
      fix_in_cents: terms.fixInCents,
      reserve_rate: terms.reserveRate,
      reserve_days: terms.reserveDays,
      fee_cents: charge.feeCents,
      reserve_cents: charge.reserveCents,
      expires_at: charge.expiresAt,
      callback_url: charge.callbackUrl,
      due_at: dueAt,
      created_at: charge.createdAt,
      updated_at: tx.now,
    })
    .execute();
}

export async function findCharge(
  db: Db | Tx['db'],
  merchantId: number,
  id: string,
): Promise<Charge | undefined> {
  const row = await db
    .selectFrom('charges')
    .select(chargeColumns)
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && chargeFrom(row);
}

/** Keeps the code that the bank answered with; from then on the charge waits for its expiry. False: it has ended. */
export async function openCharge(tx: Tx, charge: Charge, brCode: string, dueAt: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('charges')
    .set({ br_code: brCode, due_at: dueAt, updated_at: tx.now })
    .where('merchant_id', '=', charge.merchantId)
    .where('id', '=', charge.id)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Ends pending charges as expired, or as error those that never got a code. Answers those that were ended. */
export async function closeCharges(
  tx: Tx,
  charges: readonly Charge[],
  status: 'expired' | 'error',
): Promise<Charge[]> {
  const { rows } = await sql<ChargeRow>`
    update charges set status = ${status}, due_at = null, updated_at = ${tx.now}
    from (
      select merchant_id, id from charges
      join unnest(${charges.map((charge) => charge.merchantId)}::bigint[],
                  ${charges.map((charge) => charge.id)}::uuid[]) named (merchant_id, id) using (merchant_id, id)
      where status = 'pending' and (${status} = 'expired' or br_code = '')
      order by merchant_id, id
      for update of charges
    ) ending
    where charges.merchant_id = ending.merchant_id and charges.id = ending.id
    returning ${sql.join(chargeColumns.map((column) => sql.ref(`charges.${column}`)))}
  `.execute(tx.db);
  return rows.map(chargeFrom);
}

/** Charges that something has to happen to, earliest first, put off until `until` so that nobody else takes them. */
export async function takeDueCharges(tx: Tx, until: Date, limit: number): Promise<Charge[]> {
  const { rows } = await sql<ChargeRow>`
    update charges set due_at = ${until}
    from (
      select merchant_id, id from charges
      where due_at <= ${tx.now} order by due_at limit ${limit}
      for update skip locked
    ) due
    where charges.merchant_id = due.merchant_id and charges.id = due.id
    returning ${sql.join(chargeColumns.map((column) => sql.ref(`charges.${column}`)))}
  `.execute(tx.db);
  return rows.map(chargeFrom);
}

/** The charges behind txids, locked in one order. */
export async function lockChargesByTxid(
  tx: Tx,
  named: readonly { merchantId: number; txid: string }[],
): Promise<Charge[]> {
  if (named.length === 0) return [];
  const { rows } = await sql<ChargeRow>`
    select ${sql.join(chargeColumns.map((column) => sql.ref(`charges.${column}`)))}
    from charges
    join (
      select distinct * from unnest(${named.map((one) => one.merchantId)}::bigint[],
                                    ${named.map((one) => one.txid)}::text[]) named (merchant_id, txid)
    ) named using (merchant_id, txid)
    order by charges.merchant_id, charges.id
    for update of charges
  `.execute(tx.db);
  return rows.map(chargeFrom);
}

export type NewReceivedPix = BankReceivedPix & {
  readonly merchantId: number;
  readonly chargeId: string | null;
  readonly outcome: 'credited' | 'suspense';
  readonly reason: string | null;
};

/** Records facts that money arrived. Answers the endToEndIds that were not known before. */
export async function insertReceivedPix(tx: Tx, received: readonly NewReceivedPix[]): Promise<Set<string>> {
  const { rows } = await sql<{ end_to_end_id: string }>`
    insert into received_pix (
      end_to_end_id, merchant_id, charge_id, outcome, reason, txid, pix_key, amount_cents, paid_at, received_at)
    select end_to_end_id, merchant_id, charge_id, outcome, reason, txid, pix_key, amount_cents, paid_at, ${tx.now}
    from unnest(
      ${received.map((pix) => pix.endToEndId)}::text[], ${received.map((pix) => pix.merchantId)}::bigint[],
      ${received.map((pix) => pix.chargeId)}::uuid[], ${received.map((pix) => pix.outcome)}::text[],
      ${received.map((pix) => pix.reason)}::text[], ${received.map((pix) => pix.txid ?? null)}::text[],
      ${received.map((pix) => pix.pixKey ?? null)}::text[], ${received.map((pix) => pix.amountCents)}::bigint[],
      ${received.map((pix) => pix.paidAt)}::timestamptz[]
    ) pix (end_to_end_id, merchant_id, charge_id, outcome, reason, txid, pix_key, amount_cents, paid_at)
    order by end_to_end_id
    on conflict (end_to_end_id) do nothing
    returning end_to_end_id
  `.execute(tx.db);
  return new Set(rows.map((row) => row.end_to_end_id));
}

/** Which of these endToEndIds are booked already. */
export async function knownReceivedPix(
  db: Db | Tx['db'],
  endToEndIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ end_to_end_id: string }>`
    select end_to_end_id from received_pix where end_to_end_id = any(${endToEndIds}::text[])
  `.execute(db);
  return new Set(rows.map((row) => row.end_to_end_id));
}

export async function markChargesPaid(
  tx: Tx,
  paid: readonly { charge: Charge; endToEndId: string; paidAt: Date }[],
): Promise<void> {
  await sql`
    update charges
    set status = 'paid', end_to_end_id = paid.end_to_end_id, paid_at = paid.paid_at, due_at = null,
        updated_at = ${tx.now}
    from unnest(
      ${paid.map(({ charge }) => charge.merchantId)}::bigint[], ${paid.map(({ charge }) => charge.id)}::uuid[],
      ${paid.map((one) => one.endToEndId)}::text[], ${paid.map((one) => one.paidAt)}::timestamptz[]
    ) paid (merchant_id, id, end_to_end_id, paid_at)
    where charges.merchant_id = paid.merchant_id and charges.id = paid.id
  `.execute(tx.db);
}

export type Reserve = {
  readonly merchantId: number;
  readonly chargeId: string;
  readonly amountCents: number;
  readonly dueAt: Date;
};

export async function insertReserves(tx: Tx, reserves: readonly Reserve[]): Promise<void> {
  if (reserves.length === 0) return;
  await tx.db
    .insertInto('reserves')
    .values(
      reserves.map((reserve) => ({
        merchant_id: reserve.merchantId,
        charge_id: reserve.chargeId,
        amount_cents: reserve.amountCents,
        due_at: reserve.dueAt,
      })),
    )
    .execute();
}

/** Marks reserves that fell due as released and answers them, at most `limit`. */
export async function releaseDueReserves(tx: Tx, limit: number): Promise<Omit<Reserve, 'dueAt'>[]> {
  const { rows } = await sql<{ merchant_id: number; charge_id: string; amount_cents: number }>`
    update reserves set released_at = ${tx.now}
    from (
      select merchant_id, charge_id from reserves
      where released_at is null and due_at <= ${tx.now}
      order by due_at limit ${limit}
      for update skip locked
    ) due
    where reserves.merchant_id = due.merchant_id and reserves.charge_id = due.charge_id
    returning reserves.merchant_id, reserves.charge_id, reserves.amount_cents
  `.execute(tx.db);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    chargeId: row.charge_id,
    amountCents: row.amount_cents,
  }));
}

export async function readReconciledUntil(db: Db): Promise<Date | undefined> {
  const row = await db.selectFrom('reconciliation').select('read_until').executeTakeFirst();
  return row?.read_until;
}

export async function writeReconciledUntil(tx: Tx, readUntil: Date): Promise<void> {
  await sql`
    insert into reconciliation (read_until, finished_at) values (${readUntil}, ${tx.now})
    on conflict (only_row) do update
    set read_until = excluded.read_until, finished_at = excluded.finished_at
  `.execute(tx.db);
}
