import type { SecurityState } from '@jangada/contract';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { invariant } from '../invariant.ts';
import { findPendingEmail } from '../mail/index.ts';
import { Refusal } from '../refusal.ts';
import { passkeyOf } from './add-passkey.ts';
import {
  clearFactorEntered,
  deleteChallengesOf,
  deleteFactors,
  deletePasskey,
  deleteTotpFactor,
  type Factors,
  lockFactors,
  readFactors,
  replaceRecoveryCodes,
  selectPasskeys,
} from './factor-store.ts';
import { hasFactor, isFactorRequired, notifyFactorChange } from './second-factor.ts';
import { requireFactor, requirePassword } from './step-up.ts';
import { findAccountDates } from './store.ts';

/** Returns the security settings of the caller's account. */
export async function readSecurity(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  { userId, role, factorAt }: Caller,
): Promise<SecurityState> {
  const account = await findAccountDates(db, userId);
  invariant(account !== undefined, 'whoever has a session has an account');
  const { hasTotp, recoveryCodeCount } = await readFactors(db, userId);
  return {
    totp: hasTotp,
    passkeys: (await selectPasskeys(db, userId)).map(passkeyOf),
    recovery_codes_left: recoveryCodeCount,
    demanded: isFactorRequired(config, role),
    given: factorAt !== undefined,
    password_changed_at: account.password_changed_at?.toISOString() ?? null,
    pending_email: await findPendingEmail(db, userId, clock.now()),
    closing_requested_at: account.closing_requested_at?.toISOString() ?? null,
  };
}

/** How to remove one kind of factor, and how to notify the account's owner of it. */
type Removal = {
  /** Returns false if the factor does not exist. */
  readonly remove: (tx: Tx, userId: number) => Promise<boolean>;
  readonly notification: Parameters<typeof notifyFactorChange>[2];
};

const totpRemoval: Removal = {
  remove: deleteTotpFactor,
  notification: {
    type: 'security.totp-removed',
    title: 'Aplicativo autenticador desligado',
    body: 'O aplicativo autenticador foi desligado da sua conta.',
  },
};

const passkeyRemoval = (id: string): Removal => ({
  remove: async (tx, userId) => (await deletePasskey(tx, userId, id)) !== undefined,
  notification: {
    type: 'security.passkey-removed',
    title: 'Chave de acesso removida',
    body: 'Uma chave de acesso foi removida da sua conta.',
  },
});

/**
 * Removes an account's authenticator app or one of its passkeys; removing the last factor also removes the recovery
 * codes. Refused with NOT_FOUND, with SECOND_FACTOR_DEMANDED if this is the last factor and the role requires one, with
 * PASSWORD_REQUIRED without a recent password, or with STEP_UP_REQUIRED without a recent second factor.
 */
export async function removeFactor(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  { caller, stepUp }: { readonly caller: Caller; readonly stepUp?: string | undefined },
  factor: 'totp' | { readonly passkey: string },
): Promise<void> {
  await requirePassword(deps, caller, undefined);
  await requireFactor(deps, caller, stepUp);
  const { userId } = caller;
  const { remove, notification } = factor === 'totp' ? totpRemoval : passkeyRemoval(factor.passkey);
  await inTransaction(deps, async (tx) => {
    const { role } = await lockFactors(tx, userId);
    if (!(await remove(tx, userId))) throw new Refusal('NOT_FOUND');
    if (!hasFactor(await readFactors(tx.db, userId))) {
      if (isFactorRequired(deps.config, role)) throw new Refusal('SECOND_FACTOR_DEMANDED');
      await replaceRecoveryCodes(tx, userId, []);
      await clearFactorEntered(tx, userId);
    }
    await notifyFactorChange(tx, userId, notification);
  });
}

/**
 * Removes the second factors set up at or after `setUpSince`, all open challenges, and the recovery codes if no factor
 * remains. Returns the factors before and after. Leaves the notification of the owner to the caller.
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
