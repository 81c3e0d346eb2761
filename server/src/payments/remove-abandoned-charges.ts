import pMap from 'p-map';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import {
  type AtBank,
  type BankCharge,
  findBusyBanks,
  PspRefused,
  PspUnknown,
  takeTurn,
} from '../psp/index.ts';
import { type AbandonedCharge, finishAbandoned, leaseDueAbandoned } from './abandoned-store.ts';
import { settleReceived } from './settle-received.ts';

const batchSize = 100;
const maxConcurrentCalls = 4;
const retryMs = 60_000;
/** This long after its expiry, nobody can pay an abandoned charge, whatever its bank knows. */
const maxBankSilenceMs = 600_000;

const workName = 'abandoned';

/** Removes at their banks what was abandoned there, and books what was paid meanwhile. Returns how many were due. */
export async function removeAbandonedCharges(deps: Deps): Promise<number> {
  if (deps.config.merchantAccounts === 'pooled') return 0;
  const busyBanks = findBusyBanks(deps, workName);
  const due = await inTransaction(deps, (tx) =>
    leaseDueAbandoned(tx, new Date(tx.now.getTime() + retryMs), batchSize, busyBanks),
  );
  const ofConnection = Map.groupBy(due, ({ connectionId }) => connectionId);
  const work = async (bank: AtBank) => {
    const ofBank = ofConnection.get(bank.connection.id) ?? [];
    await pMap(ofBank, (one) => removeAbandoned(bank, one), { concurrency: maxConcurrentCalls });
    return ofBank.length;
  };
  if (due.length > 0) await takeTurn(deps, workName, work, [...ofConnection.keys()]);
  // The bank of an account that was retired cannot be asked.
  for (const one of due) if (deps.banks.find(one.connectionId) === undefined) await finishIfTooOld(deps, one);
  return due.length;
}

async function finishIfTooOld(deps: Deps, abandoned: AbandonedCharge): Promise<void> {
  if (isTooOld(abandoned, deps.clock.now()))
    await inTransaction(deps, (tx) => finishAbandoned(tx, abandoned));
}

function isTooOld({ expiresAt }: AbandonedCharge, now: Date): boolean {
  return now.getTime() - expiresAt.getTime() >= maxBankSilenceMs;
}

async function removeAbandoned(bank: AtBank, abandoned: AbandonedCharge): Promise<void> {
  const atTheBank = await removeAtBank(bank, abandoned);
  const isOver = atTheBank === undefined || (atTheBank !== 'silent' && atTheBank.status !== 'active');
  await inTransaction(bank, async (tx) => {
    if (atTheBank !== undefined && atTheBank !== 'silent' && atTheBank.received.length > 0)
      await settleReceived(tx, atTheBank.received, bank.connection);
    if (isOver || isTooOld(abandoned, tx.now)) await finishAbandoned(tx, abandoned);
  });
}

/** Returns the bank's record of the charge after the request to remove it; undefined if the bank never had it. */
async function removeAtBank(
  { psp, log }: AtBank,
  { txid, chargeId }: AbandonedCharge,
): Promise<BankCharge | undefined | 'silent'> {
  try {
    const found = await psp.findCharge(txid, 'immediate');
    return found?.status === 'active' ? await psp.removeCharge(txid, 'immediate') : found;
  } catch (err) {
    if (!(err instanceof PspRefused || err instanceof PspUnknown)) throw err;
    log.warn({ err, chargeId }, 'an abandoned charge could not be removed at its bank yet');
    return 'silent';
  }
}
