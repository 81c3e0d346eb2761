// After a failover the latest transactions may be missing: a bank may have carried out orders that this database does not
// know. The database stops payouts by itself (`detect_server_change`); this file resumes them, account by account, once
// the books of the account have everything that its bank carried out.
import { sql } from 'kysely';
import { inTransaction } from './db/transaction.ts';
import type { Deps, ModuleLoop } from './deps.ts';
import { reportServerChange } from './gateway/index.ts';
import { PLATFORM } from './ledger/index.ts';
import { notifyAdministrators } from './notifications/index.ts';
import { claimDueComparison, claimDueComparisonsAt } from './payouts-stop.ts';
import { type AtBank, atHouse, PspUnknown, takeTurn } from './psp/index.ts';
import { bookUnknownReturns } from './refunds/index.ts';
import { Refusal } from './refusal.ts';
import { resumeAtOwnAccount, resumePayouts } from './withdrawals/index.ts';

export const failoverLoops: readonly ModuleLoop[] = [
  // 0 means that nothing is left to do, so the loop waits for its next turn.
  { name: 'failover', everyMs: 5000, work: (deps) => handleFailover(deps).then(() => 0) },
  { name: 'stopped accounts', everyMs: 5000, work: (deps) => handleStoppedAccounts(deps).then(() => 0) },
];

/** How many stopped accounts a turn compares with their banks. */
const maxAccountsPerTurn = 50;

/**
 * Compares merchants' own accounts at which payouts are stopped with their banks, and resumes payouts at those whose bank
 * has nothing that our books lack. The others stay stopped and are compared again a minute later.
 */
export async function handleStoppedAccounts(deps: Deps): Promise<void> {
  const ids = await claimDueComparisonsAt(deps.db, maxAccountsPerTurn);
  if (ids.length > 0) await takeTurn(deps, 'stopped accounts', compareStopped, ids);
}

async function compareStopped(bank: AtBank): Promise<number> {
  if (await bookUnknownReturns(bank)) await resumeAtOwnAccount(bank);
  return 1;
}

/**
 * Detects a failover, even if the database connections stayed open, and notifies the administrators. When the
 * comparison with the operator's own bank is due, resumes payouts if that bank has nothing that our books lack; otherwise
 * compares again a minute later. Merchants' own accounts are then compared each by itself.
 */
export async function handleFailover(deps: Deps): Promise<void> {
  await sql`select detect_server_change()`.execute(deps.db);
  await reportServerChange(deps);
  const stopReason = await claimDueComparison(deps.db);
  if (stopReason === undefined) return;
  try {
    if (!(await bookUnknownReturns(atHouse(deps))))
      return deps.log.warn('payouts stay stopped after the failover: a return at the bank is not booked yet');
    await resumePayouts(
      deps,
      PLATFORM,
      'O que o banco enviou foi conferido, e nada falta nos livros.',
      stopReason,
    );
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof PspUnknown)) throw error;
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
