import type { Section } from '@jangada/contract/docs';
import { apiAddress } from '../../api/base-address.ts';

export type PrintedDocs = {
  /** The sections as JSON, in which the others stand for what is not known at build. */
  readonly sections: string;
  readonly address: string;
  readonly apiKey: string;
  readonly bankAddress: string;
  /** For readers of a gateway without Banco Sandbox. */
  readonly usualBankAddress: string;
};

type Reader = { readonly apiKey: string | undefined; readonly bankUrl: string | null | undefined };

/** The documentation for the gateway that this page calls, its bank, and the key of who reads it. */
export function fillDocs(printed: PrintedDocs, reader: Reader): Section[] {
  const { sections, address, apiKey, bankAddress, usualBankAddress } = printed;
  const api = apiAddress();
  const filled = sections
    .replaceAll(`${address}/api`, api)
    .replaceAll(address, new URL(api).origin)
    .replaceAll(bankAddress, reader.bankUrl ?? usualBankAddress)
    .replaceAll(apiKey, reader.apiKey ?? apiKey);
  // Printed by the build of this page, of this very type.
  return JSON.parse(filled) as Section[];
}
