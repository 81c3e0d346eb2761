import type { LockedAccount } from './store.ts';

/** Returns the active administrators: a frozen one is inactive until another unfreezes them. */
export function administratorsOf(accounts: readonly LockedAccount[]): readonly LockedAccount[] {
  return accounts.filter(({ role, frozen_at }) => role === 'ADMIN' && frozen_at === null);
}

/** Returns the root of an administrator's chain of promotions: an administrator created outside the API. */
export function rootOf(accounts: readonly LockedAccount[], id: number): number {
  return accounts.find((account) => account.id === id)?.admin_root ?? id;
}
