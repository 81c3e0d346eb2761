import { type Selectable, sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { DB } from '../db/schema.ts';
import type { Tx } from '../db/transaction.ts';

/**
 * A change of the bank account outside Pix, recorded by the operator: a tariff that the bank charged, fees that the
 * operator took out, or money added.
 */
export type NewBankMovement = {
  readonly id: string;
  readonly kind: 'tariff' | 'fees-taken' | 'top-up';
  readonly amountCents: number;
  readonly description: string;
  readonly happenedAt: Date;
  readonly recordedBy: number;
};
export type BankMovement = Omit<NewBankMovement, 'recordedBy'> & { readonly recordedAt: Date };

export async function insertBankMovement(tx: Tx, movement: NewBankMovement): Promise<void> {
  await tx.db
    .insertInto('bank_movements')
    .values({
      id: movement.id,
      kind: movement.kind,
      amount_cents: movement.amountCents,
      description: movement.description,
      happened_at: movement.happenedAt,
      recorded_at: tx.now,
      recorded_by: movement.recordedBy,
    })
    .execute();
}

export async function findBankMovement(db: Db, id: string): Promise<BankMovement | undefined> {
  const row = await db.selectFrom('bank_movements').selectAll().where('id', '=', id).executeTakeFirst();
  return row && movementFrom(row);
}

/** Lists a page of movements, newest first. */
export async function listBankMovements(
  db: Db,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<BankMovement[]> {
  const rows = await db
    .selectFrom('bank_movements')
    .selectAll()
    .orderBy('happened_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(movementFrom);
}

export async function countBankMovements(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('bank_movements')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

function movementFrom(row: Selectable<DB['bank_movements']>): BankMovement {
  return {
    id: row.id,
    // The table's CHECK admits only these words.
    kind: row.kind as BankMovement['kind'],
    amountCents: row.amount_cents,
    description: row.description,
    happenedAt: row.happened_at,
    recordedAt: row.recorded_at,
  };
}

/**
 * Returns the gateway's earnings that the operator has not taken out of the account yet, in integer cents. Fees that
 * are still due are not in the account.
 */
export async function readUnwithdrawnFeesCents(db: Db): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(fees_cents + fees_due_cents), 0)::bigint as cents from ledger_balances
  `.execute(db);
  return rows[0]?.cents ?? 0;
}
