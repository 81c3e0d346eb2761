import { closeTopDialog, openDialogs } from '../ui/top-layer.ts';
import type { AppRouter } from './router.tsx';

/**
 * Back closes an open dialog and stays on its screen; a dialog opened by `id` in the address closes with that address.
 */
export function closeOnBack({ history }: AppRouter): () => void {
  return history.block({
    enableBeforeUnload: false,
    blockerFn: ({ action, currentLocation }) => {
      if (action !== 'BACK' || openDialogs() === 0) return false;
      if (openDialogs() === 1 && new URLSearchParams(currentLocation.search).has('id')) return false;
      // Close only after the address has been restored, because closing may change it.
      window.addEventListener('popstate', closeTopDialog, { once: true });
      return true;
    },
  });
}
