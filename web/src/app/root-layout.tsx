import { Outlet, useMatches } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Toaster } from '../ui/index.ts';

/** Around every screen: the name in the browser's tab, and the toasts. */
export function RootLayout() {
  const title = useMatches({ select: (matches) => matches.at(-1)?.staticData.title });
  useEffect(() => {
    document.title = title === undefined ? 'Jangada' : `${title} · Jangada`;
  }, [title]);
  return (
    <>
      <Outlet />
      <Toaster />
    </>
  );
}
