import pMap from 'p-map';
import { type ApprovalWait, checkApproval } from '../approvals/index.ts';
import {
  changesOnSend,
  type DeferralReason,
  findAccountDeferralReason,
  findBankDeferralReason,
  lookUpOrder,
  mayResend,
  ORDER_LEASE_MS,
  type OrderOperations,
  sendOrder,
  waitsForBalance,
} from '../bank-orders.ts';
import { openItem } from '../bank-watch/index.ts';
import { addMs } from '../clock.ts';
import { inTransaction, type Tx, type TxWithSecrets } from '../db/transaction.ts';
import { PLATFORM } from '../ledger/index.ts';
import { readPayoutsStopWithSharedLock } from '../payouts-stop.ts';
import { type AtBank, type BankReturn, HOUSE_CONNECTION, type PixRefunds } from '../psp/index.ts';
import { moneyOrderOf, type StoredRefund, toRefundOrder } from './refund.ts';
import {
  endRefundLostToDispute,
  lockChargeOrPixOfRefund,
  refundKind,
  settleRefund,
} from './settle-refund.ts';
import {
  isOfOwnPix,
  isRefundDebited,
  lockDueRefunds,
  lockRefund,
  readDisputeState,
  updateRefund,
} from './store.ts';

const maxRefundsPerRun = 50;
const maxConcurrentCalls = 8;
/** How soon a refund that may not be sent now is checked again. */
const recheckMs = 5000;
/** How soon a refund that the ledger did not debit is checked again: only the operator can clear up the cause. */
const notDebitedRecheckMs = 3_600_000;

/** A leased refund and its next step. `end` ends the refund without sending it. */
type ClaimedRefund = { readonly refund: StoredRefund; readonly step: 'send' | 'look-up' | 'end' };

/**
 * Sends the due refunds of an account to its bank, and looks up those whose outcome is unknown. Each refund is leased
 * for longer than a call to the bank lasts, in a transaction that ends before the bank is called, so after a crash the
 * refund counts as sent and is looked up. Returns the number of due refunds.
 */
export async function sendRefunds(deps: AtBank): Promise<number> {
  const { refunds } = deps.psp;
  if (refunds === undefined) return 0;
  const operations = refundOperations(deps, refunds);
  const { claimed, dueCount, alarms } = await inTransaction(deps, (tx) =>
    claimDue(tx, deps.connection.id, sendingRulesOf(deps)),
  );
  for (const alarm of alarms) deps.log.error(alarm, 'a refund that the ledger did not debit was not sent');
  const steps = {
    send: (refund: StoredRefund) => sendOrder(deps, operations, refund),
    'look-up': (refund: StoredRefund) => lookUpOrder(deps, operations, refund),
    // Each refund in its own transaction, because a transaction may post to the ledger only once.
    end: (refund: StoredRefund) => inTransaction(deps, (tx) => endRefundLostToDispute(tx, refund)),
  };
  await pMap(
    claimed,
    async ({ refund, step }) => {
      await steps[step](refund);
    },
    { concurrency: maxConcurrentCalls },
  );
  return dueCount;
}

function refundOperations(deps: AtBank, refunds: PixRefunds): OrderOperations<StoredRefund, BankReturn> {
  return {
    kind: refundKind,
    send: (refund) => refunds.requestRefund(toRefundOrder(refund)),
    find: ({ endToEndId, bankRefundId }) => refunds.findRefund(endToEndId, bankRefundId),
    book: settleRefund,
    claimForResend: (tx, refund) => claimForResend(tx, sendingRulesOf(deps), refund),
  };
}

type SendingRules = { readonly bankReportsBalance: boolean; readonly publicUrl: string };

const sendingRulesOf = (deps: AtBank): SendingRules => ({
  bankReportsBalance: waitsForBalance(deps),
  publicUrl: deps.config.publicUrl,
});

/** Decides the next step of each due refund of an account, and leases the refund for that step or defers it. */
async function claimDue(
  tx: TxWithSecrets,
  connectionId: number,
  rules: SendingRules,
): Promise<{ claimed: ClaimedRefund[]; dueCount: number; alarms: Record<string, unknown>[] }> {
  const due = await lockDueRefunds(tx, connectionId, maxRefundsPerRun);
  const hasUnsent = due.some(({ sendCount }) => sendCount === 0);
  const commonDeferralReason = hasUnsent
    ? await findDeferralReasonForAll(tx, connectionId, rules.bankReportsBalance)
    : undefined;
  const claimed: ClaimedRefund[] = [];
  const alarms: Record<string, unknown>[] = [];
  for (const refund of due) {
    // Only sending is deferred: a refund that was sent before may be looked up at any time.
    const isUnsent = refund.sendCount === 0;
    const ownDeferralReason =
      isUnsent && commonDeferralReason === undefined ? await findDeferralReason(tx, refund) : undefined;
    const deferralReason = isUnsent ? (commonDeferralReason ?? ownDeferralReason) : undefined;
    const isDisputeLost = ownDeferralReason !== undefined && (await readDisputeState(tx, refund)) === 'lost';
    if (isDisputeLost) {
      // The payer has won a dispute of this Pix, and the bank returns the money, so the refund is never sent.
      await updateRefund(tx, refund, { due_at: addMs(tx.now, ORDER_LEASE_MS) });
      claimed.push({ refund, step: 'end' });
    } else if (deferralReason !== undefined) {
      const { code, text } = deferralReason;
      await updateRefund(tx, refund, { error_code: code, error: text, due_at: addMs(tx.now, recheckMs) });
    } else if (isUnsent && !(await isCovered(tx, refund))) {
      alarms.push({ refundId: refund.id, merchantId: refund.merchantId });
      await reportRefundNotDebited(tx, refund);
    } else {
      // Last, because it marks the approvals as used.
      const wait = isUnsent ? await findApprovalWait(tx, rules, refund) : undefined;
      if (wait === undefined) claimed.push(await claim(tx, refund));
      else await updateRefund(tx, refund, { error_code: wait.code, error: wait.text, due_at: null });
    }
  }
  return { claimed, dueCount: due.length, alarms };
}

/** Whether the books debited the refund, and its Pix was received for whoever gives it back. */
async function isCovered(tx: Tx, refund: StoredRefund): Promise<boolean> {
  return (await isRefundDebited(tx, refund)) && (await isOfOwnPix(tx, refund));
}

/** Returns why a refund waits for approval. The operator's return of an unmatched Pix was approved when it was asked for. */
async function findApprovalWait(
  tx: TxWithSecrets,
  rules: SendingRules,
  refund: StoredRefund,
): Promise<ApprovalWait | undefined> {
  return refund.merchantId === PLATFORM ? undefined : checkApproval(tx, rules, moneyOrderOf(refund));
}

async function claim(tx: Tx, refund: StoredRefund): Promise<ClaimedRefund> {
  if (refund.sendCount === 0)
    return { refund: await updateRefund(tx, refund, changesOnSend(refund, tx.now)), step: 'send' };
  const lease = { lookup_count: refund.lookupCount + 1, due_at: addMs(tx.now, ORDER_LEASE_MS) };
  return { refund: await updateRefund(tx, refund, lease), step: 'look-up' };
}

/**
 * Claims a refund that the bank does not know for a resend under the same id, after repeating every check. Returns
 * undefined if the refund may not be resent now.
 */
async function claimForResend(
  tx: TxWithSecrets,
  rules: SendingRules,
  unlockedRefund: StoredRefund,
): Promise<StoredRefund | undefined> {
  await lockChargeOrPixOfRefund(tx, unlockedRefund);
  const refund = await lockRefund(tx, unlockedRefund);
  const isUnchanged = refund.status === 'processing' && refund.sendCount === unlockedRefund.sendCount;
  if (!isUnchanged || !mayResend(refund, tx.now)) return undefined;
  const deferralReason =
    (await findDeferralReasonForAll(tx, refund.connectionId, rules.bankReportsBalance)) ??
    (await findDeferralReason(tx, refund));
  if (deferralReason !== undefined || !(await isCovered(tx, refund))) return undefined;
  if ((await findApprovalWait(tx, rules, refund)) !== undefined) return undefined;
  return updateRefund(tx, refund, changesOnSend(refund, tx.now));
}

/**
 * Opens an item for the operator instead of sending the refund: money that the ledger did not debit must never leave.
 */
async function reportRefundNotDebited(tx: Tx, refund: StoredRefund): Promise<void> {
  await updateRefund(tx, refund, { due_at: addMs(tx.now, notDebitedRecheckMs) });
  await openItem(tx, {
    kind: 'refund-not-debited',
    connectionId: refund.connectionId,
    reference: refund.id,
    merchantId: refund.merchantId,
    detail: refundKind.details(refund),
  });
}

const payoutsStopped = {
  code: 'PAYOUTS_STOPPED',
  text: 'Os envios estão suspensos pelo operador. O estorno segue quando voltarem.',
};
/** The gateway also stops an account of a merchant's own by itself. */
const ownPayoutsStopped = {
  code: 'PAYOUTS_STOPPED',
  text: 'Os envios desta conta bancária estão suspensos. O estorno segue quando voltarem.',
};
const inDispute = {
  code: 'PAYMENT_IN_DISPUTE',
  text: 'O pagador contestou este Pix no banco dele. O estorno espera o fim da disputa.',
};

/** Returns the reason why no refund at all may be sent from the account now; undefined if there is none. */
async function findDeferralReasonForAll(
  tx: Tx,
  connectionId: number,
  bankReportsBalance: boolean,
): Promise<DeferralReason | undefined> {
  if ((await readPayoutsStopWithSharedLock(tx, connectionId)) !== undefined)
    return connectionId === HOUSE_CONNECTION ? payoutsStopped : ownPayoutsStopped;
  return findBankDeferralReason(tx, bankReportsBalance, 'estorno');
}

/**
 * Returns the reason why this refund may not be sent now; undefined if there is none. A refund waits while its Pix is
 * disputed, because the payer could get the money twice: from us and from the bank.
 */
async function findDeferralReason(tx: Tx, refund: StoredRefund): Promise<DeferralReason | undefined> {
  if ((await readDisputeState(tx, refund)) !== undefined) return inDispute;
  return refund.merchantId === PLATFORM
    ? undefined
    : findAccountDeferralReason(tx, refund.merchantId, 'estorno');
}
