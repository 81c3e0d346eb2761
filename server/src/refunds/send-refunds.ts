import pMap from 'p-map';
import {
  accountDelay,
  bankDelay,
  type Delay,
  lookUpOrder,
  mayResend,
  ORDER_LEASE_MS,
  type OrderDesk,
  onceSent,
  sendOrder,
} from '../bank-orders.ts';
import { openItem } from '../bank-watch/index.ts';
import { after } from '../clock.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { PLATFORM } from '../ledger/index.ts';
import { readPayoutsStopForShare } from '../payouts-stop.ts';
import type { BankReturn, PixRefunds } from '../psp/index.ts';
import { orderOf, type StoredRefund } from './refund.ts';
import { endGrantedRefund, lockRefundSource, refundKind, settleRefund } from './settle-refund.ts';
import { isRefundDebited, lockDueRefunds, lockRefund, readContest, updateRefund } from './store.ts';

const takenTogether = 50;
const callsAtOnce = 8;
/** A refund that may not be sent now is checked again after this long. */
const waitMs = 5000;
const notDebitedMs = 3_600_000;

/** The next step of a claimed refund: first send, look-up, or ending it unsent. */
type Taken = { readonly refund: StoredRefund; readonly step: 'send' | 'look-up' | 'end' };

/**
 * Sends due refunds and looks up those whose outcome is unknown. Each is leased for longer than a call lasts, in its
 * own transaction, which ends before the bank is called: after a crash it counts as sent and is looked up. Returns
 * how many were taken.
 */
export async function sendRefunds(deps: Deps): Promise<number> {
  const { refunds } = deps.psp;
  if (refunds === undefined) return 0;
  const desk = refundDesk(deps, refunds);
  const { taken, due, alarms } = await inTransaction(deps, (tx) => takeDue(tx, tellsBalance(deps)));
  for (const alarm of alarms) deps.log.error(alarm, 'a refund that the ledger did not debit was not sent');
  const steps = {
    send: (refund: StoredRefund) => sendOrder(deps, desk, refund),
    'look-up': (refund: StoredRefund) => lookUpOrder(deps, desk, refund),
    // In a transaction of its own, because one may post only once.
    end: (refund: StoredRefund) => inTransaction(deps, (tx) => endGrantedRefund(tx, refund)),
  };
  await pMap(
    taken,
    async ({ refund, step }) => {
      await steps[step](refund);
    },
    { concurrency: callsAtOnce },
  );
  return due;
}

/** Whether the bank reports its balance: if so, nothing is sent while the balance is unknown. */
const tellsBalance = ({ psp }: Deps) => psp.account !== undefined;

/** How refunds are sent, found and booked at the bank. */
function refundDesk(deps: Deps, refunds: PixRefunds): OrderDesk<StoredRefund, BankReturn> {
  return {
    kind: refundKind,
    send: (refund) => refunds.requestRefund(orderOf(refund)),
    find: ({ endToEndId, bankRefundId }) => refunds.findRefund(endToEndId, bankRefundId),
    book: settleRefund,
    claimForResend: (tx, refund) => claimForResend(tx, tellsBalance(deps), refund),
  };
}

async function takeDue(
  tx: Tx,
  tellsBalance: boolean,
): Promise<{ taken: Taken[]; due: number; alarms: Record<string, unknown>[] }> {
  const due = await lockDueRefunds(tx, takenTogether);
  const common = due.some(({ sends }) => sends === 0) ? await commonDelay(tx, tellsBalance) : undefined;
  const taken: Taken[] = [];
  const alarms: Record<string, unknown>[] = [];
  for (const refund of due) {
    const wait = refund.sends === 0 ? (common ?? (await whyRefundWaits(tx, refund))) : undefined;
    if (wait !== undefined && common === undefined && (await readContest(tx, refund)) === 'lost') {
      await updateRefund(tx, refund, { due_at: after(tx.now, ORDER_LEASE_MS) });
      taken.push({ refund, step: 'end' });
    } else if (wait !== undefined) {
      const { code, text } = wait;
      await updateRefund(tx, refund, { error_code: code, error: text, due_at: after(tx.now, waitMs) });
    } else if (refund.sends === 0 && !(await isRefundDebited(tx, refund))) {
      alarms.push({ refundId: refund.id, merchantId: refund.merchantId });
      await refuseToSend(tx, refund);
    } else taken.push(await take(tx, refund));
  }
  return { taken, due: due.length, alarms };
}

async function take(tx: Tx, refund: StoredRefund): Promise<Taken> {
  if (refund.sends === 0)
    return { refund: await updateRefund(tx, refund, onceSent(refund, tx.now)), step: 'send' };
  const leased = { lookups: refund.lookups + 1, due_at: after(tx.now, ORDER_LEASE_MS) };
  return { refund: await updateRefund(tx, refund, leased), step: 'look-up' };
}

/** Claims a refund that the bank does not know, for a resend under the same id, after repeating every check. */
async function claimForResend(
  tx: Tx,
  tellsBalance: boolean,
  asked: StoredRefund,
): Promise<StoredRefund | undefined> {
  await lockRefundSource(tx, asked);
  const refund = await lockRefund(tx, asked);
  if (refund.status !== 'processing' || refund.sends !== asked.sends || !mayResend(refund, tx.now))
    return undefined;
  const wait = (await commonDelay(tx, tellsBalance)) ?? (await whyRefundWaits(tx, refund));
  if (wait !== undefined || !(await isRefundDebited(tx, refund))) return undefined;
  return updateRefund(tx, refund, onceSent(refund, tx.now));
}

/** Money that the ledger did not debit must never be sent. */
async function refuseToSend(tx: Tx, refund: StoredRefund): Promise<void> {
  await updateRefund(tx, refund, { due_at: after(tx.now, notDebitedMs) });
  await openItem(tx, {
    kind: 'refund-not-debited',
    reference: refund.id,
    merchantId: refund.merchantId,
    detail: refundKind.facts(refund),
  });
}

const paused = {
  code: 'PAYOUTS_STOPPED',
  text: 'Os envios estão suspensos pelo operador. O estorno segue quando voltarem.',
};
const contested = {
  code: 'PAYMENT_IN_DISPUTE',
  text: 'O pagador contestou este Pix no banco dele. O estorno espera o fim da disputa.',
};

/** Why no refund at all may be sent now. */
async function commonDelay(tx: Tx, tellsBalance: boolean): Promise<Delay | undefined> {
  if ((await readPayoutsStopForShare(tx)) !== undefined) return paused;
  return bankDelay(tx, tellsBalance, 'estorno');
}

/** Why this refund may not be sent now. While the Pix is contested, it could be returned twice: by us and by the bank. */
async function whyRefundWaits(tx: Tx, refund: StoredRefund): Promise<Delay | undefined> {
  if ((await readContest(tx, refund)) !== undefined) return contested;
  return refund.merchantId === PLATFORM ? undefined : accountDelay(tx, refund.merchantId, 'estorno');
}
