import { useSyncExternalStore } from 'react';

/** Whether a media query matches now, followed as it changes. */
export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    () => matchMedia(query).matches,
    () => false,
  );
}

/** Under 768 px: tables are lists, dialogs are sheets. */
export function useNarrow(): boolean {
  return useMediaQuery('(width < 48rem)');
}
