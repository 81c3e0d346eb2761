import type { Caller } from '../src/http/route.ts';

/** Somebody in a session for their own account. */
export function ownCaller(userId: number, fields: Partial<Caller> = {}): Caller {
  return {
    userId,
    accountId: userId,
    memberRole: 'owner',
    isHolder: true,
    isAccountFrozen: false,
    role: 'USER',
    approved: true,
    authMethod: 'session',
    ...fields,
  };
}
