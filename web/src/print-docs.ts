import { printDocs, unfilled, usualBankAddress } from '@jangada/contract/docs';
import type { PrintedDocs } from './features/api-docs/fill-docs.ts';

/** The content of the panel's documentation. Runs only at build time. */
export function printForPanel(): PrintedDocs {
  return { sections: JSON.stringify(printDocs(unfilled)), ...unfilled, usualBankAddress };
}
