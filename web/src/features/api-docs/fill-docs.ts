import type { Section } from '@jangada/contract/docs';
import { apiAddress } from '../../api/base-address.ts';

/** The documentation as the build produces it, with placeholders. */
export type PrintedDocs = {
  /** The sections as JSON. The other fields are placeholders in it, for values that are unknown at build time. */
  readonly sections: string;
  readonly address: string;
  readonly apiKey: string;
  readonly bankAddress: string;
  /** Shown by a gateway that has no sandbox bank. */
  readonly usualBankAddress: string;
};

type Reader = { readonly apiKey: string | undefined; readonly bankUrl: string | null | undefined };

/** Replaces the placeholders of the documentation with this gateway's address, its bank and the reader's API key. */
export function fillDocs(template: PrintedDocs, reader: Reader): Section[] {
  const { sections, address, apiKey, bankAddress, usualBankAddress } = template;
  const api = apiAddress();
  const filled = sections
    .replaceAll(`${address}/api`, api)
    .replaceAll(address, new URL(api).origin)
    .replaceAll(bankAddress, reader.bankUrl ?? usualBankAddress)
    .replaceAll(apiKey, reader.apiKey ?? apiKey);
  // The build of this page produced it from this type.
  return JSON.parse(filled) as Section[];
}
