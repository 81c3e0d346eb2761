import { useSyncExternalStore } from 'react';

/** True while a media query matches; updates when that changes. */
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

/** True below 768 px, where tables become lists and dialogs become sheets. */
export function useNarrow(): boolean {
  return useMediaQuery('(width < 48rem)');
}
