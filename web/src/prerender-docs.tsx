import { buildDocs, defaultBankAddress, placeholderValues } from '@jangada/contract/docs';
import { renderToStaticMarkup } from 'react-dom/server';
import type { PrintedDocs } from './features/api-docs/fill-docs.ts';
import { PublicDocs } from './features/api-docs/public-docs.tsx';

/**
 * The markup of /docs, for its HTML file. Runs only at build time. Our own server later replaces the placeholders with
 * its addresses. A build for another provider's API has an absolute `apiUrl`, which is filled in here.
 */
export function prerenderDocs(apiUrl?: string): string {
  const markup = renderToStaticMarkup(<PublicDocs chapters={buildDocs(placeholderValues)} />);
  if (apiUrl === undefined || apiUrl.startsWith('/')) return markup;
  // The longer text comes first, because it contains the shorter one.
  return markup
    .replaceAll(`${placeholderValues.address}/api`, apiUrl)
    .replaceAll(placeholderValues.address, new URL(apiUrl).origin)
    .replaceAll(placeholderValues.bankAddress, defaultBankAddress);
}

/** The content of the documentation within the dashboard, where the browser renders it. Runs only at build time. */
export function printForPanel(): PrintedDocs {
  return {
    sections: JSON.stringify(buildDocs(placeholderValues)),
    ...placeholderValues,
    usualBankAddress: defaultBankAddress,
  };
}
