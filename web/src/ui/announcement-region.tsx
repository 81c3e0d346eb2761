import { useEffect, useSyncExternalStore } from 'react';

/**
 * A load that is shorter than this is not announced, because hearing the announcements would take longer than the load.
 */
const ANNOUNCED_AFTER_MS = 500;

const listeners = new Set<() => void>();
/** How many parts of the page are loading. */
let loadingCount = 0;
/** The text of the live region. */
let announcement = '';

/** Replaces the text of the live region, which screen readers then read aloud. */
function announce(text: string): void {
  announcement = text;
  for (const listener of listeners) listener();
}

/**
 * Announces to screen readers that content is loading, if the load takes longer than half a second, and then that the
 * content has loaded.
 */
export function useLoadingAnnouncement(isLoading: boolean): void {
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
 * Announces a text to screen readers when the text changes, for example that a search has no results. With undefined
 * nothing is announced.
 */
export function useAnnouncement(text: string | undefined): void {
  useEffect(() => {
    if (text === undefined) return;
    announce(text);
    return () => {
      if (announcement === text) announce('');
    };
  }, [text]);
}

/**
 * The live region of all these announcements: an element whose changes screen readers read aloud. It is mounted once,
 * at the root of the app, because screen readers ignore the text of a live region that is mounted together with its
 * text.
 */
export function AnnouncementRegion() {
  const text = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => announcement,
    () => '',
  );
  return (
    <p role="status" className="sr-only">
      {text}
    </p>
  );
}
