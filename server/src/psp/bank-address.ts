import type { Config } from '../config.ts';
import { type AddressRules, checkUrl, createAddressRules, FetchFailed } from '../guarded-fetch/index.ts';

type Installation = Pick<Config, 'mode' | 'sandboxPublic'>;

/**
 * Where a bank may be whose addresses an administrator entered: on the public internet, by TLS. This machine itself may
 * be called only in a sandbox that no other machine can reach. The networks that the operator allows for webhooks are
 * no networks of banks.
 */
export function bankAddressRules({ mode, sandboxPublic }: Installation): AddressRules {
  return createAddressRules({ mode, sandboxPublic, webhookAllowCidrs: [] });
}

/**
 * Whether an administrator may enter this address of a bank. It says nothing yet about what the name resolves to: that
 * is checked at each connection, by `bankAddressRules`.
 */
export function isAllowedBankAddress(url: string, config: Installation): boolean {
  // A query or fragment would end up in the midst of the paths that are added to the address.
  if (/[?#]/.test(url)) return false;
  try {
    checkUrl(url, bankAddressRules(config));
    return true;
  } catch (error) {
    if (error instanceof FetchFailed) return false;
    throw error;
  }
}
