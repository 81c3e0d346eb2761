import { isBankInDoubt } from '../bank-watch/index.ts';
import type { Tx } from '../db/transaction.ts';
import { readMerchant } from '../identity/index.ts';
import { PLATFORM } from '../ledger/index.ts';
import type { StoredRefund } from './refund.ts';
import { readContest, readPayoutsStopForShare } from './store.ts';

const stoppedText = 'Os envios estão suspensos pelo operador. O estorno segue quando voltarem.';
const contestedText = 'O pagador contestou este Pix no banco dele. O estorno espera o fim da disputa.';
const notApprovedText = 'A conta não está aprovada. O estorno segue quando ela for.';
const frozenText = 'A conta está bloqueada. O estorno fica retido até que ela seja desbloqueada.';

/**
 * Whether all refunds are stopped now. `tellsBalance`: the bank reports its balance, so none is sent while it is
 * unknown.
 */
export async function areRefundsStopped(tx: Tx, tellsBalance: boolean): Promise<boolean> {
  return (await readPayoutsStopForShare(tx)) !== undefined || (await isBankInDoubt(tx, tellsBalance));
}

/** Why a refund may not be sent or resent now, as shown to the merchant; undefined if it may. */
export async function deferReason(
  tx: Tx,
  refund: StoredRefund,
  stopped: boolean,
): Promise<string | undefined> {
  if (stopped) return stoppedText;
  // Otherwise it could be returned twice: by this refund and by the bank.
  if ((await readContest(tx, refund)) !== undefined) return contestedText;
  if (refund.merchantId === PLATFORM) return undefined;
  const merchant = await readMerchant(tx.db, refund.merchantId);
  if (merchant?.frozen) return frozenText;
  return merchant?.approved === true ? undefined : notApprovedText;
}
