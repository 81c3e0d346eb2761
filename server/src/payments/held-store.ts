import type { HeldPixReason } from '@jangada/contract';
import type { DueAmount } from '@jangada/pix';
import { sql } from 'kysely';
import { numberArray, textArray } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import { newTimeId } from '../time-id.ts';
import type { PixOutcome } from './received-store.ts';

/** What becomes of a held Pix, beside what its row in `received_pix` says. Amounts in integer cents. */
export type HeldPixRow = {
  readonly merchantId: number;
  readonly id: string;
  readonly endToEndId: string;
  readonly connectionId: number;
  /** The charge that the Pix names. */
  readonly chargeId: string;
  readonly why: HeldPixReason;
  readonly dueAmount: DueAmount | null;
  readonly heldAt: Date;
  /** When a rule gives it back; null once that is ordered, or if a person decides. */
  readonly giveBackAt: Date | null;
  readonly decision: 'accepted' | 'given-back' | null;
  readonly decidedAt: Date | null;
  readonly refundId: string | null;
  /** The charge that it pays after all, or under which it is given back from an account of the merchant's own. */
  readonly paidChargeId: string | null;
};

/** A held Pix with what the books say of it. */
export type HeldPixRecord = HeldPixRow & {
  readonly outcome: PixOutcome;
  readonly amountCents: number;
  readonly paidAt: Date;
  readonly payerName: string | null;
  readonly payerDocument: string | null;
};

export type NewHeldPix = Pick<
  HeldPixRow,
  'merchantId' | 'endToEndId' | 'connectionId' | 'chargeId' | 'why' | 'dueAmount' | 'giveBackAt'
>;

/** Stores held Pix, whose rows in `received_pix` this transaction inserted, and returns them with their ids. */
export async function insertHeldPix(tx: Tx, held: readonly NewHeldPix[]): Promise<HeldPixRow[]> {
  if (held.length === 0) return [];
  const rows = held.map((row) => ({ ...row, id: newTimeId(tx.now), heldAt: tx.now }));
  await sql`
    insert into held_pix (merchant_id, id, end_to_end_id, connection_id, charge_id, why, due_amount, held_at, give_back_at)
    select merchant_id, id, end_to_end_id, connection_id, charge_id, why, due_amount, ${tx.now}, give_back_at
    from unnest(
      ${numberArray(rows.map((row) => row.merchantId))}::bigint[], ${textArray(rows.map((row) => row.id))}::uuid[],
      ${textArray(rows.map((row) => row.endToEndId))}::text[], ${numberArray(rows.map((row) => row.connectionId))}::int[],
      ${textArray(rows.map((row) => row.chargeId))}::uuid[], ${textArray(rows.map((row) => row.why))}::text[],
      ${textArray(rows.map((row) => row.dueAmount && JSON.stringify(row.dueAmount)))}::json[],
      ${rows.map((row) => row.giveBackAt)}::timestamptz[]
    ) held (merchant_id, id, end_to_end_id, connection_id, charge_id, why, due_amount, give_back_at)
  `.execute(tx.db);
  return rows.map((row) => ({ ...row, decision: null, decidedAt: null, refundId: null, paidChargeId: null }));
}

type StoredRow = {
  merchant_id: number;
  id: string;
  end_to_end_id: string;
  connection_id: number;
  charge_id: string;
  why: string;
  due_amount: DueAmount | null;
  held_at: Date;
  give_back_at: Date | null;
  decision: HeldPixRow['decision'];
  decided_at: Date | null;
  refund_id: string | null;
  paid_charge_id: string | null;
  outcome: string;
  amount_cents: number;
  paid_at: Date;
  payer_name: string | null;
  payer_document: string | null;
};

const selectHeld = sql`
  select held.merchant_id, held.id, held.end_to_end_id, held.connection_id, held.charge_id, why, due_amount, held_at,
         give_back_at, decision, decided_at, refund_id, paid_charge_id, outcome, pix.amount_cents, pix.paid_at, payer_name, payer_document
  from held_pix held
  join received_pix pix on pix.end_to_end_id = held.end_to_end_id and pix.connection_id = held.connection_id`;

function recordFrom(row: StoredRow): HeldPixRecord {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    endToEndId: row.end_to_end_id,
    connectionId: row.connection_id,
    chargeId: row.charge_id,
    // The tables' CHECKs admit only these words.
    why: row.why as HeldPixReason,
    outcome: row.outcome as PixOutcome,
    dueAmount: row.due_amount,
    heldAt: row.held_at,
    giveBackAt: row.give_back_at,
    decision: row.decision,
    decidedAt: row.decided_at,
    refundId: row.refund_id,
    paidChargeId: row.paid_charge_id,
    amountCents: row.amount_cents,
    paidAt: row.paid_at,
    payerName: row.payer_name,
    payerDocument: row.payer_document,
  };
}

/** Lists a merchant's held Pix, newest first: those older than `before`, and only undecided ones with `isOpen`. */
export async function listHeldPix(
  db: Db,
  merchantId: number,
  {
    isOpen,
    before,
    limit,
  }: { readonly isOpen: boolean; readonly before: string | undefined; readonly limit: number },
): Promise<HeldPixRecord[]> {
  const { rows } = await sql<StoredRow>`
    ${selectHeld}
    where held.merchant_id = ${merchantId}
      ${before === undefined ? sql`` : sql`and held.id < ${before}::uuid`}
      ${isOpen ? sql`and outcome in ('suspense', 'held') and give_back_at is null` : sql``}
    order by held.id desc limit ${limit}
  `.execute(db);
  return rows.map(recordFrom);
}

export async function findHeldPix(
  db: Db | Tx['db'],
  merchantId: number,
  id: string,
): Promise<HeldPixRecord | undefined> {
  const { rows } = await sql<StoredRow>`
    ${selectHeld} where held.merchant_id = ${merchantId} and held.id = ${id}
  `.execute(db);
  return rows[0] && recordFrom(rows[0]);
}

/** Finds the held Pix of an endToEndId at an account. */
export async function findHeldPixOf(
  tx: Tx,
  { endToEndId, connectionId }: { readonly endToEndId: string; readonly connectionId: number },
): Promise<HeldPixRecord | undefined> {
  const { rows } = await sql<StoredRow>`
    ${selectHeld} where held.end_to_end_id = ${endToEndId} and held.connection_id = ${connectionId}
  `.execute(tx.db);
  return rows[0] && recordFrom(rows[0]);
}

/** Returns the Pix that a rule gives back now, oldest first. */
export async function listDueToGiveBack(
  db: Db,
  now: Date,
  limit: number,
): Promise<{ merchantId: number; id: string; connectionId: number }[]> {
  const rows = await db
    .selectFrom('held_pix')
    .select(['merchant_id', 'id', 'connection_id'])
    .where('give_back_at', '<=', now)
    .orderBy('give_back_at')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ merchantId: row.merchant_id, id: row.id, connectionId: row.connection_id }));
}

/** What was decided about a held Pix. `decidedBy`: the person; null for a rule or a key. */
export type HeldPixDecision = { readonly decidedBy: number | null; readonly paidChargeId: string | null } & (
  | { readonly decision: 'accepted'; readonly refundId: null }
  | { readonly decision: 'given-back'; readonly refundId: string }
);

/** Records the decision about a held Pix that is locked by its row in `received_pix`. */
export async function writeHeldDecision(
  tx: Tx,
  { merchantId, id }: Pick<HeldPixRow, 'merchantId' | 'id'>,
  { decision, decidedBy, paidChargeId, refundId }: HeldPixDecision,
): Promise<void> {
  await tx.db
    .updateTable('held_pix')
    .set({
      decision,
      decided_at: tx.now,
      decided_by: decidedBy,
      paid_charge_id: paidChargeId,
      refund_id: refundId,
      give_back_at: null,
    })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .execute();
}

/** Leaves a Pix that a rule cannot give back to the merchant's own decision. */
export async function stopGivingBack(
  tx: Tx,
  { merchantId, id }: Pick<HeldPixRow, 'merchantId' | 'id'>,
): Promise<void> {
  await tx.db
    .updateTable('held_pix')
    .set({ give_back_at: null })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .execute();
}

/** Lets a Pix wait that is to be given back, unless that was done or decided otherwise meanwhile. */
export async function postponeGivingBack(
  tx: Tx,
  { merchantId, id }: Pick<HeldPixRow, 'merchantId' | 'id'>,
  until: Date,
): Promise<void> {
  await tx.db
    .updateTable('held_pix')
    .set({ give_back_at: until })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .where('give_back_at', 'is not', null)
    .execute();
}
