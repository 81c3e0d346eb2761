import { brlFromCents } from '@jangada/contract';
import { insertAuditEntry } from '../audit/index.ts';
import type { TxWithSecrets } from '../db/transaction.ts';
import { refuseMember } from '../identity/index.ts';
import { movements, post, readAvailable, readMerchantBalances } from '../ledger/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { Refusal } from '../refusal.ts';
import { sumAdjustments } from './store.ts';

export type Adjustment = {
  readonly actorId: number;
  readonly userId: number;
  /** The administrators with whom the actor's and the user's chains of promotions to administrator began. */
  readonly actorRoot: number;
  readonly userRoot: number;
  /** The balance that the administrator saw, and the balance that they request, in cents. */
  readonly fromCents: number;
  readonly toCents: number;
  readonly reason: string | undefined;
};

/**
 * Posts the difference between two balances as an adjustment, in the audit log and in the ledger. Because only the
 * difference is posted, money that arrives concurrently is neither lost nor counted twice. The caller has locked the
 * rows of all administrators, so that adjustments run one after another. Refused with OWN_ACCOUNT, REASON_REQUIRED,
 * STALE_BALANCE, ADJUSTMENT_LIMIT or INSUFFICIENT_BALANCE.
 *
 * Administrators with the same root count as one person: together they may adjust `dayCapCents` a day, increases plus
 * decreases, and they may not adjust each other's balance. So nobody gains a second limit, or access to their own
 * balance, by promoting another account.
 */
export async function adjustBalance(
  tx: TxWithSecrets,
  adjustment: Adjustment,
  dayCapCents: number,
): Promise<void> {
  const { actorId, userId, fromCents, toCents } = adjustment;
  const reason = adjustment.reason?.trim() ?? '';
  const differenceCents = toCents - fromCents;
  await refuseMember(tx, actorId, userId);
  if (adjustment.actorRoot === adjustment.userRoot)
    throw new Refusal('OWN_ACCOUNT', { message: sameRootText });
  if (reason === '') throw new Refusal('REASON_REQUIRED');
  if ((await readAvailable(tx.db, userId)) !== fromCents) throw new Refusal('STALE_BALANCE');
  const adjustedTodayCents = await sumAdjustments(tx.db, adjustment.actorRoot, tx.now);
  if (adjustedTodayCents + Math.abs(differenceCents) > dayCapCents) throw new Refusal('ADJUSTMENT_LIMIT');

  const entryId = await insertAuditEntry(tx, {
    actor_id: actorId,
    action: 'balance adjusted',
    subject_id: userId,
    reason,
    before: { balance_cents: fromCents },
    after: { balance_cents: toCents },
  });
  const cause = { merchantId: userId, reference: String(entryId), differenceCents };
  await post(tx, movements.balanceAdjusted(cause));
  const { house, own } = await readMerchantBalances(tx.db, userId);
  // With accounts of the merchant's own, the adjusted balance may be only a part of the one that is shown.
  const isWhole = own === undefined;
  const message = isWhole
    ? ({ type: 'balance', balance: brlFromCents(house.available) } as const)
    : ({ type: 'account' } as const);
  await writeMessages(tx, [{ merchantId: userId, message }]);
}

const sameRootText =
  'Esta conta e a sua receberam o papel de administrador da mesma pessoa, ou uma da outra. O saldo dela quem ajusta é um administrador criado à parte, pela linha de comando (admin:create).';
