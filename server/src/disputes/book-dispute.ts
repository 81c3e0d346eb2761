import { closeItem } from '../bank-watch/index.ts';
import type { Tx } from '../db/transaction.ts';
import { PLATFORM } from '../ledger/index.ts';
import type { BankDispute } from '../psp/index.ts';
import { openDispute } from './open-dispute.ts';
import { resolveDispute } from './resolve-dispute.ts';
import { findDisputeByBankId, lockDisputedPix, updateDispute } from './store.ts';

/**
 * Brings our record of a dispute up to date with the bank's: opens a new dispute, or updates or resolves a known one.
 * Idempotent. Returns false if the dispute cannot be opened yet, because another dispute of the same Pix is still open
 * in our books.
 */
export async function bookDispute(tx: Tx, bankDispute: BankDispute): Promise<boolean> {
  const pix = await lockDisputedPix(tx, bankDispute.endToEndId);
  const merchantId = pix?.merchantId ?? PLATFORM;
  const dispute = await findDisputeByBankId(tx, merchantId, bankDispute.disputeId);
  if (dispute !== undefined) {
    await resolveDispute(tx, dispute, bankDispute);
    return true;
  }
  const opened = await openDispute(tx, bankDispute, pix);
  if (opened && merchantId !== PLATFORM) await endUnownedDispute(tx, bankDispute);
  return opened;
}

/**
 * Ends a dispute that was opened without an owner because no merchant owned the Pix yet. The owner's dispute, opened
 * just now, replaces it.
 */
async function endUnownedDispute(tx: Tx, { disputeId }: BankDispute): Promise<void> {
  const platformDispute = await findDisputeByBankId(tx, PLATFORM, disputeId);
  if (platformDispute?.status !== 'open') return;
  await updateDispute(tx, platformDispute, { status: 'cancelled', resolvedAt: tx.now, dueAt: null });
  await closeItem(tx, {
    kind: 'dispute-unknown-pix',
    reference: disputeId,
    evidence: 'The Pix is a merchant’s now, and so is its dispute.',
  });
}
