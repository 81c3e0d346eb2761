import type { KeyedTx } from '../db/transaction.ts';
import { type Factors, replaceRecoveryCodes } from './factor-store.ts';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-code.ts';
import { hasFactor } from './second-factor.ts';

/** Replaces an account's recovery codes. They are shown once: only their hashes are stored. */
export async function makeRecoveryCodes(tx: KeyedTx, userId: number): Promise<string[]> {
  const codes = newRecoveryCodes();
  const hashes = codes.map((code) => hashRecoveryCode(tx.secrets, userId, code));
  await replaceRecoveryCodes(tx, userId, hashes);
  return codes;
}

/** Creates recovery codes with an account's first factor; null if it already had one. */
export async function makeFirstCodes(tx: KeyedTx, userId: number, before: Factors): Promise<string[] | null> {
  return hasFactor(before) ? null : makeRecoveryCodes(tx, userId);
}
