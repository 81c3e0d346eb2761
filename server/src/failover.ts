// After a failover the latest transactions may be missing: the bank may have carried out orders that this database does
// not know. The database stops payouts by itself (`detect_server_change`); this file resumes them once our books have
// everything that each bank carried out.
import { sql } from 'kysely';
import { inTransaction } from './db/transaction.ts';
import type { Deps, ModuleLoop } from './deps.ts';
import { reportServerChange } from './gateway/index.ts';
import { PLATFORM } from './ledger/index.ts';
import { notifyAdministrators } from './notifications/index.ts';
import { claimDueComparison } from './payouts-stop.ts';
import { atEachBank, isPspUnknown } from './psp/index.ts';
import { bookUnknownReturns } from './refunds/index.ts';
import { Refusal } from './refusal.ts';
import { resumePayouts } from './withdrawals/index.ts';

export const failoverLoops: readonly ModuleLoop[] = [
  // 0 means that nothing is left to do, so the loop waits for its next turn.
  { name: 'failover', everyMs: 5000, work: (deps) => handleFailover(deps).then(() => 0) },
];

/**
 * Detects a failover, even if the database connections stayed open, and notifies the administrators. When the
 * comparison with the banks is due, resumes payouts if no bank has anything that our books lack; otherwise compares
 * again a minute later.
 */
export async function handleFailover(deps: Deps): Promise<void> {
  await sql`select detect_server_change()`.execute(deps.db);
  await reportServerChange(deps);
  const stopReason = await claimDueComparison(deps.db);
  if (stopReason === undefined) return;
  try {
    const unfinishedBanks = await atEachBank(deps, async (bank) =>
      (await bookUnknownReturns(bank)) ? 0 : 1,
    );
    if (unfinishedBanks > 0)
      return deps.log.warn('payouts stay stopped after the failover: a return at the bank is not booked yet');
    await resumePayouts(
      deps,
      PLATFORM,
      'O que o banco enviou foi conferido, e nada falta nos livros.',
      stopReason,
    );
  } catch (error) {
    if (!(error instanceof Refusal || isPspUnknown(error))) throw error;
    return deps.log.warn({ err: error }, 'payouts stay stopped after the failover');
  }
  await inTransaction(deps, (tx) =>
    notifyAdministrators(tx, {
      type: 'operation.payouts-resumed',
      title: 'Os envios voltaram',
      body: 'O banco de dados passou a outro servidor. O que o banco enviou foi conferido, e nada falta nos livros.',
    }),
  );
}
