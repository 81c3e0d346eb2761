import { type Selectable, sql } from 'kysely';
import { numberArray, textArray } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import type { DB } from '../db/schema.ts';
import type { Tx } from '../db/transaction.ts';
import { merchantIdFromPrefix, prefixWithMerchant } from '../merchant-prefix.ts';
import { randomText } from '../random-text.ts';
import type { StoredFeeStatement } from './fee-statement.ts';
import { type FeeStatementRow, statementColumns, statementFrom } from './store.ts';

/** A charge at the operator's bank by which a statement can be paid. */
export type StatementCharge = {
  readonly merchantId: number;
  readonly statementId: string;
  /** Our identifier of the charge at the bank. */
  readonly txid: string;
  /** The text that a payer scans or pastes; empty until the bank has confirmed the charge. */
  readonly brCode: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

/** Charges of sales have 35 characters, counter codes 25 and payouts 32, so the length tells whose txid it is. */
const txidLength = 30;

/** Creates the txid of a statement's charge; 22 of its characters (131 bits) are random. */
export function newStatementTxid(merchantId: number): string {
  return prefixWithMerchant(merchantId, randomText(22));
}

/** The merchant's number in the txid of a statement's charge; undefined for a txid that we cannot have issued. */
export function merchantIdFromStatementTxid(txid: string): number | undefined {
  return merchantIdFromPrefix(txid, txidLength);
}

/** Finds the newest charge of a statement that can be paid until `expiresAfter` at least. */
export async function findValidCharge(
  db: Db | Tx['db'],
  { merchantId, id }: Pick<StoredFeeStatement, 'merchantId' | 'id'>,
  expiresAfter: Date,
): Promise<StatementCharge | undefined> {
  const row = await db
    .selectFrom('fee_statement_charges')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('statement_id', '=', id)
    .where('expires_at', '>', expiresAfter)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && chargeFrom(row);
}

function chargeFrom(row: Selectable<DB['fee_statement_charges']>): StatementCharge {
  return {
    merchantId: row.merchant_id,
    statementId: row.statement_id,
    txid: row.txid,
    brCode: row.br_code,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

export async function insertCharge(tx: Tx, charge: StatementCharge): Promise<void> {
  await tx.db
    .insertInto('fee_statement_charges')
    .values({
      merchant_id: charge.merchantId,
      txid: charge.txid,
      statement_id: charge.statementId,
      created_at: charge.createdAt,
      expires_at: charge.expiresAt,
    })
    .execute();
}

export async function storeBrCode(
  db: Db,
  { merchantId, txid }: Pick<StatementCharge, 'merchantId' | 'txid'>,
  brCode: string,
): Promise<void> {
  await db
    .updateTable('fee_statement_charges')
    .set({ br_code: brCode })
    .where('merchant_id', '=', merchantId)
    .where('txid', '=', txid)
    .execute();
}

/** Reads and locks the statements that these txids pay, in one order for all transactions. The keys are the txids. */
export async function lockStatementsOfTxids(
  tx: Tx,
  keys: readonly { readonly merchantId: number; readonly txid: string }[],
): Promise<Map<string, StoredFeeStatement>> {
  const columns = sql.join(statementColumns.map((column) => sql.ref(`statement.${column}`)));
  const { rows } = await sql<FeeStatementRow & { txid: string }>`
    select charge.txid, ${columns}
    from fee_statement_charges charge
    join unnest(${numberArray(keys.map(({ merchantId }) => merchantId))}::bigint[],
                ${textArray(keys.map(({ txid }) => txid))}::text[]) keys (merchant_id, txid) using (merchant_id, txid)
    join fee_statements statement
      on statement.merchant_id = charge.merchant_id and statement.id = charge.statement_id
    order by statement.merchant_id, statement.id
    for no key update of statement
  `.execute(tx.db);
  return new Map(rows.map(({ txid, ...row }) => [txid, statementFrom(row)]));
}
