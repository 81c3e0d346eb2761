import type { Tx } from '../db/transaction.ts';
import { invariant } from '../invariant.ts';
import { movements, post } from '../ledger/index.ts';
import { formatBrl } from '../payments/index.ts';
import { type BankPayout, HOUSE_CONNECTION } from '../psp/index.ts';
import { publishWithdrawalEvent } from './publish-withdrawal-event.ts';
import { findReturnIds, insertReturns } from './returns-store.ts';
import { updateWithdrawal } from './store.ts';
import { netCents, type Withdrawal } from './withdrawal.ts';

/**
 * Books money that the payee's bank returned after the withdrawal was completed. Each return is booked once, under its
 * rtrId (the nationwide id of a return): the merchant is credited, and the gateway keeps the fee. If the whole amount
 * was returned, the withdrawal becomes failed. The withdrawal's row must be locked.
 */
export async function bookPayoutReturns(
  tx: Tx,
  withdrawal: Withdrawal,
  bankReturns: BankPayout['returned'],
): Promise<void> {
  const newReturns = bankReturns.length === 0 ? [] : await insertReturns(tx, withdrawal, bankReturns);
  let returnedCents = withdrawal.returnedCents;
  for (const { amountCents, rtrId } of newReturns) {
    returnedCents += amountCents;
    const notification = { title: 'Saque devolvido', body: describeReturn(withdrawal, returnedCents) };
    const updatedWithdrawal = { ...withdrawal, status: statusAfterReturns(withdrawal, returnedCents) };
    await publishWithdrawalEvent(tx, updatedWithdrawal, notification, { cents: returnedCents, rtrId });
  }
  invariant(returnedCents <= netCents(withdrawal), 'more was returned than was paid out');
  const { merchantId, connectionId, id } = withdrawal;
  await post(
    tx,
    newReturns.flatMap(({ rtrId, amountCents }) =>
      movements.withdrawalReturned({
        merchantId,
        connectionId,
        reference: `${id} ${rtrId}`,
        returnedCents: amountCents,
      }),
    ),
  );
  await updateWithdrawal(tx, withdrawal, {
    due_at: null,
    ...(newReturns.length > 0 && {
      status: statusAfterReturns(withdrawal, returnedCents),
      returned_cents: returnedCents,
      error_code: 'RETURNED',
      error: describeReturn(withdrawal, returnedCents),
    }),
  });
}

/**
 * Selects those returns in the bank's record that are not booked yet, each once. The withdrawal's row must be locked.
 */
export async function findNewReturns(
  tx: Tx,
  withdrawal: Withdrawal,
  bankReturns: BankPayout['returned'],
): Promise<BankPayout['returned']> {
  if (bankReturns.length === 0) return [];
  const bookedIds = await findReturnIds(tx, withdrawal);
  const returnById = new Map(bankReturns.map((bankReturn) => [bankReturn.rtrId, bankReturn]));
  return [...returnById.values()].filter(({ rtrId }) => !bookedIds.has(rtrId));
}

export function sumReturnedCents(bankReturns: BankPayout['returned']): number {
  return bankReturns.reduce((sum, { amountCents }) => sum + amountCents, 0);
}

/** The status of a withdrawal of which `returnedCents` have been returned in total. */
function statusAfterReturns(withdrawal: Withdrawal, returnedCents: number): 'completed' | 'failed' {
  return returnedCents >= netCents(withdrawal) ? 'failed' : 'completed';
}

function describeReturn(withdrawal: Withdrawal, returnedCents: number): string {
  const net = netCents(withdrawal);
  const backWhere =
    withdrawal.connectionId === HOUSE_CONNECTION
      ? 'voltaram ao seu saldo'
      : 'voltaram à conta bancária da qual saíram';
  if (returnedCents >= net) return `O banco de quem recebe devolveu o Pix: ${formatBrl(net)} ${backWhere}.`;
  return `O banco de quem recebe devolveu ${formatBrl(returnedCents)} de ${formatBrl(net)}, que ${backWhere}.`;
}
