import type { Db } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { notifyAdministrators } from '../notifications/index.ts';
import {
  type AtBank,
  HOUSE_CONNECTION,
  RefusedCredentials,
  RefusedResponse,
  UndecidedResponse,
} from '../psp/index.ts';
import { tellOwner } from './tell-owner.ts';

const mending =
  'Ative na aplicação da API Pix, no banco, as permissões (escopos) rec, solicrec, payloadlocationrec e cobr, de leitura e escrita, e confira se as credenciais ainda valem. O que está para ser enviado espera até lá; cada débito, enquanto o seu prazo permitir.';

/** An order of Pix Automático: a mandate to be made, a request in the payer's app, a debit. */
export type RecurringOrder = 'mandate' | 'push' | 'debit';

/**
 * Whether the bank does not permit a call, which whoever manages the credentials there can change. Some banks answer 401
 * to a call for whose scopes they gave no right.
 */
export function isNotPermitted(error: unknown): boolean {
  if (error instanceof RefusedCredentials) return false;
  const hasStatus = error instanceof RefusedResponse || error instanceof UndecidedResponse;
  return hasStatus && (error.status === 401 || error.status === 403);
}

/**
 * Tells whoever can mend it that the bank lets the gateway make no debits by mandate: the owner of an own account once
 * until an order of this kind is accepted again, and the administrators at most hourly for the operator's account.
 */
export async function tellOfRefusedRecurring(deps: AtBank, order: RecurringOrder): Promise<void> {
  const { connection, log, institution } = deps;
  log.warn({ connectionId: connection.id, order }, 'the bank does not permit an order of Pix Automático');
  await inTransaction(deps, async (tx) => {
    if (connection.id === HOUSE_CONNECTION)
      return notifyAdministrators(tx, {
        type: 'operation.recurring-refused',
        title: 'O banco recusa o Pix Automático',
        body: `Autorizações e débitos de assinaturas não podem ser enviados: falta uma permissão no banco. ${mending}`,
        hourly: true,
      });
    const row = await tx.db
      .updateTable('bank_connections')
      .set({ recurring_refused: order })
      .where('id', '=', connection.id)
      .where('recurring_refused', 'is', null)
      .where('state', '<>', 'retired')
      .returning(['merchant_id', 'bank'])
      .executeTakeFirst();
    if (row === undefined) return;
    await tellOwner(tx, {
      merchantId: row.merchant_id,
      connectionId: connection.id,
      type: 'connection.recurring-refused',
      title: 'O banco recusa o Pix Automático',
      body: `Autorizações e débitos das suas assinaturas não podem ser enviados: na sua conta em ${institution ?? row.bank}, falta uma permissão. ${mending}`,
    });
  });
}

/** Notes that the bank accepted an order, so that its owner is told if it refuses one of this kind again. */
export async function noteAcceptedRecurring(
  db: Db,
  connectionId: number,
  order: RecurringOrder,
): Promise<void> {
  if (connectionId === HOUSE_CONNECTION) return;
  await db
    .updateTable('bank_connections')
    .set({ recurring_refused: null })
    .where('id', '=', connectionId)
    .where('recurring_refused', '=', order)
    .where('state', '<>', 'retired')
    .execute();
}
