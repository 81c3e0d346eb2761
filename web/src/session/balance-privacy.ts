import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { keepStored, readStored } from './storage.ts';

const KEY = 'balance';
const hidden = createStore<boolean>(() => readStored(KEY) === 'hidden');

/** Whether balances are hidden: customers stand at the counter. One wish for every screen, kept for the next visit. */
export function useBalanceHidden(): boolean {
  return useStore(hidden);
}

export function hideBalance(hide: boolean): void {
  keepStored(KEY, hide ? 'hidden' : null);
  hidden.setState(hide, true);
}
