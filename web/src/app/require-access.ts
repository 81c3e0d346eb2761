import { notFound, redirect } from '@tanstack/react-router';
import { offersMore } from '../api/provider.ts';
import { session } from '../session/session.ts';
import { toastError } from '../ui/index.ts';
import { deniedText, guard, originFrom, type RouteAccess } from './guards.ts';
import { beyondPaths, paths } from './paths.ts';

/**
 * Redirects users who may not open a route; the sign-in screen remembers where they came from. Screens that the
 * provider lacks are not found.
 */
export const requireAccess = (access: RouteAccess) => ({
  beforeLoad: ({ location, preload }: { location: { href: string; pathname: string }; preload: boolean }) => {
    const outcome = guard(access, session.getState());
    if (outcome === 'login') throw redirect({ to: paths.login, search: { from: originFrom(location.href) } });
    if (outcome === 'open' && beyondPaths.has(location.pathname) && !offersMore()) throw notFound();
    if (outcome !== 'dashboard') return;
    if (access !== 'guest' && !preload) toastError(deniedText(access));
    throw redirect({ to: paths.dashboard });
  },
});
