import { useSyncExternalStore } from 'react';

/** True while a media query matches; updates when that changes. */
export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const list = matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    () => matchMedia(query).matches,
    () => false,
  );
}

/** True below 768 px, where tables become lists and dialogs become sheets. */
export function useNarrow(): boolean {
  return useMediaQuery('(width < 48rem)');
}
