import { printDocs, unfilled } from '@jangada/contract/docs';
import { renderToStaticMarkup } from 'react-dom/server';
import { PublicDocs } from './features/api-docs/public-docs.tsx';

/** The markup of /docs, for its HTML file. Runs at build only; the server fills in its address. */
export function prerenderDocs(): string {
  return renderToStaticMarkup(<PublicDocs sections={printDocs(unfilled)} />);
}
