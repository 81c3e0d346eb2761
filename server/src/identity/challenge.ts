import type { Db } from '../db/pool.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';
import { type ChallengePurpose, countAnswer, insertChallenge } from './factor-store.ts';
import { CHALLENGE_MS, hashToken, newToken } from './session.ts';

/** Attempts per challenge. Throttles count attempts across challenges. */
const MOST_ANSWERS = 5;

export type NewChallenge = {
  readonly purpose: ChallengePurpose;
  /** Null while the user is unknown. */
  readonly userId: number | null;
  /** The session that requested the challenge; null before sign-in. */
  readonly sessionHash: Buffer | null;
  /** The WebAuthn challenge to be signed; null where only a code is accepted. */
  readonly webauthnChallenge: string | null;
};

/** Stores a challenge and returns its token: 256 random bits that the response must present. */
export async function createChallenge(
  { db, now }: { readonly db: Db; readonly now: Date },
  { purpose, userId, sessionHash, webauthnChallenge }: NewChallenge,
): Promise<string> {
  const challenge = newToken();
  await insertChallenge(db, {
    challenge_hash: hashToken(challenge),
    purpose,
    user_id: userId,
    session_hash: sessionHash,
    webauthn_challenge: webauthnChallenge,
    expires_at: new Date(now.getTime() + CHALLENGE_MS),
  });
  return challenge;
}

/** A challenge that can still be answered; `takeChallenge` ends it. */
export type OpenChallenge = {
  readonly hash: Buffer;
  readonly userId: number | null;
  readonly webauthnChallenge: string | null;
};

/**
 * Finds a challenge and counts the attempt before checking the response. Refused with CHALLENGE_EXPIRED if it is
 * unknown, of another session or purpose, expired, already answered, or out of attempts.
 */
export async function openChallenge(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  challenge: string,
  { purpose, sessionHash }: Pick<NewChallenge, 'purpose' | 'sessionHash'>,
): Promise<OpenChallenge> {
  const hash = hashToken(challenge);
  const asked = { challengeHash: hash, purpose, sessionHash, mostAnswers: MOST_ANSWERS };
  const found = await countAnswer(db, asked, clock.now());
  if (found === undefined) throw new Refusal('CHALLENGE_EXPIRED');
  return { hash, userId: found.user_id, webauthnChallenge: found.webauthn_challenge };
}
