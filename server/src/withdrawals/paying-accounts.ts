import { readActiveConnections, readSuspendedConnections } from '../connections/index.ts';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { type Merchant, merchantKindOf } from '../identity/index.ts';
import { readAvailable, readBalances } from '../ledger/index.ts';
import { type Banks, HOUSE_CONNECTION, offersOf } from '../psp/index.ts';
import { Refusal } from '../refusal.ts';

/** The accounts whose banks could send a merchant's money. */
export type PayingAccounts = {
  /** Whether the bank of the operator's own account sends payouts. */
  readonly houseSends: boolean;
  /**
   * The accounts of the merchant's own whose banks do, in the merchant's order. Undefined if the merchant is paid into
   * the operator's account.
   */
  readonly own: readonly number[] | undefined;
  /** Whether none of them is active, and one is suspended. */
  readonly isSuspended: boolean;
};

/** Whether the bank of an account sends payouts. */
export const doesSend = (banks: Banks, id: number): boolean => offersOf(banks, id).withdrawals;

/**
 * Reads from which accounts a merchant could be paid. Refuses with WITHDRAWALS_UNAVAILABLE,
 * BANK_ACCOUNT_SUSPENDED or MONEY_AT_OWN_BANK if from none.
 */
export async function readPayingAccounts(
  { db, config, banks }: Pick<Deps, 'db' | 'config' | 'banks'>,
  merchant: Merchant,
): Promise<PayingAccounts> {
  const houseSends = doesSend(banks, HOUSE_CONNECTION);
  if (merchantKindOf(config, merchant.kind) === 'pooled') {
    if (!houseSends) throw new Refusal('WITHDRAWALS_UNAVAILABLE');
    return { houseSends, own: undefined, isSuspended: false };
  }
  const own = (await readActiveConnections(db, merchant.id)).filter((id) => doesSend(banks, id));
  if (own.length > 0) return { houseSends, own, isSuspended: false };
  const suspended = await readSuspendedConnections(db, merchant.id);
  const accounts = { houseSends, own, isSuspended: suspended.some((id) => doesSend(banks, id)) };
  await refuseWithoutHouseMoney(db, merchant.id, accounts);
  return accounts;
}

async function refuseWithoutHouseMoney(
  db: Db | Tx['db'],
  merchantId: number,
  { houseSends, isSuspended }: PayingAccounts,
) {
  if ((await readAvailable(db, merchantId)) === 0)
    throw new Refusal(isSuspended ? 'BANK_ACCOUNT_SUSPENDED' : 'MONEY_AT_OWN_BANK');
  if (!houseSends) throw new Refusal('WITHDRAWALS_UNAVAILABLE');
}

/**
 * Chooses the account from which a withdrawal is sent. What a merchant has at the operator's own account from the time
 * before leaves first, where it covers the amount. Then comes the first account of their own at which, as far as the
 * gateway saw, the amount arrived; the gateway does not see everything, so without one it is the first at all, and its
 * bank decides. The caller has locked the merchant's controls.
 */
export async function choosePayingAccount(
  tx: Tx,
  accounts: PayingAccounts,
  { merchantId, amountCents }: { readonly merchantId: number; readonly amountCents: number },
): Promise<number> {
  const { houseSends, own } = accounts;
  if (own === undefined) return HOUSE_CONNECTION;
  if (houseSends && (await readAvailable(tx.db, merchantId)) >= amountCents) return HOUSE_CONNECTION;
  for (const id of own) if ((await readBalances(tx.db, merchantId, id)).available >= amountCents) return id;
  const [first] = own;
  if (first !== undefined) return first;
  await refuseWithoutHouseMoney(tx.db, merchantId, accounts);
  return HOUSE_CONNECTION;
}
