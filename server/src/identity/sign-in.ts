import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { networkOf } from '../http/network-of.ts';
import { Refusal } from '../refusal.ts';
import { assertMaySignIn } from './assert-may-sign-in.ts';
import { createChallenge } from './challenge.ts';
import { type Factors, readFactors, selectPasskeys } from './factor-store.ts';
import { type ClientInfo, openSession } from './open-session.ts';
import { passkeyRequestOptions } from './passkey.ts';
import { type HashQueueSlot, returning, signInHashQueue, verifyPassword } from './password.ts';
import { hasFactor, methodsOf } from './second-factor.ts';
import { hashToken } from './session.ts';
import { findByLogin, isKnownDevice, readAttempts } from './store.ts';
import { type AttemptLimit, opaqueKey, runAttempt } from './throttle.ts';

type SignInDeps = Pick<Deps, 'db' | 'clock' | 'config'>;
type Candidate = { id: number; password_hash: string };

/**
 * Signs in by username (or e-mail) and password and returns the session token. An unknown user and a wrong password get
 * the same response after the same work. Refused with INVALID_CREDENTIALS, RATE_LIMITED or OVERLOADED; with the right
 * password, with ACCOUNT_FROZEN, or SECOND_FACTOR_REQUIRED, to be completed by `completeSignIn`.
 */
export async function signIn(
  deps: SignInDeps,
  { username, password }: { username: string; password: string },
  visitor: ClientInfo,
): Promise<{ token: string }> {
  const login = username.normalize('NFC').toLowerCase();
  if (/\p{Cc}/u.test(login)) throw new Refusal('INVALID_CREDENTIALS');
  const named = await findByLogin(deps.db, login);
  const { allowances, place } = await limitsOf(deps, login, named, visitor);
  const account = await runAttempt(deps, allowances, () => provenBy(named, password, place));
  const factors = await readFactors(deps.db, account.id);
  if (hasFactor(factors)) throw await askSecondFactor(deps, account, factors);
  return inTransaction(deps, async (tx) => {
    await assertMaySignIn(tx, account.id, account.password_hash);
    return { token: await openSession(tx, account.id, visitor) };
  });
}

/** Creates the challenge and the refusal that carries it. */
async function askSecondFactor(deps: SignInDeps, account: Candidate, factors: Factors): Promise<Refusal> {
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

/** Always verifies one hash, a dummy one for an unknown account. */
async function provenBy(
  named: Candidate | undefined,
  password: string,
  place: HashQueueSlot,
): Promise<Candidate> {
  const isRight = await verifyPassword(named?.password_hash, password, place);
  if (named === undefined || !isRight) throw new Refusal('INVALID_CREDENTIALS');
  return named;
}

const quarterHour = 900;
const GUESSES = 10;
const GUESSES_WHILE_HUNTED = 3;
/** Wrong guesses in an hour, from anywhere, after which an account counts as hunted. */
const HUNTED_AFTER = 100;

/**
 * Returns a visitor's attempt limits and the queue for their hash. A browser that signed in to this account before has
 * its own, by username and e-mail alike, which nobody else can use up. Other browsers share the limits of their
 * address, in total and per account. While an account is guessed at from many addresses, the limit per account shrinks
 * but never reaches zero: guessing slows down, and no owner is locked out.
 * Keys contain the typed login, known or not, so that limits do not reveal which accounts exist. Successful sign-ins
 * are limited too, since they cost as much: per address, or over all known browsers of an account, at a rate that is
 * enough for any program.
 */
async function limitsOf(
  deps: SignInDeps,
  login: string,
  named: Candidate | undefined,
  { address, device }: ClientInfo,
): Promise<{ allowances: AttemptLimit[]; place: HashQueueSlot }> {
  const successes = {
    limit: deps.config.signInsPerAddress,
    windowSeconds: quarterHour,
    counts: 'successes',
  } as const;
  const isKnown = device !== undefined && (await isKnownDevice(deps.db, named?.id, hashToken(device)));
  if (isKnown && named !== undefined) {
    const key = `sign-in of ${named.id} device ${opaqueKey(device)}`;
    return {
      allowances: [
        { key, limit: GUESSES, windowSeconds: quarterHour },
        { key: `signed in to ${named.id}`, ...successes },
      ],
      place: returning(named.id),
    };
  }
  const account = opaqueKey(login);
  const anywhere = `sign-in ${account}`;
  const hunted = (await readAttempts(deps.db, anywhere, deps.clock.now())) >= HUNTED_AFTER;
  const network = networkOf(address);
  const allowances = [
    { key: `sign-in at ${network}`, limit: deps.config.signInsPerAddress, windowSeconds: quarterHour },
    {
      key: `sign-in ${account} at ${network}`,
      limit: hunted ? GUESSES_WHILE_HUNTED : GUESSES,
      windowSeconds: quarterHour,
    },
    { key: anywhere, limit: Number.POSITIVE_INFINITY, windowSeconds: 3600 },
    { key: `signed in ${account} at ${network}`, ...successes },
  ];
  return { allowances, place: signInHashQueue(address) };
}
