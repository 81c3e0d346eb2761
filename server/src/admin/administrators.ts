import type { LockedAccount } from './store.ts';

/** Who of these administers: a frozen administrator does not, until another unfreezes them. */
export function administratorsOf(accounts: readonly LockedAccount[]): readonly LockedAccount[] {
  return accounts.filter(({ role, frozen_at }) => role === 'ADMIN' && frozen_at === null);
}
