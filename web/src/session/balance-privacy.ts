import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { readStored, writeStored } from './storage.ts';

const STORAGE_KEY = 'balance';
const balanceHidden = createStore<boolean>(() => readStored(STORAGE_KEY) === 'hidden');

/** True when the user hides balances on every page, for example because customers can see the screen. */
export function useBalanceHidden(): boolean {
  return useStore(balanceHidden);
}

/** Hides or shows balances, and stores the choice for the next visit. */
export function setBalanceHidden(isHidden: boolean): void {
  writeStored(STORAGE_KEY, isHidden ? 'hidden' : null);
  balanceHidden.setState(isHidden, true);
}
