import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { networkOf } from '../http/network-of.ts';
import { invariant } from '../invariant.ts';
import { Refusal } from '../refusal.ts';
import { createChallenge, openChallenge } from './challenge.ts';
import {
  advanceSignCounter,
  type Factors,
  findPasskey,
  lockAccountShared,
  type PasskeyRow,
  readFactors,
  selectPasskeys,
  takeChallenge,
} from './factor-store.ts';
import { type ClientInfo, openSession } from './open-session.ts';
import {
  credentialIdOf,
  passkeyRequestOptions,
  type SubmittedCredential,
  verifyAssertion,
} from './passkey.ts';
import { type HashQueueSlot, returningUserHashQueue, signInHashQueue, verifyPassword } from './password.ts';
import { hasFactor, methodsOf } from './second-factor.ts';
import { hashToken } from './session.ts';
import type { AttemptLimit } from './store.ts';
import { findAttempts, findByLogin, isKnownDevice } from './store.ts';
import { enforceAttemptLimit, hashForLimitKey, runWithAttemptLimits } from './throttle.ts';
import {
  checkSubmittedFactor,
  consumeFactor,
  type SubmittedFactor,
  signInGuessLimits,
  verifyFactor,
  wrongFactorRefusal,
} from './verify-factor.ts';

type SignInDeps = Pick<Deps, 'db' | 'clock' | 'config'>;
/** The account with the typed username or e-mail. Its password is not verified yet. */
type Candidate = { id: number; password_hash: string };

/**
 * Signs in by username (or e-mail) and password and returns the session token. An unknown user and a wrong password get
 * the same response after the same work, so that neither reveals which accounts exist. Refused with
 * INVALID_CREDENTIALS, RATE_LIMITED or OVERLOADED and, only after the right password, with ACCOUNT_FROZEN or with
 * SECOND_FACTOR_REQUIRED, whose challenge `completeSignIn` takes.
 */
export async function signIn(
  deps: SignInDeps,
  { username, password }: { username: string; password: string },
  visitor: ClientInfo,
): Promise<{ token: string }> {
  const login = username.normalize('NFC').toLowerCase();
  if (/\p{Cc}/u.test(login)) throw new Refusal('INVALID_CREDENTIALS');
  const candidate = await findByLogin(deps.db, login);
  const { limits, hashQueue } = await chooseLimitsAndQueue(deps, login, candidate, visitor);
  const account = await runWithAttemptLimits(deps, limits, () =>
    verifyCandidate(candidate, password, hashQueue),
  );
  const factors = await readFactors(deps.db, account.id);
  if (hasFactor(factors)) throw await createSecondFactorRefusal(deps, account, factors);
  return inTransaction(deps, async (tx) => {
    await assertMaySignIn(tx, account.id, account.password_hash);
    return { token: await openSession(tx, account.id, visitor) };
  });
}

/** Creates a challenge for the second factor, and the refusal whose details contain the challenge. */
async function createSecondFactorRefusal(
  deps: SignInDeps,
  account: Candidate,
  factors: Factors,
): Promise<Refusal> {
  const passkeys = await selectPasskeys(deps.db, account.id);
  const passkey = passkeys.length > 0 ? await passkeyRequestOptions(deps, passkeys) : null;
  const challenge = await inTransaction(deps, async (tx) => {
    await assertMaySignIn(tx, account.id, account.password_hash);
    const webauthnChallenge = passkey?.challenge ?? null;
    return createChallenge(tx, {
      purpose: 'sign-in',
      userId: account.id,
      sessionHash: null,
      webauthnChallenge,
    });
  });
  return new Refusal('SECOND_FACTOR_REQUIRED', {
    details: { challenge, methods: methodsOf(factors), passkey },
  });
}

/** Verifies the password. For an unknown account a dummy hash is verified, so that the answer takes the same time. */
async function verifyCandidate(
  candidate: Candidate | undefined,
  password: string,
  hashQueue: HashQueueSlot,
): Promise<Candidate> {
  const isCorrect = await verifyPassword(candidate?.password_hash, password, hashQueue);
  if (candidate === undefined || !isCorrect) throw new Refusal('INVALID_CREDENTIALS');
  return candidate;
}

const quarterHourSeconds = 900;
const GUESSES = 10;
const GUESSES_UNDER_ATTACK = 3;
/** An account counts as under attack after this many wrong guesses within an hour, from all networks together. */
const ATTACK_THRESHOLD = 100;

/**
 * Returns a visitor's attempt limits, and the queue in which the password is hashed.
 *
 * A browser that signed in to this account before has limits of its own, which nobody else can use up. They apply to
 * username and e-mail together.
 *
 * All other browsers share the limits of their network: one in total and one per account. While an account is under
 * attack from many networks, its limit per network shrinks but never reaches zero: guessing slows down, and the owner
 * is not locked out. The keys of these limits contain a hash of the typed login, whether or not an account has it, so
 * that the limits do not reveal which accounts exist.
 *
 * Successful sign-ins are limited too, because they cost as much work as wrong guesses. The limit counts per account
 * and network, or over all known browsers of an account, and is high enough for any program.
 */
async function chooseLimitsAndQueue(
  deps: SignInDeps,
  login: string,
  candidate: Candidate | undefined,
  { address, device }: ClientInfo,
): Promise<{ limits: AttemptLimit[]; hashQueue: HashQueueSlot }> {
  const successes = {
    limit: deps.config.signInsPerAddress,
    windowSeconds: quarterHourSeconds,
    counts: 'successes',
  } as const;
  const isKnown = device !== undefined && (await isKnownDevice(deps.db, candidate?.id, hashToken(device)));
  if (isKnown && candidate !== undefined) {
    const key = `sign-in of ${candidate.id} device ${hashForLimitKey(device)}`;
    return {
      limits: [
        { key, limit: GUESSES, windowSeconds: quarterHourSeconds },
        { key: `signed in to ${candidate.id}`, ...successes },
      ],
      hashQueue: returningUserHashQueue(candidate.id),
    };
  }
  const loginHash = hashForLimitKey(login);
  const everywhereKey = `sign-in ${loginHash}`;
  const [recentGuesses] = await findAttempts(deps.db, [everywhereKey], deps.clock.now());
  const isUnderAttack = (recentGuesses?.attempts ?? 0) >= ATTACK_THRESHOLD;
  const network = networkOf(address);
  const limits = [
    { key: `sign-in at ${network}`, limit: deps.config.signInsPerAddress, windowSeconds: quarterHourSeconds },
    {
      key: `sign-in ${loginHash} at ${network}`,
      limit: isUnderAttack ? GUESSES_UNDER_ATTACK : GUESSES,
      windowSeconds: quarterHourSeconds,
    },
    // This limit never refuses. Its count shows whether the account is under attack.
    { key: everywhereKey, limit: Number.POSITIVE_INFINITY, windowSeconds: 3600 },
    { key: `signed in ${loginHash} at ${network}`, ...successes },
  ];
  return { limits, hashQueue: signInHashQueue(address) };
}

type PasskeyDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'secrets' | 'log'>;

/**
 * Starts a sign-in by passkey. The user is not known yet, so any passkey of this site may answer. Refused with
 * RATE_LIMITED.
 */
export async function beginPasskeySignIn(
  deps: PasskeyDeps,
  visitor: ClientInfo,
): Promise<{ challenge: string; options: Record<string, unknown> }> {
  await enforceAttemptLimit(deps, passkeySignInLimit(deps, 'asked', visitor));
  const options = await passkeyRequestOptions(deps, 'anybody');
  const challenge = await createChallenge(
    { db: deps.db, now: deps.clock.now() },
    { purpose: 'passkey-sign-in', userId: null, sessionHash: null, webauthnChallenge: options.challenge },
  );
  return { challenge, options };
}

/**
 * Signs in by passkey alone. The passkey counts as password and second factor, because the authenticator also verifies
 * its user. Refused with PASSKEY_NOT_ACCEPTED, CHALLENGE_EXPIRED or RATE_LIMITED and, only if the passkey is right,
 * with ACCOUNT_FROZEN.
 */
export function signInByPasskey(
  deps: PasskeyDeps,
  { challenge, credential }: { readonly challenge: string; readonly credential: SubmittedCredential },
  visitor: ClientInfo,
): Promise<{ token: string }> {
  return runWithAttemptLimits(deps, [passkeySignInLimit(deps, 'answered', visitor)], async () => {
    const openedChallenge = await openChallenge(deps, challenge, {
      purpose: 'passkey-sign-in',
      sessionHash: null,
    });
    const { passkey, signCount } = await verifyPasskey(
      deps,
      openedChallenge.webauthnChallenge ?? '',
      credential,
    );
    const { user_id: userId, id } = passkey;
    return inTransaction(deps, async (tx) => {
      await assertMaySignIn(tx, userId);
      if (!(await takeChallenge(tx, openedChallenge.hash))) throw new Refusal('CHALLENGE_EXPIRED');
      if (!(await advanceSignCounter(tx, { userId, id, signCount })))
        throw new Refusal('PASSKEY_NOT_ACCEPTED');
      return { token: await openSession(tx, userId, visitor, true) };
    });
  });
}

async function verifyPasskey(
  deps: PasskeyDeps,
  expectedChallenge: string,
  credential: SubmittedCredential,
): Promise<{ passkey: PasskeyRow; signCount: number }> {
  const credentialId = credentialIdOf(credential);
  const passkey = credentialId && (await findPasskey(deps.db, credentialId));
  const signCount =
    passkey && (await verifyAssertion(deps, passkey, { expectedChallenge, isSoleProof: true }, credential));
  if (passkey === undefined || signCount === undefined) throw new Refusal('PASSKEY_NOT_ACCEPTED');
  return { passkey, signCount };
}

/** Returns the limit on sign-ins by passkey. The limit is per network, because the user is not known yet. */
function passkeySignInLimit(
  { config }: PasskeyDeps,
  phase: 'asked' | 'answered',
  { address }: ClientInfo,
): AttemptLimit {
  const key = `passkey ${phase} at ${networkOf(address)}`;
  return { key, limit: config.signInsPerAddress, windowSeconds: quarterHourSeconds };
}

/**
 * Completes a sign-in by the second factor, after the password was right. Refused with CHALLENGE_EXPIRED,
 * SECOND_FACTOR_WRONG or RATE_LIMITED and, only if the factor is right, with ACCOUNT_FROZEN.
 */
export async function completeSignIn(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'secrets' | 'log'>,
  { challenge, ...submitted }: SubmittedFactor & { readonly challenge: string },
  visitor: ClientInfo,
): Promise<{ token: string }> {
  checkSubmittedFactor(submitted);
  const openedChallenge = await openChallenge(deps, challenge, { purpose: 'sign-in', sessionHash: null });
  const { userId } = openedChallenge;
  invariant(userId !== null, 'who gave a password is known');
  // Only a code can be guessed; the signature of a passkey cannot.
  const guessLimits = submitted.code === undefined ? [] : await signInGuessLimits(deps, userId, visitor);
  return runWithAttemptLimits(deps, guessLimits, async () => {
    const factor = await verifyFactor(deps, { ...openedChallenge, userId }, submitted);
    if (factor === undefined) throw wrongFactorRefusal(submitted);
    return inTransaction(deps, async (tx) => {
      await assertMaySignIn(tx, userId);
      if (!(await takeChallenge(tx, openedChallenge.hash))) throw new Refusal('CHALLENGE_EXPIRED');
      await consumeFactor(tx, userId, factor);
      return { token: await openSession(tx, userId, visitor, true) };
    });
  });
}

/**
 * Checks, after the credentials were verified, that the account is not frozen and that its password was not replaced
 * meanwhile. Locks the account's row, because a freeze or a new password applies to all existing sessions and must not
 * miss the one that is about to open. `verifiedPasswordHash` is the hash with which the password was verified, if there
 * was one. Refused with ACCOUNT_FROZEN or INVALID_CREDENTIALS.
 */
async function assertMaySignIn(tx: Tx, userId: number, verifiedPasswordHash?: string): Promise<void> {
  const account = await lockAccountShared(tx, userId);
  if (verifiedPasswordHash !== undefined && account.password_hash !== verifiedPasswordHash)
    throw new Refusal('INVALID_CREDENTIALS');
  if (account.frozen_at !== null) throw new Refusal('ACCOUNT_FROZEN');
}
