import { type MemberRole, mayDo, type RequiredPermission } from '@jangada/contract';
import { type SessionState, session, useSession } from './session.ts';

// The account for which the session acts. Whoever is a member of no other account acts for their own, as its owner.

/** The number of the account; undefined until the user is known. */
export function accountIdOf({ user }: Pick<SessionState, 'user'>): string | undefined {
  return (user?.account ?? user)?.id;
}

/** True while the session acts for the person's own account. */
export function isOwnAccount({ user }: SessionState): boolean {
  return user?.account?.own ?? true;
}

/** True while staff look into an account for the operator's support, reading only. */
export function isLookingIn({ user }: SessionState): boolean {
  return user?.account?.supportUntil !== undefined;
}

/** True when the account may receive. */
export function isAccountApproved({ user }: SessionState): boolean {
  return (user?.account ?? user)?.approved ?? false;
}

export function memberRoleOf({ user }: SessionState): MemberRole {
  return user?.account?.role ?? 'owner';
}

/** Whether the person's role in the account has a permission. */
export function may(permission: RequiredPermission): boolean {
  return mayIn(session.getState(), permission);
}

/** Hook version of `may`, for components. */
export function useMay(permission: RequiredPermission): boolean {
  return useSession((state) => mayIn(state, permission));
}

function mayIn(state: SessionState, permission: RequiredPermission): boolean {
  return permission === 'own' || (!isWithoutAccount(state) && mayDo(memberRoleOf(state), permission));
}

/** True for a person who was removed from their only account. What is left to them concerns themself. */
export function isWithoutAccount({ user }: Pick<SessionState, 'user'>): boolean {
  return user?.withoutAccount === true;
}
