import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { mapBounded } from '../map-bounded.ts';
import { merchantOfTxid } from '../payments/index.ts';
import { finishHints, takeHints } from '../psp/index.ts';
import { PAYOUT_LEASE_MS } from './payout-timing.ts';
import { lookUpPayout } from './send-withdrawals.ts';
import { makeDue, takeDueLookUps } from './store.ts';

const takenTogether = 50;
const questionsAtOnce = 8;

/**
 * Looks up at the bank the orders whose outcome is unknown, and those that it hinted have changed. Returns how many
 * were looked up.
 */
export async function lookUpWithdrawals(deps: Deps): Promise<number> {
  const { payouts } = deps.psp;
  if (payouts === undefined) return 0;
  await heedHints(deps);
  const due = await inTransaction(deps, (tx) =>
    takeDueLookUps(tx, new Date(tx.now.getTime() + PAYOUT_LEASE_MS), takenTogether),
  );
  await mapBounded(due, questionsAtOnce, (withdrawal) => lookUpPayout(deps, payouts, withdrawal));
  return due.length;
}

/**
 * Makes hinted withdrawals due now. A hint that names no order of ours is left to the reconciliation of the bank's
 * list.
 */
async function heedHints(deps: Deps): Promise<void> {
  await inTransaction(deps, async (tx) => {
    const hints = await takeHints(tx, 'payout', takenTogether);
    if (hints.length === 0) return;
    await makeDue(
      tx,
      hints.flatMap(({ reference: idEnvio }) => {
        const merchantId = merchantOfTxid(idEnvio);
        return merchantId === undefined ? [] : [{ merchantId, idEnvio }];
      }),
    );
    await finishHints(tx, hints);
  });
}
