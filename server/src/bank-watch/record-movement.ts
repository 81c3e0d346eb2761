import { randomUUID } from 'node:crypto';
import { insertAuditEntry } from '../audit/index.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { refuseFormerStaff } from '../identity/index.ts';
import { movements, PLATFORM, post } from '../ledger/index.ts';
import { Refusal } from '../refusal.ts';
import { discardBalanceComparison } from './balance-store.ts';
import { type BankMovement, findMovement, insertMovement, type NewBankMovement } from './movement-store.ts';

const postings = {
  tariff: movements.bankTariffCharged,
  'fees-taken': movements.feesTaken,
  'top-up': movements.toppedUp,
} as const;

/** Idempotency handle: a call whose response was lost does not record the movement again. */
type Claim = { readonly resumed: string | undefined; remember(id: string): Promise<void> };

/**
 * Records a movement in the bank account outside Pix, so that the ledger matches the account. It is booked against
 * the platform's earnings, which may go below zero. The balance is compared again at once. Refused with
 * AMOUNT_INVALID, and FORBIDDEN when the caller has lost the permission.
 */
export async function recordMovement(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  wanted: Omit<NewBankMovement, 'id'>,
  claim?: Claim,
): Promise<BankMovement> {
  const known = claim?.resumed === undefined ? undefined : await findMovement(deps.db, claim.resumed);
  if (known !== undefined) return known;
  if (wanted.amountCents <= 0) throw new Refusal('AMOUNT_INVALID');
  const movement = { ...wanted, id: claim?.resumed ?? randomUUID() };
  await claim?.remember(movement.id);
  return inTransaction(deps, async (tx) => {
    const { id, kind, amountCents, description, recordedBy, happenedAt } = movement;
    await refuseFormerStaff(tx, recordedBy, 'run-operations');
    await insertMovement(tx, movement);
    await insertAuditEntry(tx, {
      actor_id: recordedBy,
      action: 'bank movement recorded',
      subject_id: PLATFORM,
      reason: description,
      before: {},
      after: { id, kind, amount_cents: amountCents, happened_at: happenedAt.toISOString() },
    });
    await discardBalanceComparison(tx);
    await post(tx, postings[kind]({ merchantId: PLATFORM, reference: id, amountCents }));
    return { id, kind, amountCents, description, happenedAt, recordedAt: tx.now };
  });
}
