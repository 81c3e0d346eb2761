import { type ReactNode, useEffect } from 'react';
import { Toaster } from '../ui/toast.tsx';

/** Wraps a page that is prerendered at build time and hydrated unchanged. */
export function PrerenderedPage({ children }: { children: ReactNode }) {
  useEffect(replayEarlySubmit, []);
  return (
    <>
      {children}
      <Toaster />
    </>
  );
}

/**
 * Repeats a submit that was made before the page's script arrived. The first-paint script prevented that submit,
 * because a plain submit would lose the input, and recorded it in `data-early`. By now the handlers of the form are
 * attached.
 */
function replayEarlySubmit(): void {
  const { dataset } = document.documentElement;
  const wasSubmitted = dataset['early'] === 'submit';
  dataset['early'] = 'over';
  if (wasSubmitted) setTimeout(() => document.querySelector('form')?.requestSubmit());
}

/** The callbacks of a form that leads into the app. */
export type EntryFormCallbacks = {
  /** Called when the user begins to fill in the form, so that the app can be prefetched. May be called repeatedly. */
  onFormStart: () => void;
  onSignedIn: () => void;
};
