import type { Section } from '@jangada/contract/docs';

export type PrintedDocs = {
  /** The sections as JSON, in which `address` and `apiKey` stand for what is not known at build. */
  readonly sections: string;
  readonly address: string;
  readonly apiKey: string;
};

/** The documentation for the gateway that this page calls, and for the key of who reads it. */
export function fillDocs({ sections, address, apiKey }: PrintedDocs, ownKey: string | undefined): Section[] {
  const api = new URL(import.meta.env.VITE_API_URL ?? '/api', location.href);
  const filled = sections
    .replaceAll(`${address}/api`, api.href.replace(/\/$/, ''))
    .replaceAll(address, api.origin)
    .replaceAll(apiKey, ownKey ?? apiKey);
  // Printed by the build of this page, of this very type.
  return JSON.parse(filled) as Section[];
}
