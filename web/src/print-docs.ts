import { printDocs, unfilled, usualBankAddress } from '@jangada/contract/docs';
import type { PrintedDocs } from './features/api-docs/fill-docs.ts';

/** What the panel's documentation is made of. Runs at build only. */
export function printForPanel(): PrintedDocs {
  return { sections: JSON.stringify(printDocs(unfilled)), ...unfilled, usualBankAddress };
}
