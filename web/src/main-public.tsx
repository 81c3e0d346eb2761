import './api/zod-config.ts';
import { hydrateRoot, type Root } from 'react-dom/client';
import { PublicPage, type PublicPageName } from './app/public-page.tsx';
import { session } from './session/session.ts';

// The entry of the prerendered pages. It hydrates a form outside the router, and hands over to the router once
// somebody is signed in. Somebody who already is goes straight to the app, which decides where.

const loadApp = () => import('./app/start-app.tsx');

function hydrate(container: HTMLElement, name: PublicPageName): void {
  const enter = async (root: Root) => {
    const { startApp } = await loadApp();
    startApp(container, root);
  };
  const root = hydrateRoot(
    container,
    <PublicPage name={name} onSending={() => void loadApp()} onSignedIn={() => void enter(root)} />,
  );
}

const container = document.getElementById('root');
const page = container?.dataset['page'];
if (container !== null) {
  if (session.getState().token === null && (page === 'login' || page === 'register'))
    hydrate(container, page);
  else void loadApp().then(({ startApp }) => startApp(container));
}
