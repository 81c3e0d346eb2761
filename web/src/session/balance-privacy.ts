import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { readStored, writeStored } from './storage.ts';

const KEY = 'balance';
const balanceHidden = createStore<boolean>(() => readStored(KEY) === 'hidden');

/** True when the user hides balances on every page, for example because customers can see the screen. */
export function useBalanceHidden(): boolean {
  return useStore(balanceHidden);
}

/** Hides or shows balances, and stores the choice for the next visit. */
export function setBalanceHidden(isHidden: boolean): void {
  writeStored(KEY, isHidden ? 'hidden' : null);
  balanceHidden.setState(isHidden, true);
}
