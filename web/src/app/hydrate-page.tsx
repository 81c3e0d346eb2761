import type { ComponentType } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { readStored } from '../session/storage.ts';
import { type EntryFormCallbacks, PrerenderedPage } from './prerendered-page.tsx';

const loadApp = () => import('./start-app.tsx');

/**
 * The entry point of a prerendered page. Hydrates a form outside the router, and hands over to the router after
 * sign-in. Users who are already signed in go straight to the app, which chooses the screen.
 */
export function hydratePage(Page: ComponentType<EntryFormCallbacks>): void {
  const container = document.getElementById('root');
  if (container === null) return;
  if (readStored('token') !== null) {
    void loadApp().then(({ startApp }) => startApp(container));
    return;
  }
  const enterApp = async () => {
    try {
      const { startApp } = await loadApp();
      startApp(container, root);
    } catch {
      // The app's chunks belong to another build, or did not arrive. The session is stored already, so a reload opens
      // the app.
      location.reload();
    }
  };
  const root = hydrateRoot(
    container,
    <PrerenderedPage>
      <Page onFormStart={() => void loadApp().catch(() => {})} onSignedIn={() => void enterApp()} />
    </PrerenderedPage>,
  );
}
