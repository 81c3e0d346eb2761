import { closeItem, openItem } from '../bank-watch/index.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { PLATFORM } from '../ledger/index.ts';
import { type BankDispute, PspRefused, storeHints } from '../psp/index.ts';
import { mayBankDebitMore } from './allocate-bank-return.ts';
import { bookDispute } from './book-dispute.ts';
import {
  dueWarning,
  nextDisputeCheckAt,
  nextReturnCheckAt,
  RETURNS_END_MS,
  type StoredDispute,
} from './dispute.ts';
import { readEvidenceOf } from './file-store.ts';
import { publishDisputeEvent } from './publish-dispute-event.ts';
import { releaseDispute } from './resolve-dispute.ts';
import { findPix, lockDispute, takeDueDisputes, updateDispute } from './store.ts';

const batchSize = 20;
/** Lease on a dispute: after a crash it becomes due again this much later. */
const leaseMs = 120_000;

/**
 * Processes due disputes: sends the defence, polls an open one, warns before the deadline, and for a lost one
 * triggers a check of the bank's returns until no more can follow. Returns how many were examined.
 */
export async function processDueDisputes(deps: Deps): Promise<number> {
  if (deps.psp.disputes === undefined) return 0;
  const due = await inTransaction(deps, (tx) =>
    takeDueDisputes(tx, new Date(tx.now.getTime() + leaseMs), batchSize),
  );
  for (const dispute of due) {
    try {
      await (dispute.status === 'open' ? attendOpen(deps, dispute) : attendLost(deps, dispute));
    } catch (err) {
      deps.log.error({ err, disputeId: dispute.id }, 'a dispute could not be processed and will be retried');
    }
  }
  return due.length;
}

async function attendOpen(deps: Deps, dispute: StoredDispute): Promise<void> {
  const refused = await sendDefence(deps, dispute);
  const told = await lookUp(deps, dispute);
  if (told !== undefined) await inTransaction(deps, (tx) => bookDispute(tx, told));
  await inTransaction(deps, (tx) => putOffOpen(tx, dispute, refused));
}

/**
 * Returns why the bank definitely refused it. If the outcome is unknown it is resent, which is idempotent at the
 * bank.
 */
async function sendDefence(deps: Deps, dispute: StoredDispute): Promise<string | undefined> {
  const { bankDisputeId, openedAt, defence, defenceSentAt } = dispute;
  if (defence === null || defenceSentAt !== null) return undefined;
  try {
    const files = deps.psp.disputes?.takesFiles ? await readEvidenceOf(deps.db, deps.secrets, dispute) : [];
    await deps.psp.disputes?.sendDefence({ disputeId: bankDisputeId, openedAt }, { text: defence, files });
  } catch (error) {
    if (error instanceof PspRefused) return error.message;
    deps.log.warn({ err: error, disputeId: dispute.id }, 'the outcome of sending a defence is unknown');
    return undefined;
  }
  await inTransaction(deps, async (tx) => {
    await updateDispute(tx, dispute, { defenceSentAt: tx.now });
    await closeItem(tx, { ...refusedDefence(dispute), evidence: 'The bank took it.' });
    await publishDisputeEvent(tx, dispute, 'changed');
  });
  return undefined;
}

async function lookUp(
  deps: Deps,
  { bankDisputeId, openedAt, id }: StoredDispute,
): Promise<BankDispute | undefined> {
  try {
    const told = await deps.psp.disputes?.findDispute({ disputeId: bankDisputeId, openedAt });
    if (told === undefined)
      deps.log.warn({ disputeId: id }, 'the bank does not find a dispute that it opened');
    return told;
  } catch (err) {
    deps.log.warn({ err, disputeId: id }, 'the status of a dispute could not be read from the bank');
    return undefined;
  }
}

const refusedDefence = ({ bankDisputeId }: StoredDispute) =>
  ({ kind: 'dispute-differs', reference: `${bankDisputeId} defence` }) as const;

/** Warns if due and schedules the next check. Leaves a dispute alone that has ended meanwhile. */
async function putOffOpen(tx: Tx, taken: StoredDispute, refused: string | undefined): Promise<void> {
  const { merchantId, id } = taken;
  const dispute = await lockDispute(tx, merchantId, id);
  if (dispute?.status !== 'open') return;
  const warning = dueWarning(dispute, tx.now);
  // Unless a defence or hint has meanwhile made it due again.
  const asTaken = dispute.dueAt?.getTime() === taken.dueAt?.getTime();
  await updateDispute(tx, dispute, {
    ...(asTaken && { dueAt: nextDisputeCheckAt(dispute, tx.now) }),
    ...(warning !== undefined && { warnedHours: warning }),
  });
  if (warning !== undefined) await publishDisputeEvent(tx, dispute, warning);
  if (refused === undefined) return;
  const opened = await openItem(tx, {
    ...refusedDefence(dispute),
    merchantId,
    detail: { dispute: id, end_to_end_id: dispute.endToEndId, defence_refused: refused },
  });
  if (opened) await publishDisputeEvent(tx, dispute, 'defence-refused');
}

/** Triggers a check of the bank's returns; after 90 days no more can follow, and the rest is released. */
async function attendLost(deps: Deps, dispute: StoredDispute): Promise<void> {
  await inTransaction(deps, async (tx) => {
    const paidAt = (await findPix(tx.db, dispute.endToEndId))?.paidAt ?? dispute.openedAt;
    const over = tx.now.getTime() - paidAt.getTime() >= RETURNS_END_MS;
    if (over && dispute.merchantId !== PLATFORM) {
      const freed = await releaseDispute(tx, dispute, {});
      if (freed.blockedCents > 0) await publishDisputeEvent(tx, { ...dispute, ...freed }, 'released');
      return;
    }
    const now = await lockDispute(tx, dispute.merchantId, dispute.id);
    if (now === undefined) return;
    const more = mayBankDebitMore(now) && !over;
    if (more) await storeHints(tx, [{ kind: 'return', reference: dispute.endToEndId }]);
    const resolvedAt = now.resolvedAt ?? tx.now;
    await updateDispute(tx, now, { dueAt: more ? nextReturnCheckAt(resolvedAt, paidAt, tx.now) : null });
  });
}
