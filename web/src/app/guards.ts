import { type Ability, hasAbility, type Role } from '@jangada/contract';
import type { SessionState } from '../session/session.ts';
import { paths } from './paths.ts';

/**
 * Who may open a route: visitors without a session, any signed-in user, roles with a given ability, or
 * support, which may read users but not change them (roles that may change them use the admin screens).
 */
export type RouteAccess = 'guest' | 'user' | 'support' | Ability;

/** Returns `open`, or the screen to which the user is redirected. Call it only once the session has loaded. */
export function checkRouteAccess(
  access: RouteAccess,
  { status, user }: SessionState,
): 'open' | 'login' | 'dashboard' {
  const isSignedIn = status === 'authenticated';
  if (access === 'guest') return isSignedIn ? 'dashboard' : 'open';
  if (!isSignedIn) return 'login';
  return user !== null && allowsRole(access, staffRoleOf({ user })) ? 'open' : 'dashboard';
}

/** The role in the operator's staff. Staff work only in their own accounts; in another they are a member like others. */
export function staffRoleOf({ user }: Pick<SessionState, 'user'>): Role {
  return user?.account?.own === false ? 'USER' : (user?.role ?? 'USER');
}

/** The message for a signed-in user whose role may not open the screen. */
export function deniedText(access: RouteAccess, isLooking = false): string {
  if (isLooking) return 'Volte à sua conta para abrir esta tela.';
  return access === 'support' ? 'Esta tela é do atendimento.' : 'Esta tela é de administradores.';
}

/** True when a role may open a route; also decides what the sidebar shows. */
export function allowsRole(access: Exclude<RouteAccess, 'guest'>, role: Role): boolean {
  if (access === 'user') return true;
  if (access === 'support') return hasAbility(role, 'read-users') && !hasAbility(role, 'change-users');
  return hasAbility(role, access);
}

/** The pages to which a sign-in does not lead back: the entry pages and the default destination. */
const unrememberedPaths: readonly string[] = [paths.login, paths.register, paths.home, paths.dashboard];

/**
 * The URL to open after sign-in: the requested URL, if it is a path of this site and neither an entry page nor the
 * default destination. Otherwise undefined.
 */
export function returnUrlFrom(requestedUrl: unknown): string | undefined {
  if (typeof requestedUrl !== 'string' || !requestedUrl.startsWith('/')) return undefined;
  // Browsers resolve //host and /\host to another site, so check the parsed URL.
  const url = URL.parse(requestedUrl, 'http://here.invalid');
  if (url === null || url.host !== 'here.invalid') return undefined;
  if (unrememberedPaths.includes(url.pathname)) return undefined;
  return url.pathname + url.search + url.hash;
}
