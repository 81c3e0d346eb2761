import { buildDocs, placeholderValues, usualBankAddress } from '@jangada/contract/docs';
import { renderToStaticMarkup } from 'react-dom/server';
import type { PrintedDocs } from './features/api-docs/fill-docs.ts';
import { PublicDocs } from './features/api-docs/public-docs.tsx';

/**
 * The markup of /docs, for its HTML file. Runs only at build time. The address of another provider's API is known then
 * and filled in here; our own server fills in its address itself.
 */
export function prerenderDocs(apiUrl?: string): string {
  const markup = renderToStaticMarkup(<PublicDocs chapters={buildDocs(placeholderValues)} />);
  if (apiUrl === undefined || apiUrl.startsWith('/')) return markup;
  return markup
    .replaceAll(`${placeholderValues.address}/api`, apiUrl)
    .replaceAll(placeholderValues.address, new URL(apiUrl).origin)
    .replaceAll(placeholderValues.bankAddress, usualBankAddress);
}

/** The content of the panel's documentation. Runs only at build time. */
export function printForPanel(): PrintedDocs {
  return { sections: JSON.stringify(buildDocs(placeholderValues)), ...placeholderValues, usualBankAddress };
}
