import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { lockBalances, movements, post } from '../ledger/index.ts';
import { findDueReserves, markReservesReleased } from './store.ts';

const batchSize = 500;

/** Releases due reserves, less what disputes took from them. Returns how many were found. */
export async function releaseReserves(deps: Deps): Promise<number> {
  return inTransaction(deps, async (tx) => {
    const due = await findDueReserves(tx, batchSize);
    if (due.length === 0) return 0;
    // Disputes take from reserves under the same lock, so none is released and taken from at once.
    await lockBalances(tx, [...new Set(due.map(({ merchantId }) => merchantId))]);
    const released = await markReservesReleased(tx, due);
    await post(
      tx,
      released.flatMap(({ merchantId, chargeId, amountCents }) =>
        movements.reserveReleased({ merchantId, reference: chargeId, amountCents }),
      ),
    );
    return due.length;
  });
}
