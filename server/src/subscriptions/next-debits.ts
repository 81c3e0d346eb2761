import type { Db } from '../db/pool.ts';
import { findNextCycles, isOfCycle, listAttempts } from './cycle-store.ts';
import { unplannedDebitOf } from './plan-cycles.ts';
import type { StoredCycle, StoredDebitAttempt, StoredMandate, StoredSubscription } from './subscription.ts';

type Found = { readonly subscription: StoredSubscription; readonly mandate: StoredMandate };

export type NextDebits = {
  /** The earliest cycle of each subscription that is planned or under way. */
  readonly cycles: ReadonlyMap<string, StoredCycle>;
  /** The day of the next debit, be it another try for a cycle that failed; null if none is to come. */
  readonly dayOf: (found: Found) => string | null;
};

/** Reads what is debited next of subscriptions of one account. */
export async function readNextDebits(
  db: Db,
  merchantId: number,
  ids: readonly string[],
): Promise<NextDebits> {
  const cycles = await findNextCycles(db, merchantId, ids);
  const untried = await findNextCycles(db, merchantId, ids, { isUntried: true });
  const failed = [...cycles.values()].filter(({ status }) => status === 'retrying');
  const attempts = await listAttempts(db, merchantId, failed);
  const dayOf = (found: Found) => {
    const { id } = found.subscription;
    const cycle = cycles.get(id);
    const retry = cycle && openTryOf(attempts.filter(isOfCycle(cycle)));
    const days = [retry?.day, untried.get(id)?.debitDay ?? unplannedDebitOf(found)?.day];
    return days.filter((day) => day !== undefined).toSorted()[0] ?? null;
  };
  return { cycles, dayOf };
}

/** The try that the bank is to make, of those for one cycle. */
export function openTryOf(attempts: readonly StoredDebitAttempt[]): StoredDebitAttempt | undefined {
  return attempts.find(({ status }) => ['asked', 'requested', 'scheduled'].includes(status));
}
