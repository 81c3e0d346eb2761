import type { Tx } from '../db/transaction.ts';
import type { Transfer } from './movements.ts';

/**
 * The one place where money that comes to a merchant meets claims on it: whatever raises `available` passes here
 * before it is written, and what a claim takes is posted with it. Claims come with disputes; until there are any,
 * nothing is taken.
 */
export async function claimArrivals(_tx: Tx, _transfers: readonly Transfer[]): Promise<Transfer[]> {
  return [];
}
