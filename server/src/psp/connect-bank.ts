import type { Config, PspConfig } from '../config.ts';
import { createBacenCharges, listChargeIds } from './bacen/charges.ts';
import {
  type BacenClient,
  type BacenClientOptions,
  createBacenClient,
  type GrantedToken,
} from './bacen/client.ts';
import { createBacenRecurring, listMandateIds } from './bacen/recurring.ts';
import { createBacenRefunds } from './bacen/refunds.ts';
import { createUnusableClient } from './bacen/unusable-client.ts';
import { type ConnectedBank, HOUSE_CONNECTION } from './bank.ts';
import { createEfiAccount } from './efi/account.ts';
import { createEfiDisputes } from './efi/disputes.ts';
import { createEfiPayouts } from './efi/payouts.ts';
import type { Psp } from './psp.ts';

type BankSettings = Pick<Config, 'psp' | 'pixKey' | 'merchantCity'>;
type ConnectOptions = BacenClientOptions & { readonly itemsPerPage?: number };

/**
 * Connects the configured bank. Charges and refunds use API Pix, which every bank implements; payouts, disputes and
 * balance use Efí's API. Banco Sandbox implements both, so test mode runs the same code as production.
 */
export function connectBank(settings: BankSettings, options: ConnectOptions = {}): Psp {
  return createAdapters(createBacenClient(settings.psp, options), settings, options);
}

/** Stands for a bank that cannot be connected, for this `cause`: its calls fail, like those to a bank that is silent. */
export function connectUnusableBank(settings: BankSettings, cause: unknown): Psp {
  return createAdapters(createUnusableClient(cause), settings, {});
}

/** The calls that only the check of an account makes. */
export type BankProbe = {
  requestToken(): Promise<GrantedToken>;
  /** Lists the txids of the charges that were created in the window, page by page to the last. */
  listChargeIds(from: Date, to: Date): AsyncIterable<string[]>;
  /** The same for the ids of mandates, also where the account into which debits are paid is not known. */
  listMandateIds(from: Date, to: Date): AsyncIterable<string[]>;
};

/** Connects a bank to check it, with the adapters with which it is used later. */
export function connectToCheck(
  settings: BankSettings,
  options: ConnectOptions,
): { readonly psp: Psp; readonly probe: BankProbe } {
  const client = createBacenClient(settings.psp, options);
  return {
    psp: createAdapters(client, settings, options),
    probe: {
      requestToken: client.requestToken,
      listChargeIds: (from, to) => listChargeIds(client, from, to),
      listMandateIds: (from, to) => listMandateIds(client, { from, to, itemsPerPage: 100 }),
    },
  };
}

function createAdapters(
  client: BacenClient,
  { psp, pixKey, merchantCity }: BankSettings,
  options: ConnectOptions,
): Psp {
  const hasEfiApi = psp.name !== 'bacen';
  const noticesAreProven = psp.webhookMtls !== undefined || psp.webhookProofHeader !== undefined;
  const payee = { name: 'Jangada', city: merchantCity };
  const withHeaders = {
    ...options,
    // Efí otherwise refuses a URL that demands no client certificate. The path of the URL is a secret.
    ...(psp.name === 'efi' && !noticesAreProven && { noticeUrlHeaders: { 'x-skip-mtls-checking': 'true' } }),
  };
  return {
    ...createBacenCharges(client, pixKey, payee, withHeaders),
    ...(psp.refunds && { refunds: createBacenRefunds(client) }),
    ...(psp.debitAccount && {
      recurring: createBacenRecurring(client, psp.debitAccount, payee, withHeaders),
    }),
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
