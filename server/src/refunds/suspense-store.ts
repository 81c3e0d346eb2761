import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import type { PixOutcome } from '../payments/index.ts';

/** A decision about a Pix in suspense (money that matched no charge): assign the Pix to a merchant, or return it. */
export type SuspenseDecision =
  | { readonly action: 'assign'; readonly merchantId: number }
  | { readonly action: 'return'; readonly merchantId: null };

/** A decision about a large amount, proposed by one administrator. A second one must confirm it. */
export type Proposal = SuspenseDecision & {
  readonly reason: string;
  readonly proposedBy: number;
  readonly proposedAt: Date;
};

/** A proposal with the names of the proposer and of the merchant. */
export type NamedProposal = Proposal & {
  readonly proposedByName: string;
  readonly merchantName: string | null;
};

/**
 * A Pix that matched no charge, whether still in suspense or since assigned or returned, and the proposal about it.
 * Amounts in integer cents.
 */
export type UnmatchedPix = {
  readonly endToEndId: string;
  readonly amountCents: number;
  readonly paidAt: Date;
  readonly txid: string | null;
  /** The reason why the Pix could not be credited to a charge. */
  readonly suspenseReason: string;
  readonly outcome: PixOutcome;
  readonly proposal: NamedProposal | undefined;
};

type UnmatchedPixRow = {
  end_to_end_id: string;
  amount_cents: number;
  paid_at: Date;
  txid: string | null;
  suspense_reason: string | null;
  outcome: string;
  action: string | null;
  proposed_merchant_id: number | null;
  proposal_reason: string | null;
  proposed_by: number | null;
  proposed_at: Date | null;
  proposer_name: string | null;
  merchant_name: string | null;
};

const selectUnmatchedPix = sql`
  select pix.end_to_end_id, amount_cents, paid_at, txid, pix.reason as suspense_reason, outcome, action,
         proposal.merchant_id as proposed_merchant_id, proposal.reason as proposal_reason, proposed_by, proposed_at,
         proposer.name as proposer_name, merchant.name as merchant_name
  from received_pix pix
  left join suspense_proposals proposal using (end_to_end_id)
  left join users proposer on proposer.id = proposal.proposed_by
  left join users merchant on merchant.id = proposal.merchant_id`;

function unmatchedPixFromRow(row: UnmatchedPixRow): UnmatchedPix {
  return {
    endToEndId: row.end_to_end_id,
    amountCents: row.amount_cents,
    paidAt: row.paid_at,
    txid: row.txid,
    suspenseReason: row.suspense_reason ?? '',
    // The table's CHECK admits only these words.
    outcome: row.outcome as PixOutcome,
    proposal: proposalFrom(row),
  };
}

function proposalFrom(row: UnmatchedPixRow): NamedProposal | undefined {
  if (row.action === null || row.proposed_by === null || row.proposed_at === null) return undefined;
  const origin = {
    reason: row.proposal_reason ?? '',
    proposedBy: row.proposed_by,
    proposedAt: row.proposed_at,
    proposedByName: row.proposer_name ?? '',
    merchantName: row.merchant_name,
  };
  return row.proposed_merchant_id === null
    ? { ...origin, action: 'return', merchantId: null }
    : { ...origin, action: 'assign', merchantId: row.proposed_merchant_id };
}

/** Lists Pix in suspense or being returned, oldest first. */
export async function listUnmatchedPix(
  db: Db,
  page: { readonly limit: number; readonly offset: number },
): Promise<UnmatchedPix[]> {
  const { rows } = await sql<UnmatchedPixRow>`
    ${selectUnmatchedPix} where outcome in ('suspense', 'returning')
    order by received_at, end_to_end_id limit ${page.limit} offset ${page.offset}
  `.execute(db);
  return rows.map(unmatchedPixFromRow);
}

export async function sumUnmatchedPix(db: Db): Promise<{ count: number; cents: number }> {
  const { rows } = await sql<{ count: number; cents: number }>`
    select count(*) as count, coalesce(sum(amount_cents), 0)::bigint as cents
    from received_pix where outcome in ('suspense', 'returning')
  `.execute(db);
  return { count: rows[0]?.count ?? 0, cents: rows[0]?.cents ?? 0 };
}

export async function findUnmatchedPix(
  db: Db | Tx['db'],
  endToEndId: string,
): Promise<UnmatchedPix | undefined> {
  const { rows } =
    await sql<UnmatchedPixRow>`${selectUnmatchedPix} where pix.end_to_end_id = ${endToEndId}`.execute(db);
  return rows[0] && unmatchedPixFromRow(rows[0]);
}

/** Stores a proposal in place of any earlier one for the same Pix. The Pix must be locked. */
export async function writeProposal(
  tx: Tx,
  endToEndId: string,
  { action, merchantId, reason, proposedBy, proposedAt }: Proposal,
): Promise<void> {
  await sql`
    insert into suspense_proposals (end_to_end_id, action, merchant_id, reason, proposed_by, proposed_at)
    values (${endToEndId}, ${action}, ${merchantId}, ${reason}, ${proposedBy}, ${proposedAt})
    on conflict (end_to_end_id) do update
    set action = excluded.action, merchant_id = excluded.merchant_id, reason = excluded.reason,
        proposed_by = excluded.proposed_by, proposed_at = excluded.proposed_at
  `.execute(tx.db);
}

export async function deleteProposal(tx: Tx, endToEndId: string): Promise<void> {
  await tx.db.deleteFrom('suspense_proposals').where('end_to_end_id', '=', endToEndId).execute();
}

/** Whether this account is an administrator at present and is not frozen. */
export async function isAdministrator(tx: Tx, id: number): Promise<boolean> {
  const row = await tx.db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('role', '=', 'ADMIN')
    .where('frozen_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}
