import type { Db } from '../db/pool.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';
import { type ChallengePurpose, countAnswer, insertChallenge } from './factor-store.ts';
import { CHALLENGE_MS, hashToken, newToken } from './session.ts';

/** Wrong answers beyond these use a challenge up; throttles count them over all challenges. */
const MOST_ANSWERS = 5;

export type NewChallenge = {
  readonly purpose: ChallengePurpose;
  /** Null while nobody is known. */
  readonly userId: number | null;
  /** The session that asks; null before there is one. */
  readonly sessionHash: Buffer | null;
  /** What an authenticator has to sign; null where only a code may answer. */
  readonly webauthnChallenge: string | null;
};

/** Keeps a question of ours and answers its name: 256 random bits, which whoever answers has to show. */
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

/** A question that may be answered; `takeChallenge` ends it. */
export type OpenChallenge = {
  readonly hash: Buffer;
  readonly userId: number | null;
  readonly webauthnChallenge: string | null;
};

/**
 * Finds the question that somebody answers, and counts the answer before it is looked at. Refused with CHALLENGE_EXPIRED
 * whether it was never asked, is another's, is too old, was answered, or was answered wrongly too often.
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
