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
 * Takes the second factors from an account that were set up since then, with the challenges that they might answer, and the
 * recovery codes with the last. Answers what it had and what it has. Tells nobody.
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
