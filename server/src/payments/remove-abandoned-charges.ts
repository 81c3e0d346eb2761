import pMap from 'p-map';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { type AtBank, type BankCharge, PspRefused, PspUnknown, takeTurn } from '../psp/index.ts';
import { type AbandonedCharge, finishAbandoned, leaseDueAbandoned } from './abandoned-store.ts';
import { settleReceived } from './settle-received.ts';

const batchSize = 100;
const maxConcurrentCalls = 4;
const retryMs = 60_000;
/** This long after its expiry, nobody can pay an abandoned charge, whatever its bank knows. */
const maxBankSilenceMs = 600_000;

/** Removes at their banks what was abandoned there, and books what was paid meanwhile. Returns how many were due. */
export async function removeAbandonedCharges(deps: Deps): Promise<number> {
  if (deps.config.merchantAccounts === 'pooled') return 0;
  const due = await inTransaction(deps, (tx) =>
    leaseDueAbandoned(tx, new Date(tx.now.getTime() + retryMs), batchSize),
  );
  const ofConnection = Map.groupBy(due, ({ connectionId }) => connectionId);
  const work = async (bank: AtBank) => {
    const ofBank = ofConnection.get(bank.connection.id) ?? [];
    await pMap(ofBank, (one) => removeAbandoned(bank, one), { concurrency: maxConcurrentCalls });
    return ofBank.length;
  };
  if (due.length > 0) await takeTurn(deps, 'abandoned', work, [...ofConnection.keys()]);
  return due.length;
}

async function removeAbandoned(bank: AtBank, abandoned: AbandonedCharge): Promise<void> {
  const atTheBank = await removeAtBank(bank, abandoned);
  const sinceExpiryMs = bank.clock.now().getTime() - abandoned.expiresAt.getTime();
  const isOver = atTheBank === undefined || (atTheBank !== 'silent' && atTheBank.status !== 'active');
  await inTransaction(bank, async (tx) => {
    if (atTheBank !== undefined && atTheBank !== 'silent' && atTheBank.received.length > 0)
      await settleReceived(tx, atTheBank.received, bank.connection);
    if (isOver || sinceExpiryMs >= maxBankSilenceMs) await finishAbandoned(tx, abandoned);
  });
}

/** Returns the bank's record of the charge after the request to remove it; undefined if the bank never had it. */
async function removeAtBank(
  { psp, log }: AtBank,
  { txid, chargeId }: AbandonedCharge,
): Promise<BankCharge | undefined | 'silent'> {
  try {
    const found = await psp.findCharge(txid);
    return found?.status === 'active' ? await psp.removeCharge(txid) : found;
  } catch (err) {
    if (!(err instanceof PspRefused || err instanceof PspUnknown)) throw err;
    log.warn({ err, chargeId }, 'an abandoned charge could not be removed at its bank yet');
    return 'silent';
  }
}
