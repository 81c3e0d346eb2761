import { type ReactNode, useEffect } from 'react';
import { replayEarlySubmit } from '../early-submit.ts';
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
