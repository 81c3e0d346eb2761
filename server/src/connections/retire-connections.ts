import { RETURN_DAYS } from '@jangada/contract';
import { calendarDayOf, daysAfter } from '../calendar-day.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { endStopAt, lockPayoutsStop } from '../payouts-stop.ts';
import { deleteLooks } from '../psp/index.ts';
import { workOnEachAlone } from '../work-alone.ts';
import {
  hasUnfinished,
  listRetiring,
  lockRetiring,
  markRetired,
  type RetiringConnection,
} from './retire-store.ts';
import { tellOwner } from './tell-owner.ts';

/**
 * Retires the accounts that their owners gave up, once nothing can happen there any more: the credentials are erased, and
 * the row is kept for its history.
 */
export async function retireConnections(deps: Pick<Deps, 'db' | 'clock' | 'log' | 'banks'>): Promise<void> {
  await workOnEachAlone(deps.log, await listRetiring(deps.db), {
    async work(connection) {
      const bankName = deps.banks.find(connection.id)?.institution ?? connection.bank;
      const isRetired = await inTransaction(deps, (tx) => retireIfFinished(tx, connection, bankName));
      if (isRetired) deps.log.info({ connectionId: connection.id }, 'a merchant’s own account was retired');
    },
    describe: ({ id }) => ({ retiringConnectionId: id }),
  });
}

async function retireIfFinished(tx: Tx, connection: RetiringConnection, bankName: string): Promise<boolean> {
  // Before the account, in the order in which whoever resumes payouts takes these locks.
  await lockPayoutsStop(tx);
  if (!(await lockRetiring(tx, connection))) return false;
  // A Pix that arrived there can be returned for so long, and that takes the account.
  if (await hasUnfinished(tx, connection, daysAfter(calendarDayOf(tx.now), -RETURN_DAYS))) return false;
  await markRetired(tx, connection);
  await endStopAt(tx, connection.id);
  await deleteLooks(tx, connection.id);
  await tellOwner(tx, {
    merchantId: connection.merchantId,
    connectionId: connection.id,
    type: 'connection.retired',
    title: 'Sua conta bancária foi encerrada',
    body: `Nada mais está aberto na sua conta em ${bankName}, e o prazo de estorno do último pagamento passou. As credenciais dela foram apagadas daqui. No painel do banco, revogue também o acesso que foi criado para este gateway.`,
  });
  return true;
}
