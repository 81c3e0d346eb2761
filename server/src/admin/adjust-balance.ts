import { brlFromCents } from '@jangada/contract';
import { insertAuditEntry } from '../audit/index.ts';
import type { KeyedTx } from '../db/transaction.ts';
import { movements, post, readAvailable } from '../ledger/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { Refusal } from '../refusal.ts';
import { sumAdjustments } from './store.ts';

export type Adjustment = {
  readonly actorId: number;
  readonly userId: number;
  /** To whom each of the two goes back by promotions (`administrators.ts`). */
  readonly actorRoot: number;
  readonly userRoot: number;
  /** The balance that the administrator saw, and the one that it is to become, in cents. */
  readonly fromCents: number;
  readonly toCents: number;
  readonly reason: string | undefined;
};

/**
 * Books the difference between two balances as an operator's adjustment, in the audit log and in the books. The
 * difference is what counts: money that comes in at the same moment is neither lost nor counted twice.
 * Refused with OWN_ACCOUNT, REASON_REQUIRED, STALE_BALANCE, ADJUSTMENT_LIMIT (`dayCapCents` for all who go back to one
 * administrator, up and down together) or INSUFFICIENT_BALANCE: an account that somebody promotes gives them no second
 * limit and no way to their own balance. The rows of all administrators are locked by the caller.
 */
export async function adjustBalance(tx: KeyedTx, adjustment: Adjustment, dayCapCents: number): Promise<void> {
  const { actorId, userId, fromCents, toCents } = adjustment;
  const reason = adjustment.reason?.trim() ?? '';
  const difference = toCents - fromCents;
  if (actorId === userId) throw new Refusal('OWN_ACCOUNT');
  if (adjustment.actorRoot === adjustment.userRoot)
    throw new Refusal('OWN_ACCOUNT', { message: oneRootText });
  if (reason === '') throw new Refusal('REASON_REQUIRED');
  if ((await readAvailable(tx.db, userId)) !== fromCents) throw new Refusal('STALE_BALANCE');
  const adjusted = await sumAdjustments(tx.db, adjustment.actorRoot, tx.now);
  if (adjusted + Math.abs(difference) > dayCapCents) throw new Refusal('ADJUSTMENT_LIMIT');

  const entry = await insertAuditEntry(tx, {
    actor_id: actorId,
    action: 'balance adjusted',
    subject_id: userId,
    reason,
    before: { balance_cents: fromCents },
    after: { balance_cents: toCents },
  });
  const cause = { merchantId: userId, reference: String(entry), differenceCents: difference };
  await post(tx, movements.balanceAdjusted(cause));
  const balance = brlFromCents(await readAvailable(tx.db, userId));
  await writeMessages(tx, [{ merchantId: userId, message: { type: 'balance', balance } }]);
}

const oneRootText =
  'Esta conta e a sua receberam o papel de administrador da mesma pessoa, ou uma da outra. O saldo dela quem ajusta é um administrador criado à parte, pela linha de comando (admin:create).';
