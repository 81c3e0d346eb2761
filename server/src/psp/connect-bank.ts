import type { Config } from '../config.ts';
import { createBacenCharges } from './bacen/charges.ts';
import { type BacenClientOptions, createBacenClient } from './bacen/client.ts';
import { createBacenRefunds } from './bacen/refunds.ts';
import { createEfiAccount } from './efi/account.ts';
import { createEfiDisputes } from './efi/disputes.ts';
import { createEfiPayouts } from './efi/payouts.ts';
import type { Psp } from './psp.ts';

/**
 * The bank that the settings name. API Pix, which every bank speaks, has charges and refunds; sending, disputes and the
 * balance are spoken in Efí's words, which Banco Sandbox speaks too: what is tried there is what runs.
 */
export function connectBank(
  { psp, pixKey, merchantCity }: Pick<Config, 'psp' | 'pixKey' | 'merchantCity'>,
  options: BacenClientOptions & { readonly itemsPerPage?: number } = {},
): Psp {
  const client = createBacenClient(psp, options);
  const speaksEfi = psp.name !== 'bacen';
  return {
    ...createBacenCharges(client, pixKey, { name: 'Jangada', city: merchantCity }, options),
    ...(psp.refunds && { refunds: createBacenRefunds(client) }),
    ...(speaksEfi && {
      payouts: createEfiPayouts(client, pixKey, options),
      // Efí publishes no files in a defence.
      disputes: createEfiDisputes(client, { ...options, takesFiles: psp.name === 'sandbox' }),
      account: createEfiAccount(client),
    }),
  };
}
