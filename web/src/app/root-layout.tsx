import { Outlet, useMatches } from '@tanstack/react-router';
import { useEffect } from 'react';
import { LoadingVoice, Toaster } from '../ui/index.ts';

/** Wraps every screen: sets the browser tab's title, and hosts the toasts and the loading announcements. */
export function RootLayout() {
  const title = useMatches({ select: (matches) => matches.at(-1)?.staticData.title });
  useEffect(() => {
    document.title = title === undefined ? 'Jangada' : `${title} · Jangada`;
  }, [title]);
  return (
    <>
      <Outlet />
      <Toaster />
      <LoadingVoice />
    </>
  );
}
