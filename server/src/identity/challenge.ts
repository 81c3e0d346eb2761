import type { Db } from '../db/pool.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';
import { type ChallengePurpose, countChallengeAttempt, insertChallenge } from './factor-store.ts';
import { CHALLENGE_MS, hashToken, newToken } from './session.ts';

/** How many responses to one challenge are checked. Attempts across challenges are limited elsewhere (throttle.ts). */
const MAX_RESPONSES = 5;

/** A challenge is a pending request for a second factor or a passkey: short-lived and answered once. */
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

/** A challenge that can still be answered. After a right response, the caller ends it with `takeChallenge`. */
export type OpenChallenge = {
  readonly hash: Buffer;
  readonly userId: number | null;
  readonly webauthnChallenge: string | null;
};

/**
 * Finds a challenge and counts an attempt to answer it, before the caller checks the response. Refused with
 * CHALLENGE_EXPIRED if the challenge is unknown, expired, already answered or out of attempts, or belongs to another
 * session or purpose.
 */
export async function openChallenge(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  challenge: string,
  { purpose, sessionHash }: Pick<NewChallenge, 'purpose' | 'sessionHash'>,
): Promise<OpenChallenge> {
  const hash = hashToken(challenge);
  const request = { challengeHash: hash, purpose, sessionHash, maxResponses: MAX_RESPONSES };
  const row = await countChallengeAttempt(db, request, clock.now());
  if (row === undefined) throw new Refusal('CHALLENGE_EXPIRED');
  return { hash, userId: row.user_id, webauthnChallenge: row.webauthn_challenge };
}
