import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { requirePassword } from './confirm-password.ts';
import { lockFactors, readFactors } from './factor-store.ts';
import { makeRecoveryCodes } from './make-recovery-codes.ts';
import { notifyFactorChange } from './notify-factor-change.ts';
import { requireFactor } from './require-factor.ts';
import { hasFactor } from './second-factor.ts';

/**
 * Replaces the recovery codes; the old ones stop working. Refused with FACTOR_MISSING, or as `requirePassword` and
 * `requireFactor`.
 */
export async function renewRecoveryCodes(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  { caller, stepUp }: { readonly caller: Caller; readonly stepUp?: string | undefined },
): Promise<string[]> {
  await requirePassword(deps, caller, undefined);
  await requireFactor(deps, caller, stepUp);
  const { userId } = caller;
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
