import pMap from 'p-map';
import { lookUpOrder, ORDER_LEASE_MS, type OrderDesk, sendOrder } from '../bank-orders.ts';
import { after } from '../clock.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { merchantOfTxid } from '../payments/index.ts';
import { type BankPayout, finishHints, type PixPayouts, PspRefused, takeHints } from '../psp/index.ts';
import { claimForResend, claimNextWithdrawal, sendingRules } from './claim-withdrawals.ts';
import { concernsOperator } from './fail-withdrawal.ts';
import { settleWithdrawal, withdrawalKind } from './settle-withdrawal.ts';
import { isAnyToSend, makeDue, takeDueLookUps } from './store.ts';
import { netCents, type Withdrawal } from './withdrawal.ts';

/** Orders are claimed one at a time but sent concurrently, so a slow answer from the bank occupies only one slot. */
const callsAtOnce = 4;

/**
 * Sends withdrawals until none is due. Each is claimed in its own transaction, which ends before the bank is called:
 * after a crash it counts as sent and is looked up. Returns how many were examined.
 */
export async function sendWithdrawals(deps: Deps): Promise<number> {
  const { payouts } = deps.psp;
  if (payouts === undefined || !(await isAnyToSend(deps.db, deps.clock.now()))) return 0;
  let looked = 0;
  const sendOnAndOn = async () => {
    while (await sendNext(deps, payouts)) looked += 1;
  };
  await Promise.all(Array.from({ length: callsAtOnce }, sendOnAndOn));
  return looked;
}

async function sendNext(deps: Deps, payouts: PixPayouts): Promise<boolean> {
  const claimed = await inTransaction(deps, (tx) => claimNextWithdrawal(tx, sendingRules(deps)));
  if (claimed.is === 'nothing') return false;
  if (claimed.is === 'claimed') await sendOrder(deps, withdrawalDesk(deps, payouts), claimed.withdrawal);
  else if (claimed.alarm !== undefined)
    deps.log.error(claimed.alarm, 'a withdrawal that the ledger did not debit was not sent');
  return true;
}

/** How withdrawals are sent, found and booked at the bank. */
export function withdrawalDesk(deps: Deps, payouts: PixPayouts): OrderDesk<Withdrawal, BankPayout> {
  return {
    kind: withdrawalKind,
    async send(withdrawal) {
      try {
        return await payouts.sendPayout(orderOf(withdrawal));
      } catch (error) {
        if (error instanceof PspRefused && concernsOperator(error))
          deps.log.error(
            { withdrawalId: withdrawal.id, code: error.code },
            'the bank refuses payouts from the account',
          );
        throw error;
      }
    },
    find: ({ idEnvio }) => payouts.findPayout(idEnvio),
    book: settleWithdrawal,
    claimForResend: (tx, withdrawal) => claimForResend(tx, sendingRules(deps), withdrawal),
  };
}

function orderOf(withdrawal: Withdrawal) {
  const { idEnvio, pixKey, id } = withdrawal;
  return { idEnvio, amountCents: netCents(withdrawal), pixKey, note: `Saque ${id}` };
}

const takenTogether = 50;
const questionsAtOnce = 8;

/**
 * Looks up at the bank the orders whose outcome is unknown, and those that it hinted have changed. Returns how many
 * were looked up.
 */
export async function lookUpWithdrawals(deps: Deps): Promise<number> {
  const { payouts } = deps.psp;
  if (payouts === undefined) return 0;
  await heedHints(deps);
  const due = await inTransaction(deps, (tx) =>
    takeDueLookUps(tx, after(tx.now, ORDER_LEASE_MS), takenTogether),
  );
  await pMap(due, (withdrawal) => lookUpOrder(deps, withdrawalDesk(deps, payouts), withdrawal), {
    concurrency: questionsAtOnce,
  });
  return due.length;
}

/**
 * Makes hinted withdrawals due now. A hint that names no order of ours is left to the reconciliation of the bank's
 * list.
 */
async function heedHints(deps: Deps): Promise<void> {
  await inTransaction(deps, async (tx) => {
    const hints = await takeHints(tx, 'payout', takenTogether);
    if (hints.length === 0) return;
    await makeDue(
      tx,
      hints.flatMap(({ reference: idEnvio }) => {
        const merchantId = merchantOfTxid(idEnvio);
        return merchantId === undefined ? [] : [{ merchantId, idEnvio }];
      }),
    );
    await finishHints(tx, hints);
  });
}
