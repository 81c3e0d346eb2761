import { closeItem } from '../bank-watch/index.ts';
import type { Tx } from '../db/transaction.ts';
import { PLATFORM } from '../ledger/index.ts';
import type { BankDispute } from '../psp/index.ts';
import { openDispute } from './open-dispute.ts';
import { resolveDispute } from './resolve-dispute.ts';
import { findNamedDispute, lockPix, updateDispute } from './store.ts';

/**
 * Updates our side of a dispute to the bank's state: opens a new one, resolves one that has ended. Idempotent.
 * Returns false if it cannot be opened yet, because another dispute of the same Pix is still open here.
 */
export async function bookDispute(tx: Tx, told: BankDispute): Promise<boolean> {
  const pix = await lockPix(tx, told.endToEndId);
  const merchantId = pix?.merchantId ?? PLATFORM;
  const known = await findNamedDispute(tx, merchantId, told.disputeId);
  if (known !== undefined) {
    await resolveDispute(tx, known, told);
    return true;
  }
  const opened = await openDispute(tx, told, pix);
  if (opened && merchantId !== PLATFORM) await endOwnerless(tx, told);
  return opened;
}

/** The Pix was unclaimed when it was disputed; the dispute is now its merchant's. */
async function endOwnerless(tx: Tx, { disputeId }: BankDispute): Promise<void> {
  const ownerless = await findNamedDispute(tx, PLATFORM, disputeId);
  if (ownerless?.status !== 'open') return;
  await updateDispute(tx, ownerless, { status: 'cancelled', resolvedAt: tx.now, dueAt: null });
  await closeItem(tx, {
    kind: 'dispute-unknown-pix',
    reference: disputeId,
    evidence: 'The Pix is a merchant’s now, and so is its dispute.',
  });
}
