import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { keepStored, readStored } from './storage.ts';

const KEY = 'balance';
const balanceHidden = createStore<boolean>(() => readStored(KEY) === 'hidden');

/**
 * True when the user hides balances, for example because customers can see the screen. The setting applies to every
 * page and is stored for the next visit.
 */
export function useBalanceHidden(): boolean {
  return useStore(balanceHidden);
}

export function hideBalance(isHidden: boolean): void {
  keepStored(KEY, isHidden ? 'hidden' : null);
  balanceHidden.setState(isHidden, true);
}
