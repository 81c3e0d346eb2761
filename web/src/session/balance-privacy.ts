import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { keepStored, readStored } from './storage.ts';

const KEY = 'balance';
const hidden = createStore<boolean>(() => readStored(KEY) === 'hidden');

/**
 * True when balances are hidden, for use where customers can see the screen. One setting for every screen, stored for
 * the next visit.
 */
export function useBalanceHidden(): boolean {
  return useStore(hidden);
}

export function hideBalance(hide: boolean): void {
  keepStored(KEY, hide ? 'hidden' : null);
  hidden.setState(hide, true);
}
