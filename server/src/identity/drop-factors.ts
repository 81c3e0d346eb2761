import type { Tx } from '../db/transaction.ts';
import {
  deleteChallengesOf,
  deleteFactors,
  type Factors,
  lockFactors,
  readFactors,
  replaceRecoveryCodes,
} from './factor-store.ts';
import { hasFactor } from './second-factor.ts';

/**
 * Removes the second factors set up since `setUpSince` and all open challenges, and the recovery codes when no factor
 * remains. Returns the factors before and after. Sends no notification.
 */
export async function dropFactors(
  tx: Tx,
  userId: number,
  setUpSince: Date,
): Promise<{ before: Factors; after: Factors }> {
  await lockFactors(tx, userId);
  const before = await readFactors(tx.db, userId);
  await deleteFactors(tx, userId, setUpSince);
  await deleteChallengesOf(tx, userId);
  const after = await readFactors(tx.db, userId);
  if (!hasFactor(after)) await replaceRecoveryCodes(tx, userId, []);
  return { before, after };
}
