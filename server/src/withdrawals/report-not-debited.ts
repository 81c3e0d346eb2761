import { type NewOpenItem, openItem } from '../bank-watch/index.ts';
import type { KeyedTx } from '../db/transaction.ts';
import { stopPayoutsUnlessStopped } from '../payouts-stop.ts';

/**
 * Stops payouts and opens an item for the operator: money left the bank, or would leave it, that the ledger did not
 * debit. Whatever explains it may be true of the next payout too. Returns whether the item is new; about one that an
 * administrator has closed, nothing is done.
 */
export async function reportPayoutNotDebited(
  tx: KeyedTx,
  item: Pick<NewOpenItem, 'reference' | 'merchantId' | 'detail'>,
): Promise<boolean> {
  const isNewItem = await openItem(tx, { kind: 'payout-not-debited', ...item });
  if (isNewItem) await stopPayoutsUnlessStopped(tx, 'os livros não debitaram o dinheiro de um envio');
  return isNewItem;
}
