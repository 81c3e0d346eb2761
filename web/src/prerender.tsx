import { renderToString } from 'react-dom/server';
import { PublicPage, type PublicPageName } from './app/public-page.tsx';

const nothing = () => {};

/** The markup of a public page, for its HTML file. Runs at build only. */
export function prerender(name: PublicPageName): string {
  return renderToString(<PublicPage name={name} onSending={nothing} onSignedIn={nothing} />);
}
