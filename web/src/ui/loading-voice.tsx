import { useEffect, useSyncExternalStore } from 'react';

/** What goes by faster is not told: two sentences would be longer than the wait. */
const TOLD_AFTER_MS = 500;

const listeners = new Set<() => void>();
let waits = 0;
let told = '';

function tell(words: string): void {
  told = words;
  for (const listener of listeners) listener();
}

/** While `loading`, and a little longer than a moment, screen readers hear that it loads; then that it has. */
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

/** Screen readers hear what came to stand in the place of what they looked for; undefined is nothing to be told. */
export function useSaid(words: string | undefined): void {
  useEffect(() => {
    if (words === undefined) return;
    tell(words);
    return () => {
      if (told === words) tell('');
    };
  }, [words]);
}

/** Where it is said. One stands at the root: a live region that comes and goes with what it tells is not heard. */
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
