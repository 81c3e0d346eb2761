import { inTransaction } from '../db/transaction.ts';
import { readMerchant } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import { type AtBank, HOUSE_CONNECTION, PspUnknown } from '../psp/index.ts';
import { storeMove } from './abandoned-store.ts';
import { newTxid } from './bank-ids.ts';
import type { Charge } from './payment.ts';
import { receivingAccountsOf } from './receiving-accounts.ts';
import { rememberSilence } from './silent-banks.ts';

/** A charge whose creation the bank has not confirmed is looked up after this long. No creation takes longer. */
export const UNCONFIRMED_MS = 180_000;
/** How long a bank is waited for while the charge could be made at another account. */
const patienceMs = 4000;

/**
 * Moves a charge to the next account of the merchant's own, under a new txid, if its bank does not answer its `creation`
 * in time. Returns undefined if the bank answers, if there is no account that was not `tried`, and if the charge got its
 * code or ended meanwhile; and for a charge with a due date, for which nobody waits at a counter. What the silent bank
 * may have made is removed there later.
 */
export async function moveIfSilent(
  bank: AtBank,
  charge: Charge,
  creation: Promise<unknown>,
  tried: readonly number[],
): Promise<Charge | undefined> {
  if (charge.connectionId === HOUSE_CONNECTION || charge.dueDate !== null || !(await isSilent(creation)))
    return undefined;
  rememberSilence(bank.psp, bank.clock.now());
  const merchant = await readMerchant(bank.db, charge.merchantId);
  invariant(merchant !== undefined, 'a charge without an account');
  const connectionId = (await receivingAccountsOf(bank, merchant)).find((id) => !tried.includes(id));
  if (connectionId === undefined || connectionId === HOUSE_CONNECTION) return undefined;
  const moved = { ...charge, connectionId, txid: newTxid(charge) };
  const isMoved = await inTransaction(bank, (tx) =>
    storeMove(tx, charge, moved, new Date(tx.now.getTime() + UNCONFIRMED_MS)),
  );
  if (!isMoved) return undefined;
  bank.log.warn(
    { chargeId: charge.id, from: charge.connectionId, to: connectionId },
    'a charge is made at another account because its bank does not answer',
  );
  return moved;
}

/** Whether a creation ends without a usable response of the bank, or does not end in time. */
async function isSilent(creation: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(true), patienceMs);
  });
  const isUnanswered = creation.then(
    () => false,
    (error: unknown) => error instanceof PspUnknown,
  );
  const result = await Promise.race([isUnanswered, tooLate]);
  clearTimeout(timer);
  return result;
}
