import type { Tx } from '../db/transaction.ts';
import { invariant } from '../invariant.ts';
import { movements, post } from '../ledger/index.ts';
import { formatBrl } from '../payments/index.ts';
import type { BankPayout } from '../psp/index.ts';
import { publishWithdrawalEvent } from './notify-withdrawal.ts';
import { findReturnIds, insertReturns, updateWithdrawal } from './store.ts';
import { netCents, type Withdrawal } from './withdrawal.ts';

/**
 * Books the bank's returns of a completed withdrawal, each once: the merchant is credited, the fee is kept. If all of
 * it was returned, the withdrawal becomes failed. Its row must be locked.
 */
export async function bookPayoutReturns(
  tx: Tx,
  withdrawal: Withdrawal,
  returned: BankPayout['returned'],
): Promise<void> {
  const fresh = returned.length === 0 ? [] : await insertReturns(tx, withdrawal, returned);
  let returnedCents = withdrawal.returnedCents;
  for (const { amountCents, rtrId } of fresh) {
    returnedCents += amountCents;
    const words = { title: 'Saque devolvido', body: textOf(withdrawal, returnedCents) };
    const now = { ...withdrawal, status: statusOf(withdrawal, returnedCents) };
    await publishWithdrawalEvent(tx, now, words, { cents: returnedCents, rtrId });
  }
  invariant(returnedCents <= netCents(withdrawal), 'more came back than went out');
  const { merchantId, id } = withdrawal;
  await post(
    tx,
    fresh.flatMap(({ rtrId, amountCents }) =>
      movements.withdrawalReturned({
        merchantId,
        reference: `${id} ${rtrId}`,
        returnedCents: amountCents,
      }),
    ),
  );
  await updateWithdrawal(tx, withdrawal, {
    due_at: null,
    ...(fresh.length > 0 && {
      status: statusOf(withdrawal, returnedCents),
      returned_cents: returnedCents,
      error_code: 'RETURNED',
      error: textOf(withdrawal, returnedCents),
    }),
  });
}

/** The returns not booked yet, each once. The withdrawal's row must be locked. */
export async function findFreshReturns(
  tx: Tx,
  withdrawal: Withdrawal,
  returned: BankPayout['returned'],
): Promise<BankPayout['returned']> {
  if (returned.length === 0) return [];
  const booked = await findReturnIds(tx, withdrawal);
  const told = new Map(returned.map((one) => [one.rtrId, one]));
  return [...told.values()].filter(({ rtrId }) => !booked.has(rtrId));
}

export function sumOf(returned: BankPayout['returned']): number {
  return returned.reduce((sum, { amountCents }) => sum + amountCents, 0);
}

function statusOf(withdrawal: Withdrawal, returnedCents: number): 'completed' | 'failed' {
  return returnedCents >= netCents(withdrawal) ? 'failed' : 'completed';
}

function textOf(withdrawal: Withdrawal, returnedCents: number): string {
  const net = netCents(withdrawal);
  if (returnedCents >= net)
    return `O banco de quem recebe devolveu o Pix: ${formatBrl(net)} voltaram ao seu saldo.`;
  return `O banco de quem recebe devolveu ${formatBrl(returnedCents)} de ${formatBrl(net)}, que voltaram ao seu saldo.`;
}
