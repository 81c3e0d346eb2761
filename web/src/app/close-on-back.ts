import { closeTopDialog, openDialogs } from '../ui/top-layer.ts';
import type { AppRouter } from './router.tsx';

/** Back closes an open dialog and leaves its screen standing; one that stands in the address as `id` goes with the address. */
export function closeOnBack({ history }: AppRouter): () => void {
  return history.block({
    enableBeforeUnload: false,
    blockerFn: ({ action, currentLocation }) => {
      if (action !== 'BACK' || openDialogs() === 0) return false;
      if (openDialogs() === 1 && new URLSearchParams(currentLocation.search).has('id')) return false;
      // Once the address is what it was: closing may change it.
      window.addEventListener('popstate', closeTopDialog, { once: true });
      return true;
    },
  });
}
