import type { Section } from '@jangada/contract/docs';
import { absoluteApiUrl } from '../../api/base-address.ts';

/**
 * The documentation as the build produces it, with placeholders for values that depend on the gateway and the reader.
 */
export type PrintedDocs = {
  /** The sections as JSON, which contains the three placeholders below. */
  readonly sections: string;
  /** The placeholder for the address of the gateway. */
  readonly address: string;
  /** The placeholder for the reader's API key. It stays in the text while the reader has no key. */
  readonly apiKey: string;
  /** The placeholder for the address of Banco Sandbox. */
  readonly bankAddress: string;
  /** The default address of Banco Sandbox, shown when the gateway has no Banco Sandbox. */
  readonly usualBankAddress: string;
};

/** The values for this reader: the API key, and the address of Banco Sandbox, each only if there is one. */
type ReaderValues = { readonly apiKey: string | undefined; readonly bankUrl: string | null | undefined };

/** Replaces the placeholders of the documentation with this gateway's address, its bank and the reader's API key. */
export function fillDocs(template: PrintedDocs, reader: ReaderValues): Section[] {
  const { sections, address, apiKey, bankAddress, usualBankAddress } = template;
  const apiUrl = absoluteApiUrl();
  const filled = sections
    .replaceAll(`${address}/api`, apiUrl)
    .replaceAll(address, new URL(apiUrl).origin)
    .replaceAll(bankAddress, reader.bankUrl ?? usualBankAddress)
    .replaceAll(apiKey, reader.apiKey ?? apiKey);
  // The build that produced this page wrote the JSON from a value of this type.
  return JSON.parse(filled) as Section[];
}
