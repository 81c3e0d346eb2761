import { type ReactNode, useEffect } from 'react';
import { replayEarlySubmit } from '../early-submit.ts';
import { Toaster } from '../ui/toast.tsx';

/** Around a page that is rendered at build, and hydrated as it stands. */
export function PrerenderedPage({ children }: { children: ReactNode }) {
  useEffect(replayEarlySubmit, []);
  return (
    <>
      {children}
      <Toaster />
    </>
  );
}
