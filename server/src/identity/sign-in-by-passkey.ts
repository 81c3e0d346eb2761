import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { networkOf } from '../http/network-of.ts';
import { Refusal } from '../refusal.ts';
import { assertMaySignIn } from './assert-may-sign-in.ts';
import { createChallenge, openChallenge } from './challenge.ts';
import { findPasskey, type PasskeyRow, takeChallenge, takeSignature } from './factor-store.ts';
import { type ClientInfo, openSession } from './open-session.ts';
import { credentialIdOf, passkeyRequestOptions, readSignature, type SubmittedCredential } from './passkey.ts';
import { type AttemptLimit, runAttempt, takeAttempt } from './throttle.ts';

type PasskeyDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'secrets' | 'log'>;

/** Starts a sign-in with any passkey of this site. Refused with RATE_LIMITED. */
export async function beginPasskeySignIn(
  deps: PasskeyDeps,
  visitor: ClientInfo,
): Promise<{ challenge: string; options: Record<string, unknown> }> {
  await takeAttempt(deps, allowanceOf(deps, 'asked', visitor));
  const options = await passkeyRequestOptions(deps, 'anybody');
  const challenge = await createChallenge(
    { db: deps.db, now: deps.clock.now() },
    { purpose: 'passkey-sign-in', userId: null, sessionHash: null, webauthnChallenge: options.challenge },
  );
  return { challenge, options };
}

/**
 * Signs in by passkey alone: the authenticator verified its user, so it counts as password and second factor. Refused
 * with PASSKEY_NOT_ACCEPTED, CHALLENGE_EXPIRED, RATE_LIMITED, or ACCOUNT_FROZEN when the passkey was right.
 */
export function signInByPasskey(
  deps: PasskeyDeps,
  { challenge, credential }: { readonly challenge: string; readonly credential: SubmittedCredential },
  visitor: ClientInfo,
): Promise<{ token: string }> {
  return runAttempt(deps, [allowanceOf(deps, 'answered', visitor)], async () => {
    const asked = await openChallenge(deps, challenge, { purpose: 'passkey-sign-in', sessionHash: null });
    const { passkey, signCount } = await verify(deps, asked.webauthnChallenge ?? '', credential);
    const { user_id: userId, id } = passkey;
    return inTransaction(deps, async (tx) => {
      await assertMaySignIn(tx, userId);
      if (!(await takeChallenge(tx, asked.hash))) throw new Refusal('CHALLENGE_EXPIRED');
      if (!(await takeSignature(tx, { userId, id, signCount }))) throw new Refusal('PASSKEY_NOT_ACCEPTED');
      return { token: await openSession(tx, userId, visitor, true) };
    });
  });
}

async function verify(
  deps: PasskeyDeps,
  expectedChallenge: string,
  credential: SubmittedCredential,
): Promise<{ passkey: PasskeyRow; signCount: number }> {
  const credentialId = credentialIdOf(credential);
  const passkey = credentialId && (await findPasskey(deps.db, credentialId));
  const signCount =
    passkey && (await readSignature(deps, passkey, { expectedChallenge, alone: true }, credential));
  if (passkey === undefined || signCount === undefined) throw new Refusal('PASSKEY_NOT_ACCEPTED');
  return { passkey, signCount };
}

/** Limited by address, since the user is not known yet. */
function allowanceOf(
  { config }: PasskeyDeps,
  what: 'asked' | 'answered',
  { address }: ClientInfo,
): AttemptLimit {
  const key = `passkey ${what} at ${networkOf(address)}`;
  return { key, limit: config.signInsPerAddress, windowSeconds: 900 };
}
