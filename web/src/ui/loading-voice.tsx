import { useEffect, useSyncExternalStore } from 'react';

/** Shorter loads are not announced: the two announcements would take longer than the wait. */
const TOLD_AFTER_MS = 500;

const listeners = new Set<() => void>();
let waits = 0;
let told = '';

function tell(words: string): void {
  told = words;
  for (const listener of listeners) listener();
}

/** Announces to screen readers that content is loading, once that takes a while, and then that it has loaded. */
export function useLoadingVoice(loading: boolean): void {
  useEffect(() => {
    if (!loading) return;
    waits += 1;
    const timer = setTimeout(() => tell('Carregando'), TOLD_AFTER_MS);
    return () => {
      clearTimeout(timer);
      waits -= 1;
      if (waits === 0 && told === 'Carregando') tell('Carregado');
    };
  }, [loading]);
}

/** Announces to screen readers the content that replaced what they expected; undefined announces nothing. */
export function useSaid(words: string | undefined): void {
  useEffect(() => {
    if (words === undefined) return;
    tell(words);
    return () => {
      if (told === words) tell('');
    };
  }, [words]);
}

/**
 * The live region for these announcements. Mounted once at the root: a live region that mounts together with its text
 * is not announced.
 */
export function LoadingVoice() {
  const words = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => told,
    () => '',
  );
  return (
    <p role="status" className="sr-only">
      {words}
    </p>
  );
}
