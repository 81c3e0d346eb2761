import type { LockedAccount } from './store.ts';

/** Who of these administers: a frozen administrator does not, until another unfreezes them. */
export function administratorsOf(accounts: readonly LockedAccount[]): readonly LockedAccount[] {
  return accounts.filter(({ role, frozen_at }) => role === 'ADMIN' && frozen_at === null);
}

/** To whom an administrator goes back by promotions: one who was made from outside the API. */
export function rootOf(accounts: readonly LockedAccount[], id: number): number {
  return accounts.find((account) => account.id === id)?.admin_root ?? id;
}
