import type { KeyedTx } from '../db/transaction.ts';
import { type Factors, replaceRecoveryCodes } from './factor-store.ts';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-code.ts';
import { hasFactor } from './second-factor.ts';

/** Gives an account recovery codes in place of those that it had. They are shown once: only their hashes are kept. */
export async function makeRecoveryCodes(tx: KeyedTx, userId: number): Promise<string[]> {
  const codes = newRecoveryCodes();
  const hashes = codes.map((code) => hashRecoveryCode(tx.secrets, userId, code));
  await replaceRecoveryCodes(tx, userId, hashes);
  return codes;
}

/** The same beside the first factor of an account; null beside a further one. */
export async function makeFirstCodes(tx: KeyedTx, userId: number, before: Factors): Promise<string[] | null> {
  return hasFactor(before) ? null : makeRecoveryCodes(tx, userId);
}
