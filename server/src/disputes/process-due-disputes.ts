import { closeItem, openItem } from '../bank-watch/index.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import { PLATFORM } from '../ledger/index.ts';
import { type AtBank, type BankDispute, PspRefused, storeHints } from '../psp/index.ts';
import { isReturnOutstanding } from './allocate-bank-return.ts';
import { bookDispute } from './book-dispute.ts';
import {
  nextDisputeCheckAt,
  nextReturnCheckAt,
  RETURN_PERIOD_MS,
  type StoredDispute,
  warningToSendNow,
} from './dispute.ts';
import { findDisputedPix } from './disputed-pix-store.ts';
import { readEvidenceOf } from './file-store.ts';
import { publishDisputeEvent } from './publish-dispute-event.ts';
import { releaseDispute } from './resolve-dispute.ts';
import { leaseDueDisputes, lockDispute, updateDispute } from './store.ts';

/** How many disputes one run leases. */
const batchSize = 20;
/**
 * The lease: how long a process has a dispute to itself. After a crash the dispute is due again when the lease ends.
 */
const leaseMs = 120_000;

/**
 * Processes the due disputes of an account. For an open one, sends the defence, looks the dispute up at the bank and
 * warns the merchant before the deadline. For a lost one, has the bank's returns checked as long as more returns can
 * follow. Returns how many disputes were due.
 */
export async function processDueDisputes(deps: AtBank): Promise<number> {
  if (deps.psp.disputes === undefined) return 0;
  const due = await inTransaction(deps, (tx) =>
    leaseDueDisputes(tx, deps.connection.id, new Date(tx.now.getTime() + leaseMs), batchSize),
  );
  for (const dispute of due) {
    try {
      await (dispute.status === 'open'
        ? processOpenDispute(deps, dispute)
        : processLostDispute(deps, dispute));
    } catch (err) {
      deps.log.error({ err, disputeId: dispute.id }, 'a dispute could not be processed and will be retried');
    }
  }
  return due.length;
}

async function processOpenDispute(deps: AtBank, dispute: StoredDispute): Promise<void> {
  const refusalReason = await sendDefence(deps, dispute);
  const bankDispute = await lookUp(deps, dispute);
  if (bankDispute !== undefined) {
    const toldDispute = { ...bankDispute, connectionId: dispute.connectionId };
    await inTransaction(deps, (tx) => bookDispute(tx, toldDispute));
  }
  await inTransaction(deps, (tx) => scheduleNextCheck(tx, dispute, refusalReason));
}

/**
 * Sends an unsent defence. Returns the bank's reason if the bank refused the defence. If the outcome is unknown, the
 * defence is sent again later; the bank ignores a repetition.
 */
async function sendDefence(deps: AtBank, dispute: StoredDispute): Promise<string | undefined> {
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
    await closeItem(tx, { ...refusedDefenceItem(dispute), evidence: 'The bank took it.' });
    await publishDisputeEvent(tx, dispute, 'changed');
  });
  return undefined;
}

async function lookUp(
  deps: AtBank,
  { bankDisputeId, openedAt, id }: StoredDispute,
): Promise<BankDispute | undefined> {
  try {
    const bankDispute = await deps.psp.disputes?.findDispute({ disputeId: bankDisputeId, openedAt });
    if (bankDispute === undefined)
      deps.log.warn({ disputeId: id }, 'the bank does not find a dispute that it opened');
    return bankDispute;
  } catch (err) {
    deps.log.warn({ err, disputeId: id }, 'the status of a dispute could not be read from the bank');
    return undefined;
  }
}

/** Names the open item (a discrepancy for the operator to examine) about a defence that the bank refused. */
const refusedDefenceItem = ({ connectionId, bankDisputeId }: StoredDispute) =>
  ({ kind: 'dispute-differs', connectionId, reference: `${bankDisputeId} defence` }) as const;

/** Sends a warning if one is due, and schedules the next check, unless the dispute has ended meanwhile. */
async function scheduleNextCheck(
  tx: Tx,
  leasedDispute: StoredDispute,
  refusalReason: string | undefined,
): Promise<void> {
  const { merchantId, id } = leasedDispute;
  const dispute = await lockDispute(tx, merchantId, id);
  if (dispute?.status !== 'open') return;
  const warning = warningToSendNow(dispute, tx.now);
  // A defence or a hint may have made the dispute due sooner meanwhile; then that time must stay.
  const isDueTimeUnchanged = dispute.dueAt?.getTime() === leasedDispute.dueAt?.getTime();
  await updateDispute(tx, dispute, {
    ...(isDueTimeUnchanged && { dueAt: nextDisputeCheckAt(dispute, tx.now) }),
    ...(warning !== undefined && { warnedHours: warning }),
  });
  if (warning !== undefined) await publishDisputeEvent(tx, dispute, warning);
  if (refusalReason === undefined) return;
  const opened = await openItem(tx, {
    ...refusedDefenceItem(dispute),
    merchantId,
    detail: { dispute: id, end_to_end_id: dispute.endToEndId, defence_refused: refusalReason },
  });
  if (opened) await publishDisputeEvent(tx, dispute, 'defence-refused');
}

/**
 * Has the bank's returns of a lost dispute's Pix checked, by storing a hint. 90 days after the Pix no more returns can
 * follow, so money that is still blocked is released.
 */
async function processLostDispute(deps: AtBank, dispute: StoredDispute): Promise<void> {
  await inTransaction(deps, async (tx) => {
    const paidAt = (await findDisputedPix(tx.db, dispute))?.paidAt ?? dispute.openedAt;
    const isReturnPeriodOver = tx.now.getTime() - paidAt.getTime() >= RETURN_PERIOD_MS;
    if (isReturnPeriodOver && dispute.merchantId !== PLATFORM) {
      const released = await releaseDispute(tx, dispute, {});
      if (released.blockedCents > 0) await publishDisputeEvent(tx, { ...dispute, ...released }, 'released');
      return;
    }
    const lockedDispute = await lockDispute(tx, dispute.merchantId, dispute.id);
    if (lockedDispute === undefined) return;
    const canBankReturnMore = isReturnOutstanding(lockedDispute) && !isReturnPeriodOver;
    if (canBankReturnMore)
      await storeHints(tx, dispute.connectionId, [{ kind: 'return', reference: dispute.endToEndId }]);
    const resolvedAt = lockedDispute.resolvedAt ?? tx.now;
    await updateDispute(tx, lockedDispute, {
      dueAt: canBankReturnMore ? nextReturnCheckAt(resolvedAt, paidAt, tx.now) : null,
    });
  });
}
