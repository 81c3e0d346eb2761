import { createHash } from 'node:crypto';
import type { Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { selectPasskeys } from './factor-store.ts';
import { type PasskeyOptions, passkeyRequestOptions, signedPartsOf } from './passkey.ts';
import { requireSession } from './step-up.ts';
import { runWithAttemptLimits } from './throttle.ts';
import {
  checkSubmittedFactor,
  consumeFactor,
  type SubmittedFactor,
  sessionGuessLimits,
  verifyFactor,
  wrongFactorRefusal,
} from './verify-factor.ts';

/*
 * A second factor that is given for one thing alone: what it is given for is named by a digest. A passkey signs the
 * digest, so that the signature proves by itself what was approved, and by whom.
 */

/** The options for a signature over a digest by one of the caller's passkeys among `keyIds`; null if they have none. */
export async function digestRequestOptions(
  deps: Pick<Deps, 'db' | 'config'>,
  { userId }: Caller,
  { digest, keyIds }: { readonly digest: Buffer; readonly keyIds: readonly string[] },
): Promise<PasskeyOptions | null> {
  const passkeys = await selectPasskeys(deps.db, userId);
  const allowed = passkeys.filter(({ credential_id }) =>
    keyIds.includes(credential_id.toString('base64url')),
  );
  return allowed.length === 0 ? null : passkeyRequestOptions(deps, allowed, digest);
}

/** A factor that was given for a digest. */
type DigestProof = {
  /** The id of the passkey, or that of the authenticator app. */
  readonly keyId: string;
  /** What a passkey signed; null for an authenticator app. */
  readonly signed: { client_data: string; authenticator_data: string; signature: string } | null;
  /** Uses the factor up. Refused with SECOND_FACTOR_WRONG if a concurrent call did so first. */
  readonly consume: (tx: Tx) => Promise<void>;
};

/**
 * Verifies a factor that the caller gives for a digest. Recovery codes are not accepted. Refused with
 * SECOND_FACTOR_WRONG, INVALID_BODY or RATE_LIMITED.
 */
export async function proveDigest(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'secrets' | 'log'>,
  caller: Caller,
  digest: Buffer,
  submitted: SubmittedFactor,
): Promise<DigestProof> {
  checkSubmittedFactor(submitted);
  const { userId } = caller;
  // Only a code can be guessed; the signature of a passkey cannot.
  const limits = submitted.code === undefined ? [] : sessionGuessLimits(requireSession(caller));
  return runWithAttemptLimits(deps, limits, async () => {
    const expected = { userId, webauthnChallenge: digest.toString('base64url') };
    const factor = await verifyFactor(deps, expected, submitted);
    if (factor === undefined || factor.method === 'recovery-code') throw wrongFactorRefusal(submitted);
    const consume = (tx: Tx) => consumeFactor(tx, userId, factor);
    if (factor.method === 'totp') return { keyId: appKeyId(factor.sealedSecret), signed: null, consume };
    const signed = signedPartsOf(submitted.credential ?? {}) ?? null;
    return { keyId: String(submitted.credential?.['id']), signed, consume };
  });
}

/** The id of an authenticator app, which changes with its secret. */
function appKeyId(sealedSecret: Buffer): string {
  return `totp:${createHash('sha256').update(sealedSecret).digest('hex')}`;
}
