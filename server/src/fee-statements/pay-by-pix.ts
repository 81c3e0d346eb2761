import type { Tx } from '../db/transaction.ts';
import type { BankReceivedPix } from '../psp/index.ts';
import { lockStatementsOfTxids, merchantIdFromStatementTxid } from './charge-store.ts';
import type { StoredFeeStatement } from './fee-statement.ts';
import { publishPaid } from './publish-statement-event.ts';
import { markPaid } from './store.ts';

/**
 * Finds and locks the statements that received Pix would pay, by txid. Asks nothing of the database if no txid has the
 * form of a statement's. The caller decides about each Pix, and posts it.
 */
export async function lockStatementsOfPix(
  tx: Tx,
  received: readonly BankReceivedPix[],
): Promise<ReadonlyMap<string, StoredFeeStatement>> {
  const keys = received.flatMap(({ txid }) => {
    const merchantId = txid === undefined ? undefined : merchantIdFromStatementTxid(txid);
    return txid === undefined || merchantId === undefined ? [] : [{ merchantId, txid }];
  });
  return keys.length === 0 ? new Map() : lockStatementsOfTxids(tx, keys);
}

/** A statement, and the Pix that pays it. */
export type FeePayment = { readonly statement: StoredFeeStatement; readonly pix: BankReceivedPix };

/** Marks statements as paid by Pix that were posted in this transaction, and tells their merchants. */
export async function markStatementsPaid(tx: Tx, payments: readonly FeePayment[]): Promise<void> {
  const paid = payments.map(({ statement, pix: { endToEndId, paidAt } }) => ({
    ...statement,
    state: 'paid' as const,
    paidAt,
    endToEndId,
    paidReference: null,
  }));
  await markPaid(tx, paid);
  for (const statement of paid) await publishPaid(tx, statement, { isByOperator: false });
}
