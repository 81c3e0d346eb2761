import { merchantIdFromIdEnvio } from '../payments/index.ts';
import { type AtBank, HOUSE_CONNECTION } from '../psp/index.ts';

/**
 * Whether a payout that no withdrawal from this account asked for is none of this gateway's business: the account is a
 * merchant's own, and the merchant sent it by other means.
 */
export async function isBusinessOfMerchant(
  { connection }: Pick<AtBank, 'connection'>,
  { idEnvio }: { readonly idEnvio: string },
): Promise<boolean> {
  return connection.id !== HOUSE_CONNECTION && merchantIdFromIdEnvio(idEnvio) === undefined;
}
