import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { movements, post } from '../ledger/index.ts';
import { releaseDueReserves } from './store.ts';

const batchSize = 500;

/** Lets reserves that fell due come free. Answers how many. */
export async function releaseReserves(deps: Deps): Promise<number> {
  return inTransaction(deps, async (tx) => {
    const due = await releaseDueReserves(tx, batchSize);
    await post(
      tx,
      due.flatMap((reserve) =>
        movements.reserveReleased({
          merchantId: reserve.merchantId,
          reference: reserve.chargeId,
          amountCents: reserve.amountCents,
        }),
      ),
    );
    return due.length;
  });
}
