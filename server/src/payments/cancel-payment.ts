import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { type BankCharge, PspRefused, PspUnknown } from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import { endCharges } from './end-charges.ts';
import type { Charge } from './payment.ts';
import { settleReceived } from './settle-received.ts';
import { findCharge } from './store.ts';

/**
 * Cancels a charge: removed at the bank first, so that nobody can pay a charge that we reported as cancelled. If the
 * bank says it was paid, the payment is booked instead. Idempotent. Refused with PAYMENT_NOT_FOUND,
 * CHARGE_ALREADY_PAID, CHARGE_ENDED, or PAYMENT_PROCESSING_ERROR if the bank does not confirm the removal.
 */
export async function cancelPayment(deps: Deps, merchantId: number, id: string): Promise<Charge> {
  const charge = await readCharge(deps, merchantId, id);
  if (charge.cancelledAt !== null && charge.status === 'expired') return charge;
  refuseEnded(charge);
  const atBank = await removeAtBank(deps, charge);
  if (atBank.received.length > 0)
    await inTransaction(deps, (tx) => settleReceived(tx, atBank.received, deps.config.pixKey));
  else if (atBank.status === 'removed')
    await inTransaction(deps, (tx) => endCharges(tx, [charge], 'expired', tx.now));
  else throw new Refusal('PAYMENT_PROCESSING_ERROR', { retryAfterSeconds: 5 });
  const now = await readCharge(deps, merchantId, id);
  if (now.cancelledAt === null) refuseEnded(now);
  return now;
}

async function readCharge(deps: Deps, merchantId: number, id: string): Promise<Charge> {
  const charge = await findCharge(deps.db, merchantId, id);
  if (charge === undefined) throw new Refusal('PAYMENT_NOT_FOUND');
  return charge;
}

function refuseEnded({ status }: Charge): void {
  if (status === 'paid' || status === 'refunded') throw new Refusal('CHARGE_ALREADY_PAID');
  if (status !== 'pending') throw new Refusal('CHARGE_ENDED');
}

/** The bank's state of the charge after the removal request; a refusal may mean that it was paid or is gone. */
async function removeAtBank(deps: Deps, charge: Charge): Promise<BankCharge> {
  try {
    return await deps.psp.removeCharge(charge.txid);
  } catch (error) {
    if (!(error instanceof PspRefused || error instanceof PspUnknown)) throw error;
    deps.log.warn({ err: error, chargeId: charge.id }, 'the bank did not say that it removed a charge');
  }
  try {
    const atBank = await deps.psp.findCharge(charge.txid);
    if (atBank !== undefined) return atBank;
  } catch (error) {
    if (!(error instanceof PspRefused || error instanceof PspUnknown)) throw error;
    deps.log.warn({ err: error, chargeId: charge.id }, 'the bank did not say what became of a charge');
  }
  throw new Refusal('PAYMENT_PROCESSING_ERROR', {
    message: 'O banco não confirmou o cancelamento. A cobrança continua valendo; tente de novo em instantes.',
    retryAfterSeconds: 5,
  });
}
