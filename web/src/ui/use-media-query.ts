import { useSyncExternalStore } from 'react';

/** True while the media query matches. The component renders again when the result changes. */
export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const mediaQuery = matchMedia(query);
      mediaQuery.addEventListener('change', onChange);
      return () => mediaQuery.removeEventListener('change', onChange);
    },
    () => matchMedia(query).matches,
    // A prerendered page has no viewport.
    () => false,
  );
}

/** True in a viewport narrower than 768 px, where tables become lists and dialogs become sheets. */
export function useIsNarrow(): boolean {
  return useMediaQuery('(width < 48rem)');
}
