import { type DueAmount, type DueTerms, withSum } from '@jangada/pix';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { numberArray, textArray } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import type { DB } from '../db/schema.ts';
import { lockSeveral } from '../db/sharding.ts';
import { TransactionConflict, type Tx } from '../db/transaction.ts';
import type { Charge, MerchantTerms, PayableCharge } from './payment.ts';

type ChargeWithDue = { readonly charge: Charge; readonly due?: DueTerms | undefined };

/** The part of a `with` clause that inserts the terms of charges with a due date, in the statement that inserts the charges. */
export function dueTermsInsertCte(
  rows: readonly ChargeWithDue[],
  storedCondition: RawBuilder<unknown>,
): RawBuilder<unknown> | undefined {
  const ofDue = rows.flatMap(({ charge, due }) => (due === undefined ? [] : [{ charge, due }]));
  if (ofDue.length === 0) return undefined;
  return sql`due as (
    insert into due_terms (merchant_id, charge_id, terms, original_cents)
    select * from unnest(
      ${numberArray(ofDue.map(({ charge }) => charge.merchantId))}::bigint[],
      ${textArray(ofDue.map(({ charge }) => charge.id))}::uuid[],
      ${textArray(ofDue.map(({ due }) => JSON.stringify(due)))}::json[],
      ${numberArray(ofDue.map(({ due }) => due.originalCents))}::bigint[]
    ) due (merchant_id, charge_id, terms, original_cents)
    where ${storedCondition}
  )`;
}

/** The terms of a charge with a due date, and how the bank explained the amount that was paid. */
export type StoredDue = { readonly due: DueTerms; readonly parts: DueAmount | undefined };

/** Returns the terms by charge id, only of charges with a due date. Without any, the database is not asked. */
export async function readDues(
  db: Db | Tx['db'],
  merchantId: number,
  charges: readonly Pick<Charge, 'id' | 'dueDate'>[],
): Promise<Map<string, StoredDue>> {
  const ids = charges.flatMap(({ id, dueDate }) => (dueDate === null ? [] : [id]));
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('due_terms')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('charge_id', 'in', ids)
    .execute();
  // Only `dueTermsInsertCte` writes the terms.
  return new Map(rows.map((row) => [row.charge_id, { due: row.terms as DueTerms, parts: partsOf(row) }]));
}

function partsOf(row: Selectable<DB['due_terms']>): DueAmount | undefined {
  const { original_cents, fine_cents, interest_cents, rebate_cents, discount_cents } = row;
  if (fine_cents === null || interest_cents === null || rebate_cents === null || discount_cents === null)
    return undefined;
  return withSum({
    originalCents: original_cents,
    fineCents: fine_cents,
    interestCents: interest_cents,
    rebateCents: rebate_cents,
    discountCents: discount_cents,
  });
}

/** What decides whether a Pix pays a charge with a due date, and what the gateway then keeps of it. */
export type DueFacts = { readonly due: DueTerms; readonly terms: MerchantTerms };

/** Reads the due facts of charges by their id. Those without a due date are left out. */
export async function readDueFacts(
  tx: Tx,
  charges: readonly Pick<PayableCharge, 'merchantId' | 'id' | 'dueDate'>[],
): Promise<ReadonlyMap<string, DueFacts>> {
  const ofDue = charges.filter(({ dueDate }) => dueDate !== null);
  if (ofDue.length === 0) return new Map();
  const { rows } = await sql<DueFactsRow>`
    select charges.id, stored.terms, in_rate, fix_in_cents, reserve_rate, reserve_days
    from unnest(${numberArray(ofDue.map(({ merchantId }) => merchantId))}::bigint[],
                ${textArray(ofDue.map(({ id }) => id))}::uuid[]) keys (merchant_id, charge_id)
    join charges on charges.merchant_id = keys.merchant_id and charges.id = keys.charge_id
    join due_terms stored on stored.merchant_id = keys.merchant_id and stored.charge_id = keys.charge_id
  `.execute(tx.db);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        due: row.terms,
        terms: {
          inRate: row.in_rate,
          fixInCents: row.fix_in_cents,
          reserveRate: row.reserve_rate,
          reserveDays: row.reserve_days,
        },
      },
    ]),
  );
}

type DueFactsRow = {
  id: string;
  /** Only `dueTermsInsertCte` writes the terms. */
  terms: DueTerms;
  in_rate: number;
  fix_in_cents: number;
  reserve_rate: number;
  reserve_days: number;
};

/**
 * Stores what is paid for charges with a due date, as their amount, and how the bank explains it. The figures count the
 * amount of a charge once it is paid, so it must change before that. Charges are locked in the order of their keys.
 */
export async function storeDueAmounts(
  tx: Tx,
  paid: readonly { readonly charge: PayableCharge; readonly dueAmount: DueAmount }[],
): Promise<void> {
  if (paid.length === 0) return;
  const merchantIds = numberArray(paid.map(({ charge }) => charge.merchantId));
  const chargeIds = textArray(paid.map(({ charge }) => charge.id));
  const { rows } = await sql<{ id: string }>`
    update charges
    set amount_cents = paid.amount_cents, fee_cents = paid.fee_cents, reserve_cents = paid.reserve_cents,
        updated_at = ${tx.now}
    from (
      select charges.merchant_id, charges.id, keys.amount_cents, keys.fee_cents, keys.reserve_cents
      from unnest(${merchantIds}::bigint[], ${chargeIds}::uuid[],
                  ${numberArray(paid.map(({ charge }) => charge.amountCents))}::bigint[],
                  ${numberArray(paid.map(({ charge }) => charge.feeCents))}::bigint[],
                  ${numberArray(paid.map(({ charge }) => charge.reserveCents))}::bigint[])
        keys (merchant_id, id, amount_cents, fee_cents, reserve_cents)
      join charges on charges.merchant_id = keys.merchant_id and charges.id = keys.id
      order by charges.merchant_id, charges.id
      ${lockSeveral('for update', 'charges')}
    ) paid
    where charges.merchant_id = paid.merchant_id and charges.id = paid.id and charges.end_to_end_id is null
    returning charges.id
  `.execute(tx.db);
  if (rows.length < paid.length) throw new TransactionConflict('a charge was paid meanwhile');
  const amounts = (part: 'fineCents' | 'interestCents' | 'rebateCents' | 'discountCents') =>
    numberArray(paid.map(({ dueAmount }) => dueAmount[part]));
  await sql`
    update due_terms
    set fine_cents = paid.fine, interest_cents = paid.interest, rebate_cents = paid.rebate, discount_cents = paid.discount
    from unnest(${merchantIds}::bigint[], ${chargeIds}::uuid[], ${amounts('fineCents')}::bigint[],
                ${amounts('interestCents')}::bigint[], ${amounts('rebateCents')}::bigint[],
                ${amounts('discountCents')}::bigint[])
      paid (merchant_id, charge_id, fine, interest, rebate, discount)
    where due_terms.merchant_id = paid.merchant_id and due_terms.charge_id = paid.charge_id
  `.execute(tx.db);
}
