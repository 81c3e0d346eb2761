import { merchantIdFromIdEnvio } from '../payments/index.ts';
import { type AtBank, HOUSE_CONNECTION } from '../psp/index.ts';
import { isFromSiblingAccount } from './booked-store.ts';

/**
 * Whether a payout that no withdrawal from this account asked for is none of this gateway's business, because the account
 * is a merchant's own: the merchant sent it by other means, or withdrew it from another own account, which may be another
 * key of the same account at the bank.
 */
export async function isBusinessOfMerchant(
  { db, connection }: Pick<AtBank, 'db' | 'connection'>,
  { idEnvio }: { readonly idEnvio: string },
): Promise<boolean> {
  if (connection.id === HOUSE_CONNECTION) return false;
  const merchantId = merchantIdFromIdEnvio(idEnvio);
  return merchantId === undefined || isFromSiblingAccount({ db, connection }, { merchantId, idEnvio });
}
