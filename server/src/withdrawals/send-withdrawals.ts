import { ORDER_LEASE_MS } from '../bank-orders.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { mapBounded } from '../map-bounded.ts';
import { merchantOfTxid } from '../payments/index.ts';
import { type BankPayout, finishHints, type PixPayouts, PspRefused, takeHints } from '../psp/index.ts';
import { claimForResend, claimNextWithdrawal, sendingRules } from './claim-withdrawals.ts';
import { concernsOperator } from './fail-withdrawal.ts';
import { type PayoutReply, settleWithdrawal } from './settle-withdrawal.ts';
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
  if (claimed.is === 'claimed') await send(deps, payouts, claimed.withdrawal);
  else if (claimed.alarm !== undefined)
    deps.log.error(claimed.alarm, 'a withdrawal that the books did not debit was not sent');
  return true;
}

async function send(deps: Deps, payouts: PixPayouts, withdrawal: Withdrawal): Promise<void> {
  const told = await ask(deps, withdrawal, () => payouts.sendPayout(orderOf(withdrawal)));
  await book(deps, payouts, withdrawal, told);
}

function orderOf(withdrawal: Withdrawal) {
  const { idEnvio, pixKey, id } = withdrawal;
  return { idEnvio, amountCents: netCents(withdrawal), pixKey, note: `Saque ${id}` };
}

/** Looks up the outcome of an order that the bank has, or may have, and books it. */
async function lookUpPayout(deps: Deps, payouts: PixPayouts, withdrawal: Withdrawal): Promise<void> {
  const told = await ask(deps, withdrawal, () => payouts.findPayout(withdrawal.idEnvio));
  // A refused look-up does not mean that the order was refused.
  await book(deps, payouts, withdrawal, told.is === 'refused' ? { is: 'unknown' } : told);
}

async function ask(
  { log }: Deps,
  { id: withdrawalId }: Withdrawal,
  call: () => Promise<BankPayout | undefined>,
): Promise<PayoutReply> {
  try {
    const payout = await call();
    return payout === undefined ? { is: 'not-found' } : { is: 'answered', payout };
  } catch (err) {
    log.warn({ err, withdrawalId }, 'the bank did not take or tell a payout');
    if (!(err instanceof PspRefused)) return { is: 'unknown' };
    if (concernsOperator(err))
      log.error({ withdrawalId, code: err.code }, 'the bank refuses payouts from the account');
    return { is: 'refused', refusal: err };
  }
}

async function book(deps: Deps, payouts: PixPayouts, asked: Withdrawal, told: PayoutReply): Promise<void> {
  const { again } = await bookPayoutReply(deps, asked, told);
  if (again === undefined) return;
  const claimed = await inTransaction(deps, (tx) => claimForResend(tx, sendingRules(deps), again));
  if (claimed !== undefined) await send(deps, payouts, claimed);
}

export async function bookPayoutReply(
  deps: Deps,
  asked: Pick<Withdrawal, 'merchantId' | 'id'>,
  told: PayoutReply,
): Promise<{ readonly again?: Withdrawal }> {
  const { resendIsSafe } = sendingRules(deps);
  const { again, alarm } = await inTransaction(deps, (tx) => settleWithdrawal(tx, asked, told, resendIsSafe));
  const { id: withdrawalId, merchantId } = asked;
  if (alarm !== undefined) deps.log.error({ withdrawalId, merchantId }, alarm);
  return again === undefined ? {} : { again };
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
    takeDueLookUps(tx, new Date(tx.now.getTime() + ORDER_LEASE_MS), takenTogether),
  );
  await mapBounded(due, questionsAtOnce, (withdrawal) => lookUpPayout(deps, payouts, withdrawal));
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
