import { inTransaction, type TxWithSecrets } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { renderQrCode } from '../render-qr-code.ts';
import { confirmTotpRow, findTotp, lockFactors, putTotp, readFactors } from './factor-store.ts';
import { issueFirstRecoveryCodes } from './renew-recovery-codes.ts';
import { notifyFactorChange } from './second-factor.ts';
import { markFactorEntered, requireFactor, requirePasswordForFactor, requireSession } from './step-up.ts';
import { enforceAttemptLimit, runWithAttemptLimits } from './throttle.ts';
import { newTotpSecret, openTotp, sealTotp, totpUri, verifyTotpCode } from './totp.ts';
import { sessionGuessLimits } from './verify-factor.ts';

/**
 * Creates the secret for an authenticator app. The app is not active until its first code is entered (`confirmTotp`).
 * `image` is the QR code of `uri`, as a PNG in base64. Refused with FACTOR_EXISTS or RATE_LIMITED, with PASSWORD_REQUIRED without a
 * recent password, or with STEP_UP_REQUIRED without a recent second factor.
 */
export async function beginTotp(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  { caller, stepUp }: { readonly caller: Caller; readonly stepUp?: string | undefined },
  password: string | undefined,
): Promise<{ secret: string; uri: string; image: string }> {
  await requirePasswordForFactor(deps, caller, password);
  await requireFactor(deps, caller, stepUp);
  const { userId } = caller;
  await enforceAttemptLimit(deps, { key: `app asked by ${userId}`, limit: 60, windowSeconds: 3600 });
  const secret = newTotpSecret();
  const { username } = await inTransaction(deps, async (tx) => {
    const account = await lockFactors(tx, userId);
    if (!(await putTotp(tx, userId, sealTotp(tx.secrets, userId, secret))))
      throw new Refusal('FACTOR_EXISTS');
    return account;
  });
  const uri = totpUri(secret, username);
  const picture = renderQrCode(uri);
  return { secret, uri, image: picture.slice(picture.indexOf(',') + 1) };
}

/** How long a new secret can be confirmed. Later is too risky: somebody else may have seen the secret on the screen. */
const confirmWithinMs = 30 * 60_000;

/**
 * Activates an authenticator app with its first code. Returns the account's recovery codes if the app is its first
 * second factor, otherwise null. Refused with SECOND_FACTOR_WRONG, FACTOR_EXISTS, RATE_LIMITED or STEP_UP_REQUIRED, or
 * with CHALLENGE_EXPIRED if there is no secret that can still be confirmed.
 */
export async function confirmTotp(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  { caller, stepUp }: { readonly caller: Caller; readonly stepUp?: string | undefined },
  code: string,
): Promise<string[] | null> {
  const { userId } = caller;
  const sessionHash = requireSession(caller);
  return runWithAttemptLimits(deps, sessionGuessLimits(sessionHash), async () => {
    const verified = await verifyFirstCode(deps, userId, code.replace(/\s/g, ''));
    return inTransaction(deps, async (tx) => {
      await lockFactors(tx, userId);
      // This repeats the check of `beginTotp`, because a factor that was added in between is required now.
      await requireFactor({ db: tx.db, clock: deps.clock }, caller, stepUp);
      const codes = await issueFirstRecoveryCodes(tx, userId, await readFactors(tx.db, userId));
      if (!(await confirmTotpRow(tx, userId, verified))) throw new Refusal('CHALLENGE_EXPIRED');
      await markFactorEntered(tx, sessionHash);
      await notifyTotpAdded(tx, userId);
      return codes;
    });
  });
}

async function verifyFirstCode(
  { db, clock, secrets }: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  userId: number,
  code: string,
) {
  const totp = await findTotp(db, userId);
  const now = clock.now();
  if (totp !== undefined && totp.confirmed_at !== null) throw new Refusal('FACTOR_EXISTS');
  if (totp === undefined || now.getTime() - totp.created_at.getTime() > confirmWithinMs)
    throw new Refusal('CHALLENGE_EXPIRED');
  const { sealed_secret: sealedSecret, last_step: afterStep } = totp;
  const secret = openTotp(secrets, userId, sealedSecret);
  const step = secret && verifyTotpCode(secret, code, { now, afterStep });
  if (!step) throw new Refusal('SECOND_FACTOR_WRONG');
  return { sealedSecret, step };
}

function notifyTotpAdded(tx: TxWithSecrets, userId: number): Promise<void> {
  return notifyFactorChange(tx, userId, {
    type: 'security.totp-added',
    title: 'Aplicativo autenticador ligado',
    body: 'Um aplicativo autenticador foi ligado à sua conta como segundo fator.',
  });
}
