import type { Config, PspConfig } from '../config.ts';
import { createBacenCharges } from './bacen/charges.ts';
import { type BacenClientOptions, createBacenClient } from './bacen/client.ts';
import { createBacenRefunds } from './bacen/refunds.ts';
import { type ConnectedBank, HOUSE_CONNECTION } from './bank.ts';
import { createEfiAccount } from './efi/account.ts';
import { createEfiDisputes } from './efi/disputes.ts';
import { createEfiPayouts } from './efi/payouts.ts';
import type { Psp } from './psp.ts';

/**
 * Connects the configured bank. Charges and refunds use API Pix, which every bank implements; payouts, disputes and
 * balance use Efí's API. Banco Sandbox implements both, so test mode runs the same code as production.
 */
export function connectBank(
  { psp, pixKey, merchantCity }: Pick<Config, 'psp' | 'pixKey' | 'merchantCity'>,
  options: BacenClientOptions & { readonly itemsPerPage?: number } = {},
): Psp {
  const client = createBacenClient(psp, options);
  const hasEfiApi = psp.name !== 'bacen';
  return {
    ...createBacenCharges(client, pixKey, { name: 'Jangada', city: merchantCity }, options),
    ...(psp.refunds && { refunds: createBacenRefunds(client) }),
    ...(hasEfiApi && {
      payouts: createEfiPayouts(client, pixKey, options),
      // Efí's documentation has no field for files in a defence.
      disputes: createEfiDisputes(client, { ...options, takesFiles: psp.name === 'sandbox' }),
      account: createEfiAccount(client),
    }),
  };
}

/** Connects the operator's own account, which the settings name. */
export function connectHouse(
  config: Pick<Config, 'psp' | 'pixKey' | 'merchantCity'>,
  options: BacenClientOptions = {},
): ConnectedBank {
  return {
    connection: { id: HOUSE_CONNECTION, pixKey: config.pixKey },
    psp: connectBank(config, options),
    callbacks: callbacksOf(config.psp),
    institution: config.psp.institution,
  };
}

/** How the callbacks of a bank are recognised. */
export function callbacksOf({
  name,
  webhookCidrs,
  webhookProofHeader,
}: PspConfig): ConnectedBank['callbacks'] {
  return { adapter: name, webhookCidrs, ...(webhookProofHeader && { webhookProofHeader }) };
}
