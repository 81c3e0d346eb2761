import pMap from 'p-map';
import { lookUpOrder, ORDER_LEASE_MS, type OrderOperations, sendOrder } from '../bank-orders.ts';
import { addMs } from '../clock.ts';
import { inTransaction } from '../db/transaction.ts';
import { merchantIdFromIdEnvio } from '../payments/index.ts';
import {
  type AtBank,
  type BankPayout,
  expectAt,
  finishHints,
  leaseHints,
  type PixPayouts,
  PspRefused,
} from '../psp/index.ts';
import { claimForResend, claimNextWithdrawal, sendingRulesFrom } from './claim-withdrawals.ts';
import { concernsOperator } from './fail-withdrawal.ts';
import { settleWithdrawal, withdrawalKind } from './settle-withdrawal.ts';
import { leaseDueLookUps, makeLookUpsDue } from './store.ts';
import { netCents, type Withdrawal } from './withdrawal.ts';

/**
 * Withdrawals are claimed one at a time but sent concurrently, so that a slow response of the bank delays only one of
 * them.
 */
const maxConcurrentSends = 4;
/** After withdrawals, the list of sent Pix of their account is read often for this long. */
const expectedAfterSendMs = 24 * 3_600_000;

/**
 * Sends the withdrawals of an account to its bank until none is due. The transaction that claims a withdrawal ends
 * before the bank is called, so after a crash the withdrawal counts as sent and is looked up. Returns how many were
 * due.
 */
export async function sendWithdrawals(deps: AtBank): Promise<number> {
  const { payouts } = deps.psp;
  if (payouts === undefined) return 0;
  await expectAt(deps, [deps.connection.id], ['sent'], addMs(deps.clock.now(), expectedAfterSendMs));
  let dueCount = 0;
  const sendUntilNoneIsDue = async () => {
    while (await sendNext(deps, payouts)) dueCount += 1;
  };
  await Promise.all(Array.from({ length: maxConcurrentSends }, sendUntilNoneIsDue));
  return dueCount;
}

/** Sends the next due withdrawal, if it may be sent. Returns false if none was due. */
async function sendNext(deps: AtBank, payouts: PixPayouts): Promise<boolean> {
  const claim = await inTransaction(deps, (tx) => claimNextWithdrawal(tx, sendingRulesFrom(deps)));
  if (claim.is === 'none due') return false;
  if (claim.is === 'claimed') await sendOrder(deps, withdrawalOperations(deps, payouts), claim.withdrawal);
  else if (claim.alarm !== undefined)
    deps.log.error(claim.alarm, 'a withdrawal that the ledger did not debit was not sent');
  return true;
}

/** The operations that make withdrawals one kind of order to the bank (`bank-orders.ts`). */
export function withdrawalOperations(
  deps: AtBank,
  payouts: PixPayouts,
): OrderOperations<Withdrawal, BankPayout> {
  return {
    kind: withdrawalKind,
    async send(withdrawal) {
      try {
        return await payouts.sendPayout(toPayoutOrder(withdrawal));
      } catch (error) {
        if (error instanceof PspRefused && concernsOperator(withdrawal, error))
          deps.log.error(
            { withdrawalId: withdrawal.id, code: error.code },
            'the bank refuses payouts from the account',
          );
        throw error;
      }
    },
    find: ({ idEnvio }) => payouts.findPayout(idEnvio),
    book: settleWithdrawal,
    claimForResend: (tx, withdrawal) => claimForResend(tx, sendingRulesFrom(deps), withdrawal),
  };
}

function toPayoutOrder(withdrawal: Withdrawal) {
  const { idEnvio, pixKey, id } = withdrawal;
  return { idEnvio, amountCents: netCents(withdrawal), pixKey, note: `Saque ${id}` };
}

/** The maximum of look-ups in one run, and also the maximum of hints. */
const maxPerRun = 50;
const maxConcurrentLookUps = 8;

/**
 * Looks up at the bank the withdrawals whose outcome is unknown, and those about which the bank sent a hint (a callback
 * that a payout changed). Returns how many were looked up.
 */
export async function lookUpWithdrawals(deps: AtBank): Promise<number> {
  const { payouts } = deps.psp;
  if (payouts === undefined) return 0;
  await makeHintedDue(deps);
  const due = await inTransaction(deps, (tx) =>
    leaseDueLookUps(tx, deps.connection.id, addMs(tx.now, ORDER_LEASE_MS), maxPerRun),
  );
  const operations = withdrawalOperations(deps, payouts);
  await pMap(due, (withdrawal) => lookUpOrder(deps, operations, withdrawal), {
    concurrency: maxConcurrentLookUps,
  });
  return due.length;
}

/**
 * Makes the withdrawals about which the bank sent a hint due now, and deletes the hints. A hint about no order of ours
 * is deleted too: its payout, if there is one, is in the bank's list, which reconciliation reads.
 */
async function makeHintedDue(deps: AtBank): Promise<void> {
  await inTransaction(deps, async (tx) => {
    const hints = await leaseHints(tx, deps.connection.id, 'payout', maxPerRun);
    if (hints.length === 0) return;
    await makeLookUpsDue(
      tx,
      deps.connection.id,
      hints.flatMap(({ reference: idEnvio }) => {
        const merchantId = merchantIdFromIdEnvio(idEnvio);
        return merchantId === undefined ? [] : [{ merchantId, idEnvio }];
      }),
    );
    await finishHints(tx, hints);
  });
}
