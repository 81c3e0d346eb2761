import type { SecurityState } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { invariant } from '../invariant.ts';
import { findPendingEmail } from '../mail/index.ts';
import { passkeyOf } from './add-passkey.ts';
import { readFactors, selectPasskeys } from './factor-store.ts';
import { isFactorDemanded } from './second-factor.ts';
import { findAccountDates } from './store.ts';

/** Returns the security settings of the caller's account. */
export async function readSecurity(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  { userId, role, factorAt }: Caller,
): Promise<SecurityState> {
  const account = await findAccountDates(db, userId);
  invariant(account !== undefined, 'whoever has a session has an account');
  const { totp, recoveryCodes } = await readFactors(db, userId);
  return {
    totp,
    passkeys: (await selectPasskeys(db, userId)).map(passkeyOf),
    recovery_codes_left: recoveryCodes,
    demanded: isFactorDemanded(config, role),
    given: factorAt !== undefined,
    password_changed_at: account.password_changed_at?.toISOString() ?? null,
    pending_email: await findPendingEmail(db, userId, clock.now()),
    closing_requested_at: account.closing_requested_at?.toISOString() ?? null,
  };
}
