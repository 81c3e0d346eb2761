import { useEffect, useSyncExternalStore } from 'react';

/** Shorter loads are not announced: the two announcements would take longer than the wait. */
const ANNOUNCED_AFTER_MS = 500;

const listeners = new Set<() => void>();
/** How many parts of the page are loading. */
let loadingCount = 0;
let announcement = '';

function announce(words: string): void {
  announcement = words;
  for (const listener of listeners) listener();
}

/** Announces to screen readers that content is loading, once that takes a while, and then that it has loaded. */
export function useLoadingVoice(isLoading: boolean): void {
  useEffect(() => {
    if (!isLoading) return;
    loadingCount += 1;
    const timer = setTimeout(() => announce('Carregando'), ANNOUNCED_AFTER_MS);
    return () => {
      clearTimeout(timer);
      loadingCount -= 1;
      if (loadingCount === 0 && announcement === 'Carregando') announce('Carregado');
    };
  }, [isLoading]);
}

/**
 * Announces words to screen readers when they change, for example that a search has no results; undefined is silent.
 */
export function useAnnouncement(words: string | undefined): void {
  useEffect(() => {
    if (words === undefined) return;
    announce(words);
    return () => {
      if (announcement === words) announce('');
    };
  }, [words]);
}

/**
 * The live region of these announcements. It is mounted once at the root, because a live region that mounts together
 * with its text is not announced.
 */
export function LoadingVoice() {
  const words = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => announcement,
    () => '',
  );
  return (
    <p role="status" className="sr-only">
      {words}
    </p>
  );
}
