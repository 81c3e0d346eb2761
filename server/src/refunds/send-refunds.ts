import { ORDER_LEASE_MS } from '../bank-orders.ts';
import { openItem } from '../bank-watch/index.ts';
import { after } from '../clock.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { mapBounded } from '../map-bounded.ts';
import { type PixRefunds, PspRefused } from '../psp/index.ts';
import { orderOf, type StoredRefund } from './refund.ts';
import { areRefundsStopped, deferReason, namesOf, type RefundReply, settleRefund } from './settle-refund.ts';
import { changeRefund, isRefundDebited, lockDueRefunds, readContest } from './store.ts';

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
  const { taken, due, alarms } = await inTransaction(deps, (tx) =>
    takeDue(tx, deps.psp.account !== undefined),
  );
  for (const alarm of alarms) deps.log.error(alarm, 'a refund that the books did not debit was not sent');
  const steps = { send, 'look-up': lookUp, end: endGranted };
  await mapBounded(taken, callsAtOnce, ({ refund, step }) => steps[step](deps, refunds, refund));
  return due;
}

async function takeDue(
  tx: Tx,
  tellsBalance: boolean,
): Promise<{ taken: Taken[]; due: number; alarms: Record<string, unknown>[] }> {
  const due = await lockDueRefunds(tx, takenTogether);
  const stopped = due.some(({ sends }) => sends === 0) && (await areRefundsStopped(tx, tellsBalance));
  const taken: Taken[] = [];
  const alarms: Record<string, unknown>[] = [];
  for (const refund of due) {
    const wait = refund.sends === 0 ? await deferReason(tx, refund, stopped) : undefined;
    if (wait !== undefined && !stopped && (await readContest(tx, refund)) === 'lost') {
      await changeRefund(tx, refund, { due_at: after(tx.now, ORDER_LEASE_MS) });
      taken.push({ refund, step: 'end' });
    } else if (wait !== undefined) {
      await changeRefund(tx, refund, { error_code: 'WAITS', error: wait, due_at: after(tx.now, waitMs) });
    } else if (refund.sends === 0 && !(await isRefundDebited(tx, refund))) {
      alarms.push({ refundId: refund.id, merchantId: refund.merchantId });
      await refuseToSend(tx, refund);
    } else taken.push(await take(tx, refund));
  }
  return { taken, due: due.length, alarms };
}

async function take(tx: Tx, refund: StoredRefund): Promise<Taken> {
  const due_at = after(tx.now, ORDER_LEASE_MS);
  if (refund.sends > 0) {
    await changeRefund(tx, refund, { due_at });
    return { refund, step: 'look-up' };
  }
  await changeRefund(tx, refund, { sends: 1, first_sent_at: tx.now, error_code: null, error: null, due_at });
  return { refund: { ...refund, sends: 1 }, step: 'send' };
}

/** Money that the ledger did not debit must never be sent. */
async function refuseToSend(tx: Tx, refund: StoredRefund): Promise<void> {
  await changeRefund(tx, refund, { due_at: after(tx.now, notDebitedMs) });
  await openItem(tx, {
    kind: 'refund-not-debited',
    reference: refund.id,
    merchantId: refund.merchantId,
    detail: namesOf(refund),
  });
}

async function send(deps: Deps, refunds: PixRefunds, refund: StoredRefund): Promise<void> {
  await book(deps, refunds, refund, await ask(deps, refund, () => refunds.requestRefund(orderOf(refund))));
}

/**
 * The bank returns the Pix itself, so this refund must not be sent. Own transaction, because one may post only once.
 */
async function endGranted(deps: Deps, refunds: PixRefunds, refund: StoredRefund): Promise<void> {
  await book(deps, refunds, refund, { is: 'granted' });
}

async function lookUp(deps: Deps, refunds: PixRefunds, refund: StoredRefund): Promise<void> {
  const { endToEndId, bankRefundId } = refund;
  const told = await ask(deps, refund, () => refunds.findRefund(endToEndId, bankRefundId));
  // A refused look-up does not mean that the refund was refused.
  await book(deps, refunds, refund, told.is === 'refused' ? { is: 'unknown' } : told);
}

async function ask(
  { log, psp }: Deps,
  refund: StoredRefund,
  call: () => ReturnType<PixRefunds['findRefund']>,
): Promise<RefundReply> {
  try {
    const atBank = await call();
    const tellsBalance = psp.account !== undefined;
    return atBank === undefined ? { is: 'not-found', tellsBalance } : { is: 'answered', atBank };
  } catch (err) {
    log.warn({ err, refundId: refund.id }, 'the bank did not take or tell a refund');
    return err instanceof PspRefused ? { is: 'refused', reason: err.reason } : { is: 'unknown' };
  }
}

async function book(deps: Deps, refunds: PixRefunds, refund: StoredRefund, told: RefundReply): Promise<void> {
  const { again, alarm } = await inTransaction(deps, (tx) => settleRefund(tx, refund, told));
  if (alarm !== undefined) deps.log.error({ refundId: refund.id, merchantId: refund.merchantId }, alarm);
  if (again !== undefined) await send(deps, refunds, again);
}
