import type { Section } from '@jangada/contract/docs';
import { apiAddress } from '../../api/base-address.ts';

/** The documentation as the build produces it, with placeholders for what is known only later. */
export type PrintedDocs = {
  /** The sections as JSON, which contains the three placeholders below. */
  readonly sections: string;
  /** The placeholders for the address of the gateway, the reader's API key, and the address of the sandbox bank. */
  readonly address: string;
  readonly apiKey: string;
  readonly bankAddress: string;
  /** The address of a sandbox bank that a gateway without one shows. */
  readonly usualBankAddress: string;
};

/** What is known about the reader's gateway. */
type ReaderValues = { readonly apiKey: string | undefined; readonly bankUrl: string | null | undefined };

/** Replaces the placeholders of the documentation with this gateway's address, its bank and the reader's API key. */
export function fillDocs(template: PrintedDocs, reader: ReaderValues): Section[] {
  const { sections, address, apiKey, bankAddress, usualBankAddress } = template;
  const apiUrl = apiAddress();
  const filled = sections
    .replaceAll(`${address}/api`, apiUrl)
    .replaceAll(address, new URL(apiUrl).origin)
    .replaceAll(bankAddress, reader.bankUrl ?? usualBankAddress)
    .replaceAll(apiKey, reader.apiKey ?? apiKey);
  // The build that produced this page wrote the JSON from a value of this type.
  return JSON.parse(filled) as Section[];
}
