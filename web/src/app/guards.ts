import { type Ability, can, type Role } from '@jangada/contract';
import type { SessionState } from '../session/session.ts';
import { paths } from './paths.ts';

/**
 * Who may open a route: those without a session (sign-in), anybody signed in, whose role has an ability, or the
 * support (reads users, and changes none: who may change them has the administration instead).
 */
export type RouteAccess = 'guest' | 'user' | 'support' | Ability;

/** Whether a route opens, or where to go instead. The session is not loading any more. */
export function guard(access: RouteAccess, { status, user }: SessionState): 'open' | 'login' | 'dashboard' {
  const signedIn = status === 'authenticated';
  if (access === 'guest') return signedIn ? 'dashboard' : 'open';
  if (!signedIn) return 'login';
  return user !== null && allowsRole(access, user.role) ? 'open' : 'dashboard';
}

/** What somebody signed in is told who asked for a screen that is not for their role. */
export function deniedText(access: RouteAccess): string {
  return access === 'support' ? 'Esta tela é do atendimento.' : 'Esta tela é de administradores.';
}

/** Whether a route is for a role: what the sidebar shows, and what opens. */
export function allowsRole(access: Exclude<RouteAccess, 'guest'>, role: Role): boolean {
  if (access === 'user') return true;
  if (access === 'support') return can(role, 'read-users') && !can(role, 'change-users');
  return can(role, access);
}

const notRemembered: readonly string[] = [paths.login, paths.register, paths.home, paths.dashboard];

/**
 * Where to go after sign-in: the address that was asked for, if it is a path of this site, and neither an entrance nor
 * where one goes anyway; otherwise undefined.
 */
export function originFrom(text: unknown): string | undefined {
  if (typeof text !== 'string' || !text.startsWith('/')) return undefined;
  // A browser reads //host and /\host as another site, so the parsed address decides.
  const url = URL.parse(text, 'http://here.invalid');
  if (url === null || url.host !== 'here.invalid' || notRemembered.includes(url.pathname)) return undefined;
  return url.pathname + url.search + url.hash;
}
