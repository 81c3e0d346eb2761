import { inTransaction } from '../db/transaction.ts';
import type { AtBank } from '../psp/index.ts';
import { selectConnection } from './store.ts';
import { tellOwner } from './tell-owner.ts';

/**
 * Tells the owner that the bank sends its notices to another system. An account that is ending may have moved there with
 * its key, which is no news.
 */
export async function tellOfForeignWebhook(deps: AtBank): Promise<void> {
  const { db, connection, log, institution } = deps;
  log.warn({ connectionId: connection.id }, 'the bank sends the notices of an account to another system');
  const row = await selectConnection(db, connection.id);
  if (row === undefined || (row.state !== 'active' && row.state !== 'suspended')) return;
  await inTransaction(deps, (tx) =>
    tellOwner(tx, {
      merchantId: row.merchant_id,
      connectionId: row.id,
      type: 'connection.foreign-webhook',
      title: 'Outro sistema recebe os avisos da sua conta',
      body: `Outro sistema registrou o endereço dele para os avisos da chave Pix da sua conta em ${institution ?? row.bank}. Os pagamentos ainda são encontrados na lista do banco, mas aparecem minutos depois. Tire o endereço dele no banco, ou use nesse sistema outra chave, e verifique a conta de novo.`,
    }),
  );
}
