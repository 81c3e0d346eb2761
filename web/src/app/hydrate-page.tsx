import type { ComponentType } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { readStored } from '../session/storage.ts';
import type { EntryFormCallbacks } from './entry.ts';
import { PrerenderedPage } from './prerendered-page.tsx';

const loadApp = () => import('./start-app.tsx');

/**
 * The entry of a prerendered page. It hydrates a form outside the router, and hands over to the router once somebody is
 * signed in. Somebody who already is goes straight to the app, which decides where.
 */
export function hydratePage(Page: ComponentType<EntryFormCallbacks>): void {
  const container = document.getElementById('root');
  if (container === null) return;
  if (readStored('token') !== null) {
    void loadApp().then(({ startApp }) => startApp(container));
    return;
  }
  const enter = async () => {
    try {
      const { startApp } = await loadApp();
      startApp(container, root);
    } catch {
      // Its files are of another build by now, or did not arrive. The session stands: the page begins anew with it.
      location.reload();
    }
  };
  const root = hydrateRoot(
    container,
    <PrerenderedPage>
      <Page onBegun={() => void loadApp().catch(() => {})} onSignedIn={() => void enter()} />
    </PrerenderedPage>,
  );
}
