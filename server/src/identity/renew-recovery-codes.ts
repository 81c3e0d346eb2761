import { inTransaction, type TxWithSecrets } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { type Factors, lockFactors, readFactors, replaceRecoveryCodes } from './factor-store.ts';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-code.ts';
import { hasFactor, notifyFactorChange } from './second-factor.ts';
import { requireFactor, requirePassword } from './step-up.ts';
import { enforceAttemptLimit } from './throttle.ts';

/**
 * Replaces the recovery codes; the old ones stop working. Refused with FACTOR_MISSING, with PASSWORD_REQUIRED without a
 * recent password, with STEP_UP_REQUIRED without a recent second factor, or with
 * RATE_LIMITED, because each time sends a mail.
 */
export async function renewRecoveryCodes(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  { caller, stepUp }: { readonly caller: Caller; readonly stepUp?: string | undefined },
): Promise<string[]> {
  await requirePassword(deps, caller, undefined);
  await requireFactor(deps, caller, stepUp);
  const { userId } = caller;
  await enforceAttemptLimit(deps, { key: `recovery codes of ${userId}`, limit: 20, windowSeconds: 3600 });
  return inTransaction(deps, async (tx) => {
    await lockFactors(tx, userId);
    if (!hasFactor(await readFactors(tx.db, userId))) throw new Refusal('FACTOR_MISSING');
    await notifyFactorChange(tx, userId, {
      type: 'security.recovery-codes-renewed',
      title: 'Códigos de recuperação novos',
      body: 'Códigos de recuperação novos foram gerados para a sua conta. Os antigos não valem mais.',
    });
    return makeRecoveryCodes(tx, userId);
  });
}

/**
 * Replaces an account's recovery codes and returns the new ones. The caller must show them to the owner at once,
 * because only their hashes are stored.
 */
async function makeRecoveryCodes(tx: TxWithSecrets, userId: number): Promise<string[]> {
  const codes = newRecoveryCodes();
  const hashes = codes.map((code) => hashRecoveryCode(tx.secrets, userId, code));
  await replaceRecoveryCodes(tx, userId, hashes);
  return codes;
}

/**
 * Creates recovery codes when an account gets its first second factor. Returns null if the account had one `before`.
 */
export async function issueFirstRecoveryCodes(
  tx: TxWithSecrets,
  userId: number,
  before: Factors,
): Promise<string[] | null> {
  return hasFactor(before) ? null : makeRecoveryCodes(tx, userId);
}
