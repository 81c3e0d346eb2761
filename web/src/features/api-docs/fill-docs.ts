import type { Section } from '@jangada/contract/docs';
import { apiAddress } from '../../api/base-address.ts';

export type PrintedDocs = {
  /** The sections as JSON, in which `address` and `apiKey` stand for what is not known at build. */
  readonly sections: string;
  readonly address: string;
  readonly apiKey: string;
};

/** The documentation for the gateway that this page calls, and for the key of who reads it. */
export function fillDocs({ sections, address, apiKey }: PrintedDocs, ownKey: string | undefined): Section[] {
  const api = apiAddress();
  const filled = sections
    .replaceAll(`${address}/api`, api)
    .replaceAll(address, new URL(api).origin)
    .replaceAll(apiKey, ownKey ?? apiKey);
  // Printed by the build of this page, of this very type.
  return JSON.parse(filled) as Section[];
}
