import type { Payer } from '@jangada/contract';
import { maskDocument } from '@jangada/pix';
import { type RawBuilder, sql } from 'kysely';
import { numberArray, textArray } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import { lockPixOnCoordinator } from '../db/sharding.ts';
import type { Tx } from '../db/transaction.ts';
import { type BankReceivedPix, type Connection, HOUSE_CONNECTION } from '../psp/index.ts';
import type { Reserve } from '../reserves/index.ts';

/**
 * `credited`: the Pix paid a charge. `suspense`: the Pix matched no charge, and an administrator decides. `assigned`:
 * an administrator assigned the Pix to a merchant. `returning`: an administrator ordered its return to the payer.
 * `returned`: that return is complete. `fees`: the Pix paid a merchant's fee statement. `held`:
 * it arrived at an account of a merchant's own, named a charge but did not pay it, and the merchant decides.
 */
export type PixOutcome = 'credited' | 'suspense' | 'assigned' | 'returning' | 'returned' | 'fees' | 'held';

/** A received Pix as booked. Amounts in integer cents. */
export type ReceivedPix = {
  /** The nationwide identifier of the Pix. */
  readonly endToEndId: string;
  /** The platform (0) while no merchant owns the Pix. */
  readonly merchantId: number;
  readonly chargeId: string | null;
  readonly outcome: PixOutcome;
  readonly amountCents: number;
  readonly paidAt: Date;
};

/** Reads and locks a Pix, so that decisions about a Pix in suspense are made one after the other. */
export async function lockReceivedPix(
  tx: Tx,
  endToEndId: string,
  connectionId: number,
): Promise<ReceivedPix | undefined> {
  await lockPixOnCoordinator(tx.db, endToEndId);
  const row = await tx.db
    .selectFrom('received_pix')
    .select(['end_to_end_id', 'merchant_id', 'charge_id', 'outcome', 'amount_cents', 'paid_at'])
    .where('end_to_end_id', '=', endToEndId)
    .where('connection_id', '=', connectionId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return (
    row && {
      endToEndId: row.end_to_end_id,
      merchantId: row.merchant_id,
      chargeId: row.charge_id,
      // The table's CHECK admits only these words.
      outcome: row.outcome as PixOutcome,
      amountCents: row.amount_cents,
      paidAt: row.paid_at,
    }
  );
}

/** Changes what became of a Pix in suspense, or of one that an account of a merchant's own holds. */
export async function setPixOutcome(
  tx: Tx,
  endToEndId: string,
  outcome: 'suspense' | 'returning' | 'returned',
  connectionId = HOUSE_CONNECTION,
): Promise<void> {
  await tx.db
    .updateTable('received_pix')
    .set({ outcome })
    .where('end_to_end_id', '=', endToEndId)
    .where('connection_id', '=', connectionId)
    .execute();
}

/** Assigns a Pix in suspense, or a held one, to the merchant of the charge that it pays. */
export async function markPixAssigned(
  tx: Tx,
  endToEndId: string,
  { merchantId, chargeId }: { readonly merchantId: number; readonly chargeId: string },
  connectionId = HOUSE_CONNECTION,
): Promise<void> {
  await tx.db
    .updateTable('received_pix')
    .set({ outcome: 'assigned', merchant_id: merchantId, charge_id: chargeId })
    .where('end_to_end_id', '=', endToEndId)
    .where('connection_id', '=', connectionId)
    .execute();
}

/** A Pix with the account whose bank confirmed it. */
export type PixAtAccount = BankReceivedPix & { readonly account: Connection };

/** A Pix to be booked, with the outcome decided for it. `reason`: why it goes to suspense; null if it does not. */
export type NewReceivedPix = PixAtAccount & {
  readonly merchantId: number;
  readonly chargeId: string | null;
  readonly outcome: 'credited' | 'suspense' | 'fees' | 'held';
  readonly reason: string | null;
};

/** The result of a call of `settle`. `alreadyBooked`: the endToEndIds of Pix that another transaction booked. */
export type SettleResult = { readonly isSettled: boolean; readonly alreadyBooked: readonly string[] };

type SettleCall = {
  /** The named arguments that hold the ledger entries. The first entries are those of `received`, in the same order. */
  readonly posting: RawBuilder<unknown>;
  readonly received: readonly NewReceivedPix[];
  /** Whether an earlier call in this transaction inserted the received Pix. */
  readonly arePixInserted: boolean;
  /** Whether the caller stores some of the charges afterwards, and then marks all as paid and stores all reserves. */
  readonly areChargesStoredLater: boolean;
  readonly reserves: readonly Reserve[];
  /** Calls of the database functions that publish the payments, made in the same statement if the Pix are settled. */
  readonly publishCalls: readonly RawBuilder<boolean>[];
};

/** Calls the database's function `settle`, which books received Pix, their entries, and the charges that they pay. */
export async function callSettle(
  tx: Tx,
  { posting, received, arePixInserted, areChargesStoredLater, reserves, publishCalls }: SettleCall,
): Promise<SettleResult> {
  const publication = publishCalls.length === 0 ? sql`true` : sql.join(publishCalls, sql` and `);
  const { rows } = await sql<{ is_settled: boolean; already_booked: string[] }>`
    select is_settled, already_booked, case when is_settled then ${publication} end as is_published
    from settle(${posting},
      are_pix_inserted => ${arePixInserted}::boolean,
      end_to_end_ids => ${textArray(received.map((pix) => pix.endToEndId))}::text[],
      owners => ${numberArray(received.map((pix) => pix.merchantId))}::bigint[],
      paid_charges => ${textArray(received.map((pix) => pix.chargeId))}::uuid[],
      outcomes => ${textArray(received.map((pix) => pix.outcome))}::text[],
      reasons => ${textArray(received.map((pix) => pix.reason))}::text[],
      txids => ${textArray(received.map((pix) => pix.txid ?? null))}::text[],
      pix_keys => ${textArray(received.map((pix) => pix.pixKey ?? null))}::text[],
      amounts => ${numberArray(received.map((pix) => pix.amountCents))}::bigint[],
      paid_times => ${received.map((pix) => pix.paidAt)}::timestamptz[],
      payer_names => ${textArray(received.map(({ payer }) => payer?.name ?? null))}::text[],
      payer_documents => ${textArray(received.map(maskedDocumentOf))}::text[],
      are_charges_stored_later => ${areChargesStoredLater}::boolean,
      reserve_owners => ${numberArray(reserves.map((reserve) => reserve.merchantId))}::bigint[],
      reserve_charges => ${textArray(reserves.map((reserve) => reserve.chargeId))}::uuid[],
      reserve_amounts => ${numberArray(reserves.map((reserve) => reserve.amountCents))}::bigint[],
      reserve_times => ${reserves.map((reserve) => reserve.dueAt)}::timestamptz[],
      accounts => ${numberArray(received.map(({ account }) => account.id))}::int[])
  `.execute(tx.db);
  const { is_settled = false, already_booked = [] } = rows[0] ?? {};
  return { isSettled: is_settled, alreadyBooked: already_booked };
}

/** Returns those of the endToEndIds whose Pix are booked already at a connection. */
export async function findBookedIds(
  db: Db | Tx['db'],
  connectionId: number,
  endToEndIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ end_to_end_id: string }>`
    select end_to_end_id from received_pix
    where end_to_end_id = any(${endToEndIds}::text[]) and connection_id = ${connectionId}
  `.execute(db);
  return new Set(rows.map((row) => row.end_to_end_id));
}

/** Returns the payers of a merchant's payments by endToEndId, as far as the bank reported them. */
export async function readPayers(
  db: Db,
  merchantId: number,
  endToEndIds: readonly string[],
): Promise<Map<string, Payer>> {
  if (endToEndIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('received_pix')
    .select(['end_to_end_id', 'payer_name', 'payer_document'])
    .where('end_to_end_id', 'in', endToEndIds)
    .where('merchant_id', '=', merchantId)
    .execute();
  const reported = rows.filter((row) => row.payer_name !== null || row.payer_document !== null);
  return new Map(
    reported.map((row) => [row.end_to_end_id, { name: row.payer_name, document: row.payer_document }]),
  );
}

/**
 * The time up to which the list of Pix received in an account has been read; undefined before the first reconciliation.
 */
export async function readReconciledUntil(db: Db, connectionId: number): Promise<Date | undefined> {
  const row = await db
    .selectFrom('received_pix_list_position')
    .select('read_until')
    .where('connection_id', '=', connectionId)
    .executeTakeFirst();
  return row?.read_until;
}

export async function writeReconciledUntil(tx: Tx, connectionId: number, readUntil: Date): Promise<void> {
  await sql`
    insert into received_pix_list_position (connection_id, read_until, finished_at)
    values (${connectionId}, ${readUntil}, ${tx.now})
    on conflict (connection_id) do update
    set read_until = excluded.read_until, finished_at = excluded.finished_at
  `.execute(tx.db);
}

/**
 * Calls the database's function `hold_own_pix`, which makes Pix that accounts of merchants' own hold count once, and
 * returns the endToEndIds of those that were new. Nothing is posted: the money is the merchant's already.
 */
export async function callHoldOwnPix(tx: Tx, held: readonly NewReceivedPix[]): Promise<ReadonlySet<string>> {
  if (held.length === 0) return new Set();
  const { rows } = await sql<{ ids: string[] }>`
    select hold_own_pix(
      held_at => ${tx.now}::timestamptz,
      end_to_end_ids => ${textArray(held.map((pix) => pix.endToEndId))}::text[],
      owners => ${numberArray(held.map((pix) => pix.merchantId))}::bigint[],
      reasons => ${textArray(held.map((pix) => pix.reason))}::text[],
      txids => ${textArray(held.map((pix) => pix.txid ?? null))}::text[],
      pix_keys => ${textArray(held.map((pix) => pix.pixKey ?? null))}::text[],
      amounts => ${numberArray(held.map((pix) => pix.amountCents))}::bigint[],
      paid_times => ${held.map((pix) => pix.paidAt)}::timestamptz[],
      payer_names => ${textArray(held.map(({ payer }) => payer?.name ?? null))}::text[],
      payer_documents => ${textArray(held.map(maskedDocumentOf))}::text[],
      accounts => ${numberArray(held.map(({ account }) => account.id))}::int[]) as ids
  `.execute(tx.db);
  return new Set(rows[0]?.ids ?? []);
}

function maskedDocumentOf({ payer }: NewReceivedPix): string | null {
  return payer?.document === undefined ? null : maskDocument(payer.document);
}
