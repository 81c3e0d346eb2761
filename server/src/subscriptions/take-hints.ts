import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { chargeKeyOf } from '../payments/index.ts';
import { findBanksWithDueHints, finishHints, leaseHints } from '../psp/index.ts';
import { wakeCycle } from './cycle-store.ts';
import { wakeMandates } from './store.ts';

const batchSize = 200;

/**
 * Makes due what banks called about. The call itself is not trusted: what changed is read at the bank, by the loops of
 * mandates and cycles. Returns how many calls there were.
 */
export async function takeHints(deps: Deps): Promise<number> {
  const banks = new Set([
    ...(await findBanksWithDueHints(deps, 'mandate')),
    ...(await findBanksWithDueHints(deps, 'debit')),
  ]);
  let count = 0;
  for (const connectionId of banks) count += await takeHintsOf(deps, connectionId);
  return count;
}

function takeHintsOf(deps: Deps, connectionId: number): Promise<number> {
  return inTransaction(deps, async (tx) => {
    const mandates = await leaseHints(tx, connectionId, 'mandate', batchSize);
    const debits = await leaseHints(tx, connectionId, 'debit', batchSize);
    const idRecs = mandates.map(({ reference }) => reference);
    await wakeMandates(tx, connectionId, idRecs);
    for (const { reference } of debits) {
      const key = chargeKeyOf(reference);
      if (key !== undefined) await wakeCycle(tx, connectionId, key);
    }
    await finishHints(tx, [...mandates, ...debits]);
    return mandates.length + debits.length;
  });
}
