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
 * Replays a form submitted before its script arrived: the first-paint script held it back (a plain submit would lose
 * the input) and left a mark; it is submitted once the handlers are attached.
 */
function replayEarlySubmit(): void {
  const { dataset } = document.documentElement;
  const wasSent = dataset['early'] === 'submit';
  dataset['early'] = 'over';
  if (wasSent) setTimeout(() => document.querySelector('form')?.requestSubmit());
}

/** The callbacks of a form that leads into the app. */
export type EntryFormCallbacks = {
  /** The user has begun to fill in the form, so the app can be prefetched. May be called more than once. */
  onBegun: () => void;
  onSignedIn: () => void;
};
