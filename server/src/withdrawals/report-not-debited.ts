import { type NewOpenItem, openItem } from '../bank-watch/index.ts';
import type { TxWithSecrets } from '../db/transaction.ts';
import { stopPayoutsUnlessStopped } from '../payouts-stop.ts';

/**
 * Stops payouts and opens an item for the operator, because money left the bank, or was about to leave, that the ledger
 * did not debit. Payouts stop because the same fault may affect the next one. Returns whether the item is new. Does
 * nothing if an administrator closed an item with the same detail.
 */
export async function reportPayoutNotDebited(
  tx: TxWithSecrets,
  item: Pick<NewOpenItem, 'connectionId' | 'reference' | 'merchantId' | 'detail'>,
): Promise<boolean> {
  const isNewItem = await openItem(tx, { kind: 'payout-not-debited', ...item });
  if (isNewItem) await stopPayoutsUnlessStopped(tx, 'os livros não debitaram o dinheiro de um envio');
  return isNewItem;
}
