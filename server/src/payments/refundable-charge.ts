import { sql } from 'kysely';
import { rowsById } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import type { Charge } from './payment.ts';
import { type ChargeRow, chargeColumns, chargeFrom } from './store.ts';

/** A charge with the amount of its pending refunds, in integer cents. */
export type RefundableCharge = Charge & { readonly refundingCents: number };

/** Reads a charge without a lock, so its refund totals may change meanwhile. */
export async function findRefundableCharge(
  db: Db | Tx['db'],
  merchantId: number,
  id: string,
): Promise<RefundableCharge | undefined> {
  const row = await selectCharge(db, merchantId, id).executeTakeFirst();
  return row && { ...chargeFrom(row), refundingCents: row.refunding_cents };
}

/** Charges of an account by their ids. Those that are not stored are left out. */
export async function findRefundableCharges(
  db: Db | Tx['db'],
  merchantId: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RefundableCharge>> {
  if (ids.length === 0) return new Map();
  const columns = sql.join([...chargeColumns, 'refunding_cents'].map((column) => sql.ref(column)));
  const lookUp = sql`select ${columns} from charges where merchant_id = ${merchantId} and id = wanted.id`;
  const { rows } = await sql<ChargeRow & { refunding_cents: number }>`
    select found.* from ${rowsById(ids, 'uuid', lookUp)}
  `.execute(db);
  return new Map(rows.map((row) => [row.id, { ...chargeFrom(row), refundingCents: row.refunding_cents }]));
}

/** Reads a charge and locks its row, so that refunds and disputes of the payment are processed one after the other. */
export async function lockRefundableCharge(
  tx: Tx,
  merchantId: number,
  id: string,
): Promise<RefundableCharge | undefined> {
  const row = await selectCharge(tx.db, merchantId, id).forNoKeyUpdate().executeTakeFirst();
  return row && { ...chargeFrom(row), refundingCents: row.refunding_cents };
}

function selectCharge(db: Db | Tx['db'], merchantId: number, id: string) {
  return db
    .selectFrom('charges')
    .select([...chargeColumns, 'refunding_cents'])
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id);
}

/**
 * Differences to add to a charge's totals of pending (`refunding`) and completed (`refunded`) refunds, in integer
 * cents; negative for a decrease.
 */
export type RefundTotalsChange = { readonly refundingCents: number; readonly refundedCents: number };

/**
 * Updates the refund totals of a locked charge; if the charge is fully refunded, its status becomes refunded. Must be
 * the last statement of its transaction, because a trigger locks the merchant's counters, for which every new charge of
 * the merchant then waits.
 */
export async function adjustRefundTotals(
  tx: Tx,
  charge: Pick<Charge, 'merchantId' | 'id'>,
  { refundingCents, refundedCents }: RefundTotalsChange,
): Promise<void> {
  await sql`
    update charges
    set refunding_cents = refunding_cents + ${refundingCents}, refunded_cents = refunded_cents + ${refundedCents},
        status = case when refunded_cents + ${refundedCents} = amount_cents then 'refunded' else status end,
        updated_at = ${tx.now}
    where merchant_id = ${charge.merchantId} and id = ${charge.id}
  `.execute(tx.db);
}
