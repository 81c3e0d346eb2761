import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { DB } from '../db/schema.ts';
import type { Tx } from '../db/transaction.ts';
import type { PinAttempts } from './pin.ts';

/**
 * A merchant's withdrawal settings, the count of PIN attempts, and the hold (a delay of withdrawals after a
 * security-relevant change).
 */
export type WithdrawalControls = PinAttempts & {
  readonly merchantId: number;
  readonly pinHash: string | null;
  readonly heldUntil: Date | null;
  readonly heldBecause: string | null;
  /** Whether the merchant's API key may withdraw. */
  readonly apiEnabled: boolean;
};

type Row = Selectable<DB['withdrawal_controls']>;
type Change = Partial<Omit<Insertable<DB['withdrawal_controls']>, 'merchant_id'>>;

function controlsFrom(row: Row): WithdrawalControls {
  return {
    merchantId: row.merchant_id,
    pinHash: row.pin_hash,
    countedPinAttempts: row.wrong_pins,
    pinLocks: row.pin_locks,
    pinLockedUntil: row.pin_locked_until,
    heldUntil: row.held_until,
    heldBecause: row.held_because,
    apiEnabled: row.api_enabled,
  };
}

/** Reads a merchant's controls, which are the defaults if the merchant has no row yet. */
export async function readControls(db: Db | Tx['db'], merchantId: number): Promise<WithdrawalControls> {
  const row = await db
    .selectFrom('withdrawal_controls')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  if (row !== undefined) return controlsFrom(row);
  return {
    merchantId,
    pinHash: null,
    countedPinAttempts: 0,
    pinLocks: 0,
    pinLockedUntil: null,
    heldUntil: null,
    heldBecause: null,
    apiEnabled: false,
  };
}

/**
 * Reads and locks the merchant's row, so that the merchant's withdrawal requests and PIN attempts are processed one
 * after the other. Creates a missing row, because only an existing row can be locked; the update of an existing row
 * changes nothing but locks it.
 */
export async function lockControls(tx: Tx, merchantId: number): Promise<WithdrawalControls> {
  const row = await tx.db
    .insertInto('withdrawal_controls')
    .values({ merchant_id: merchantId })
    .onConflict((conflict) => conflict.column('merchant_id').doUpdateSet({ merchant_id: merchantId }))
    .returningAll()
    .executeTakeFirstOrThrow();
  return controlsFrom(row);
}

export async function updateControls(tx: Tx, merchantId: number, change: Change): Promise<void> {
  await tx.db.updateTable('withdrawal_controls').set(change).where('merchant_id', '=', merchantId).execute();
}

/** Returns the columns that store the count of PIN attempts and the lock. */
export function pinAttemptColumns({ countedPinAttempts, pinLocks, pinLockedUntil }: PinAttempts): Change {
  return { wrong_pins: countedPinAttempts, pin_locks: pinLocks, pin_locked_until: pinLockedUntil };
}

/** Stores the hold of what a person asks for, unless one that ends later is stored. */
export async function upsertPersonHold(
  { db }: Tx,
  userId: number,
  { until, cause }: { readonly until: Date; readonly cause: string },
): Promise<void> {
  await sql`
    insert into person_holds as hold (user_id, held_until, held_because) values (${userId}, ${until}, ${cause})
    on conflict (user_id) do update set held_until = excluded.held_until, held_because = excluded.held_because
    where hold.held_until <= excluded.held_until
  `.execute(db);
}

/** Finds the accounts that a person holds, or with `everyOwned` all of which they are an owner, in the order of locks. */
export async function findHeldAccountIds({ db }: Tx, userId: number, everyOwned: boolean): Promise<number[]> {
  const rows = await db
    .selectFrom('members')
    .select('merchant_id')
    .where('user_id', '=', userId)
    .where('role', '=', 'owner')
    .$if(!everyOwned, (query) => query.where('holder', '=', true))
    .orderBy('merchant_id')
    .execute();
  return rows.map(({ merchant_id }) => merchant_id);
}
