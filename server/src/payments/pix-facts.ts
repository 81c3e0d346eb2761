import type { ChargeStatus, Metadata } from '@jangada/contract';
import { sql } from 'kysely';
import { numberArray, textArray } from '../db/arrays.ts';
import { ofMerchants, ofPix } from '../db/sharding.ts';
import type { Tx } from '../db/transaction.ts';
import type { ChargeKeyOfTxid } from './bank-ids.ts';
import { ruledSql } from './payer-rules-store.ts';
import type { PayableCharge } from './payment.ts';
import { type ChargeRow, MADE_WITH_PAYMENT_LINK } from './store.ts';

const payableColumns = [
  'merchant_id',
  'id',
  'connection_id',
  'txid',
  'status',
  'amount_cents',
  'fee_cents',
  'reserve_cents',
  'reserve_days',
  'callback_url',
  'external_id',
  'metadata',
  'due_date',
  'created_at',
] as const;

/**
 * The charge to which a Pix refers by its txid. `isFromLink`: a payment link created the charge and counts its payment.
 */
export type FoundCharge = PayableCharge & {
  readonly isFromLink: boolean;
  /** Whether there is a rule for Pix that are not as expected, of the charge or of its account. */
  readonly isRuled: boolean;
};

/** The facts on which the booking of a Pix depends: whether it is booked already, and the charge to which it refers. */
export type PixFacts = {
  readonly endToEndId: string;
  readonly isBooked: boolean;
  readonly charge: FoundCharge | undefined;
};

/** By what the facts about a Pix are read: its id and its account, and the charge to which it refers, if to any. */
type PixFactsKey = {
  readonly endToEndId: string;
  readonly connectionId: number;
  readonly charge: ChargeKeyOfTxid | undefined;
};

/**
 * Reads the facts about these Pix without a lock. Another transaction may meanwhile book one of the Pix or mark one of
 * the charges as paid; `settle` detects both, and nothing else that matters can change. A charge is found only if its
 * whole txid is equal, not just the key contained in the txid.
 */
export async function readPixFacts(tx: Tx, keys: readonly PixFactsKey[]): Promise<PixFacts[]> {
  const { rows } = await sql<FactsRow>`
    select keys.end_to_end_id, booked.end_to_end_id is not null as is_booked,
      ${sql.join(payableColumns.map((column) => sql.ref(`charges.${column}`)))},
      made_with = ${MADE_WITH_PAYMENT_LINK} as is_from_link,
      charges.merchant_id = any(ruled.merchants) or charges.id = any(ruled.charges) as is_ruled
    -- The SELECTs hide the lengths of the arrays from the planner: for short ones it would plan anew each time.
    from unnest((select ${textArray(keys.map(({ endToEndId }) => endToEndId))}::text[]),
                (select ${numberArray(keys.map(({ connectionId }) => connectionId))}::int[]),
                (select ${numberArray(keys.map(({ charge }) => charge?.merchantId ?? 0))}::bigint[]),
                (select ${textArray(keys.map(({ charge }) => charge?.id ?? null))}::uuid[]),
                (select ${textArray(keys.map(({ charge }) => charge?.txid ?? null))}::text[]))
      keys (end_to_end_id, connection_id, merchant_id, charge_id, txid)
    left join received_pix booked
      on booked.end_to_end_id = keys.end_to_end_id and booked.connection_id = keys.connection_id
      ${ofPix(
        'booked.end_to_end_id',
        keys.map(({ endToEndId }) => endToEndId),
      )}
    left join charges
      on charges.merchant_id = keys.merchant_id and charges.id = keys.charge_id and charges.txid = keys.txid
      ${ofMerchants(
        'charges.merchant_id',
        keys.map(({ charge }) => charge?.merchantId ?? 0),
      )}
    cross join ${ruledSql(keys.map(({ charge }) => charge))} ruled
  `.execute(tx.db);
  return rows.map((row) => ({
    endToEndId: row.end_to_end_id,
    isBooked: row.is_booked,
    charge: isChargeRow(row) ? foundChargeOf(row) : undefined,
  }));
}

type FoundChargeRow = Pick<ChargeRow, (typeof payableColumns)[number]> & {
  is_from_link: boolean | null;
  is_ruled: boolean | null;
};
type FactsRow = { end_to_end_id: string; is_booked: boolean } & (FoundChargeRow | { id: null });

function isChargeRow(row: FoundChargeRow | { id: null }): row is FoundChargeRow {
  return row.id !== null;
}

function foundChargeOf(row: FoundChargeRow): FoundCharge {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    connectionId: row.connection_id,
    txid: row.txid,
    // The table's CHECK admits only these words.
    status: row.status as ChargeStatus,
    amountCents: row.amount_cents,
    feeCents: row.fee_cents,
    reserveCents: row.reserve_cents,
    reserveDays: row.reserve_days,
    callbackUrl: row.callback_url,
    externalId: row.external_id,
    // The contract allows only string values.
    metadata: row.metadata as Metadata | null,
    dueDate: row.due_date,
    createdAt: row.created_at,
    isFromLink: row.is_from_link === true,
    isRuled: row.is_ruled === true,
  };
}
