import { randomUUID } from 'node:crypto';
import type { Passkey } from '@jangada/contract';
import { inTransaction, violatedConstraint } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { readAccount } from './account.ts';
import { createChallenge, openChallenge } from './challenge.ts';
import {
  insertPasskey,
  lockFactors,
  type PasskeyRow,
  readFactors,
  selectPasskeys,
  takeChallenge,
} from './factor-store.ts';
import {
  MAX_PASSKEYS,
  passkeyRegistrationOptions,
  type SubmittedCredential,
  verifyRegistration,
} from './passkey.ts';
import { issueFirstRecoveryCodes } from './renew-recovery-codes.ts';
import { notifyFactorChange } from './second-factor.ts';
import { markFactorEntered, requireFactor, requirePasswordForFactor, requireSession } from './step-up.ts';
import { enforceAttemptLimit } from './throttle.ts';

/**
 * Starts the registration of a passkey. Returns the WebAuthn options for the browser, and the token of the challenge
 * that `addPasskey` takes. Refused with PASSKEY_LIMIT or RATE_LIMITED, with PASSWORD_REQUIRED without a recent
 * password, or with STEP_UP_REQUIRED without a recent second factor.
 */
export async function beginPasskey(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'secrets'>,
  { caller, stepUp }: { readonly caller: Caller; readonly stepUp?: string | undefined },
  password: string | undefined,
): Promise<{ challenge: string; options: Record<string, unknown> }> {
  await requirePasswordForFactor(deps, caller, password);
  await requireFactor(deps, caller, stepUp);
  const { userId } = caller;
  await enforceAttemptLimit(deps, { key: `passkey asked by ${userId}`, limit: 60, windowSeconds: 3600 });
  const existing = await selectPasskeys(deps.db, userId);
  if (existing.length >= MAX_PASSKEYS) throw new Refusal('PASSKEY_LIMIT');
  const { username } = await readAccount(deps, userId);
  const options = await passkeyRegistrationOptions(deps, { userId, username }, existing);
  const newChallenge = {
    purpose: 'passkey-registration',
    userId,
    sessionHash: requireSession(caller),
    webauthnChallenge: options.challenge,
  } as const;
  return { challenge: await createChallenge({ db: deps.db, now: deps.clock.now() }, newChallenge), options };
}

type NewPasskeyInput = {
  readonly challenge: string;
  readonly credential: SubmittedCredential;
  readonly name: string;
};

/**
 * Stores the passkey that a browser created for `beginPasskey`. Returns the account's recovery codes if this is its
 * first second factor, otherwise null. Refused with PASSKEY_NOT_ACCEPTED, CHALLENGE_EXPIRED or PASSKEY_LIMIT.
 */
export async function addPasskey(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'secrets' | 'log'>,
  caller: Caller,
  { challenge, credential, name }: NewPasskeyInput,
): Promise<{ passkey: Passkey; recoveryCodes: string[] | null }> {
  const { userId } = caller;
  const sessionHash = requireSession(caller);
  const openedChallenge = await openChallenge(deps, challenge, {
    purpose: 'passkey-registration',
    sessionHash,
  });
  const newPasskey = await verifyRegistration(deps, openedChallenge.webauthnChallenge ?? '', credential);
  if (newPasskey === undefined) throw new Refusal('PASSKEY_NOT_ACCEPTED');
  const added = inTransaction(deps, async (tx) => {
    await lockFactors(tx, userId);
    if (!(await takeChallenge(tx, openedChallenge.hash))) throw new Refusal('CHALLENGE_EXPIRED');
    const before = await readFactors(tx.db, userId);
    if (before.passkeyCount >= MAX_PASSKEYS) throw new Refusal('PASSKEY_LIMIT');
    const metadata = { user_id: userId, id: randomUUID(), name, created_at: tx.now, last_used_at: null };
    const row = { ...metadata, ...newPasskey };
    await insertPasskey(tx, row);
    await markFactorEntered(tx, sessionHash);
    await notifyFactorChange(tx, userId, {
      type: 'security.passkey-added',
      title: 'Chave de acesso cadastrada',
      body: 'Uma chave de acesso foi cadastrada na sua conta: com ela se entra sem senha.',
    });
    return { passkey: passkeyOf(row), recoveryCodes: await issueFirstRecoveryCodes(tx, userId, before) };
  });
  return added.catch((error) => {
    // The credential is registered already, for this account or another.
    throw violatedConstraint(error)?.startsWith('passkeys_') ? new Refusal('PASSKEY_NOT_ACCEPTED') : error;
  });
}

/** Maps a passkey to the form in which its owner sees it. */
export function passkeyOf({ id, name, created_at, last_used_at }: PasskeyRow): Passkey {
  return {
    id,
    name,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  };
}
