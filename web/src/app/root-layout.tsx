import { Outlet, useMatches } from '@tanstack/react-router';
import { useEffect } from 'react';
import { LoadingVoice, Toaster } from '../ui/index.ts';

/** Around every screen: the name in the browser's tab, the toasts, and what is heard while something loads. */
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
