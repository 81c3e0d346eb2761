import type { DueAmount, DueTerms } from '@jangada/pix';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { numberArray, textArray } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import type { DB } from '../db/schema.ts';
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
  return {
    originalCents: original_cents,
    fineCents: fine_cents,
    interestCents: interest_cents,
    rebateCents: rebate_cents,
    discountCents: discount_cents,
    finalCents: original_cents + fine_cents + interest_cents - rebate_cents - discount_cents,
  };
}

/** What decides whether a Pix pays a charge with a due date, and what the gateway then keeps of it. */
export type DueFacts = { readonly due: DueTerms; readonly terms: MerchantTerms };

/** Reads the due facts of charges by their id. Those without a due date are left out. */
export async function readDueFacts(
  tx: Tx,
  charges: readonly Pick<PayableCharge, 'merchantId' | 'id' | 'dueDate'>[],
): Promise<ReadonlyMap<string, DueFacts>> {
  const facts = new Map<string, DueFacts>();
  for (const { merchantId, id } of charges.filter(({ dueDate }) => dueDate !== null)) {
    const row = await tx.db
      .selectFrom('charges')
      .innerJoin('due_terms as stored', (join) =>
        join
          .onRef('stored.merchant_id', '=', 'charges.merchant_id')
          .onRef('stored.charge_id', '=', 'charges.id'),
      )
      .select([
        'stored.terms',
        'charges.in_rate',
        'charges.fix_in_cents',
        'charges.reserve_rate',
        'charges.reserve_days',
      ])
      .where('charges.merchant_id', '=', merchantId)
      .where('charges.id', '=', id)
      .executeTakeFirstOrThrow();
    facts.set(id, {
      due: row.terms as DueTerms,
      terms: {
        inRate: row.in_rate,
        fixInCents: row.fix_in_cents,
        reserveRate: row.reserve_rate,
        reserveDays: row.reserve_days,
      },
    });
  }
  return facts;
}

/** Stores what is paid for a charge with a due date, as its amount, and how the bank explains it. */
export async function storeDueAmount(
  tx: Tx,
  { merchantId, id, amountCents, feeCents, reserveCents }: PayableCharge,
  parts: DueAmount,
): Promise<void> {
  const { numUpdatedRows } = await tx.db
    .updateTable('charges')
    .set({ amount_cents: amountCents, fee_cents: feeCents, reserve_cents: reserveCents, updated_at: tx.now })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .where('end_to_end_id', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new TransactionConflict('a charge was paid meanwhile');
  await tx.db
    .updateTable('due_terms')
    .set({
      fine_cents: parts.fineCents,
      interest_cents: parts.interestCents,
      rebate_cents: parts.rebateCents,
      discount_cents: parts.discountCents,
    })
    .where('merchant_id', '=', merchantId)
    .where('charge_id', '=', id)
    .execute();
}
