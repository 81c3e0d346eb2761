import { closeItem } from '../bank-watch/index.ts';
import type { Tx } from '../db/transaction.ts';
import { PLATFORM } from '../ledger/index.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';
import type { ToldDispute } from './dispute.ts';
import { lockDisputedPix } from './disputed-pix-store.ts';
import { openDispute } from './open-dispute.ts';
import { resolveDispute } from './resolve-dispute.ts';
import { findDisputeByBankId, updateDispute } from './store.ts';

/**
 * Brings our record of a dispute up to date with the bank's: opens a new dispute, or updates or resolves a known one of
 * the same account. Idempotent. Returns false if the dispute cannot be opened yet, because another dispute of the same
 * Pix is still open in our books. Ignores a new dispute of a Pix that a merchant received at their own account by other
 * means.
 */
export async function bookDispute(tx: Tx, bankDispute: ToldDispute): Promise<boolean> {
  const pix = await lockDisputedPix(tx, bankDispute);
  const merchantId = pix?.merchantId ?? PLATFORM;
  const dispute = await findDisputeByBankId(tx, merchantId, bankDispute);
  if (dispute !== undefined) {
    await resolveDispute(tx, dispute, bankDispute);
    return true;
  }
  // At an account of a merchant's own, a Pix that is not booked paid no charge: its dispute is the merchant's business.
  if (pix === undefined && bankDispute.connectionId !== HOUSE_CONNECTION) return true;
  const opened = await openDispute(tx, bankDispute, pix);
  if (opened && merchantId !== PLATFORM) await endUnownedDispute(tx, bankDispute);
  return opened;
}

/**
 * Ends a dispute that was opened without an owner because no merchant owned the Pix yet. The owner's dispute, opened
 * just now, replaces it.
 */
async function endUnownedDispute(tx: Tx, { connectionId, disputeId }: ToldDispute): Promise<void> {
  const platformDispute = await findDisputeByBankId(tx, PLATFORM, { connectionId, disputeId });
  if (platformDispute?.status !== 'open') return;
  await updateDispute(tx, platformDispute, { status: 'cancelled', resolvedAt: tx.now, dueAt: null });
  await closeItem(tx, {
    kind: 'dispute-unknown-pix',
    connectionId,
    reference: disputeId,
    evidence: 'The Pix is a merchant’s now, and so is its dispute.',
  });
}
