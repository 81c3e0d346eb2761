import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';

// Factors of an account

export type Factors = {
  readonly hasTotp: boolean;
  readonly passkeyCount: number;
  readonly recoveryCodeCount: number;
};

export async function readFactors(db: Db, userId: number): Promise<Factors> {
  const { rows } = await sql<Factors>`
    select
      exists (select from totp_factors where user_id = ${userId} and confirmed_at is not null) as "hasTotp",
      (select count(*) from passkeys where user_id = ${userId}) as "passkeyCount",
      (select count(*) from recovery_codes where user_id = ${userId} and used_at is null) as "recoveryCodeCount"
  `.execute(db);
  return rows[0] ?? { hasTotp: false, passkeyCount: 0, recoveryCodeCount: 0 };
}

/**
 * Locks an account's row until commit, so that a concurrent freeze or password change waits. The lock is shared:
 * sign-ins do not wait for each other.
 */
export function lockAccountShared({ db }: Tx, userId: number) {
  return db
    .selectFrom('users')
    .select(['password_hash', 'frozen_at'])
    .where('id', '=', userId)
    .forShare()
    .executeTakeFirstOrThrow();
}

/** Locks an account's row until commit, so that changes to its factors run one after another. */
export function lockFactors({ db }: Tx, userId: number) {
  return db
    .selectFrom('users')
    .select(['role', 'username'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

// Authenticator app

export function findTotp(db: Db, userId: number) {
  return db
    .selectFrom('totp_factors')
    .select(['sealed_secret', 'created_at', 'confirmed_at', 'last_step'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/**
 * Stores an unconfirmed secret in place of an earlier unconfirmed one. Returns false if the account has a confirmed
 * secret.
 */
export async function putTotp({ db, now }: Tx, userId: number, sealedSecret: Buffer): Promise<boolean> {
  const newSecret = { sealed_secret: sealedSecret, created_at: now, last_step: 0 };
  const row = await db
    .insertInto('totp_factors')
    .values({ user_id: userId, ...newSecret })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet(newSecret).where('totp_factors.confirmed_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Confirms a verified secret. Returns false if meanwhile another secret replaced this one or a concurrent call
 * confirmed it.
 */
export async function confirmTotpRow(
  { db, now }: Tx,
  userId: number,
  verified: { readonly sealedSecret: Buffer; readonly step: number },
): Promise<boolean> {
  const row = await db
    .updateTable('totp_factors')
    .set({ confirmed_at: now, last_step: verified.step })
    .where('user_id', '=', userId)
    .where('sealed_secret', '=', verified.sealedSecret)
    .where('confirmed_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Consumes the code of a time step, so that it works only once. Returns false if the code of this step or of a later
 * one was consumed before.
 */
export async function takeTotpStep(
  { db }: Tx,
  userId: number,
  verified: { readonly sealedSecret: Buffer; readonly step: number },
): Promise<boolean> {
  const row = await db
    .updateTable('totp_factors')
    .set({ last_step: verified.step })
    .where('user_id', '=', userId)
    .where('sealed_secret', '=', verified.sealedSecret)
    .where('confirmed_at', 'is not', null)
    .where('last_step', '<', verified.step)
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes an account's secret. Returns false if there was none, or only an unconfirmed one. */
export async function deleteTotpFactor({ db }: Tx, userId: number): Promise<boolean> {
  const rows = await db
    .deleteFrom('totp_factors')
    .where('user_id', '=', userId)
    .returning('confirmed_at')
    .execute();
  return rows.some(({ confirmed_at }) => confirmed_at !== null);
}

// Passkeys

export type PasskeyRow = {
  user_id: number;
  id: string;
  credential_id: Buffer;
  public_key: Buffer;
  sign_count: number;
  transports: string[];
  name: string;
  created_at: Date;
  last_used_at: Date | null;
};

export async function insertPasskey({ db }: Tx, passkey: PasskeyRow): Promise<void> {
  await db.insertInto('passkeys').values(passkey).execute();
}

export function selectPasskeys(db: Db, userId: number): Promise<PasskeyRow[]> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export function findPasskey(db: Db, credentialId: Buffer): Promise<PasskeyRow | undefined> {
  return db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst();
}

/**
 * Records the counter of a passkey's signature. The counter must increase (if it does not, the authenticator may have
 * been cloned), except for authenticators without a counter, which always send 0 (WebAuthn Level 3, 6.1.1). Returns
 * false if the counter did not increase or the passkey was removed.
 */
export async function advanceSignCounter(
  { db, now }: Tx,
  { userId, id, signCount }: { readonly userId: number; readonly id: string; readonly signCount: number },
): Promise<boolean> {
  const row = await db
    .updateTable('passkeys')
    .set({ sign_count: signCount, last_used_at: now })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('sign_count', '<', signCount),
        eb.and([eb('sign_count', '=', 0), eb(sql`${signCount}::bigint`, '=', 0)]),
      ]),
    )
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the name of the deleted passkey, if it existed. */
export async function deletePasskey({ db }: Tx, userId: number, id: string): Promise<string | undefined> {
  const row = await db
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();
  return row?.name;
}

/**
 * Deletes the passkeys and the authenticator app that were set up at or after `since`. For an app that is not confirmed
 * yet, the time at which its setup began counts.
 */
export async function deleteFactors({ db }: Tx, userId: number, since: Date): Promise<void> {
  await db
    .deleteFrom('totp_factors')
    .where('user_id', '=', userId)
    .where((eb) => eb(eb.fn.coalesce('confirmed_at', 'created_at'), '>=', since))
    .execute();
  await db.deleteFrom('passkeys').where('user_id', '=', userId).where('created_at', '>=', since).execute();
}

// Recovery codes

/** Replaces all recovery codes of an account; an empty list only deletes them. */
export async function replaceRecoveryCodes(
  { db }: Tx,
  userId: number,
  hashes: readonly Buffer[],
): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  if (hashes.length === 0) return;
  const rows = hashes.map((hash) => ({ user_id: userId, code_hash: hash }));
  await db.insertInto('recovery_codes').values(rows).execute();
}

/** Consumes a recovery code. Returns false if the code is unknown or used. */
export async function takeRecoveryCode({ db, now }: Tx, userId: number, hash: Buffer): Promise<boolean> {
  const row = await db
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

// Open challenges

export type ChallengePurpose = 'sign-in' | 'passkey-sign-in' | 'passkey-registration' | 'step-up';

export type ChallengeRow = {
  challenge_hash: Buffer;
  purpose: ChallengePurpose;
  user_id: number | null;
  session_hash: Buffer | null;
  webauthn_challenge: string | null;
  expires_at: Date;
};

export async function insertChallenge(db: Db, challenge: ChallengeRow): Promise<void> {
  await db.insertInto('factor_challenges').values(challenge).execute();
}

/**
 * Counts an attempt to answer a challenge, before the response is checked, so that concurrent attempts cannot exceed
 * the limit. Returns the challenge, or undefined if it can no longer be answered.
 */
export function countChallengeAttempt(
  db: Db,
  request: {
    readonly challengeHash: Buffer;
    readonly purpose: ChallengePurpose;
    readonly sessionHash: Buffer | null;
    readonly maxResponses: number;
  },
  now: Date,
) {
  return db
    .updateTable('factor_challenges')
    .set((column) => ({ attempts: column('attempts', '+', 1) }))
    .where('challenge_hash', '=', request.challengeHash)
    .where('purpose', '=', request.purpose)
    .where('session_hash', 'is not distinct from', request.sessionHash)
    .where('attempts', '<', request.maxResponses)
    .where('expires_at', '>', now)
    .returning(['user_id', 'webauthn_challenge'])
    .executeTakeFirst();
}

/** Deletes a challenge, so that only one of two concurrent responses succeeds. Returns whether it existed. */
export async function takeChallenge({ db }: Tx, challengeHash: Buffer): Promise<boolean> {
  const row = await db
    .deleteFrom('factor_challenges')
    .where('challenge_hash', '=', challengeHash)
    .returning('purpose')
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteChallengesOf({ db }: Tx, userId: number): Promise<void> {
  await db.deleteFrom('factor_challenges').where('user_id', '=', userId).execute();
}

export async function deleteChallenges(db: Db, expiredBy: Date): Promise<void> {
  await db.deleteFrom('factor_challenges').where('expires_at', '<=', expiredBy).execute();
}

// Second factors entered in a session

/**
 * Records that a second factor was entered in a session. Returns false if the session has ended or its account is
 * frozen.
 */
export async function recordFactorEntered({ db, now }: Tx, sessionHash: Buffer): Promise<boolean> {
  const row = await db
    .updateTable('sessions')
    .from('users')
    .set({ factor_at: now })
    .where('token_hash', '=', sessionHash)
    .whereRef('users.id', '=', 'sessions.user_id')
    .where('users.frozen_at', 'is', null)
    .returning('sessions.user_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Marks all sessions of an account as opened without a second factor. */
export async function clearFactorEntered({ db }: Tx, userId: number): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ factor_at: null })
    .where('user_id', '=', userId)
    .where('factor_at', 'is not', null)
    .execute();
}

/** Stores a step-up: a token that proves for some minutes that the second factor was entered in a session. */
export async function insertStepUp(
  { db }: Tx,
  stepUp: { token_hash: Buffer; session_hash: Buffer; expires_at: Date },
): Promise<void> {
  await db.insertInto('step_ups').values(stepUp).execute();
}

export async function isStepUpValid(
  db: Db,
  tokenHash: Buffer,
  sessionHash: Buffer,
  now: Date,
): Promise<boolean> {
  const row = await db
    .selectFrom('step_ups')
    .select('token_hash')
    .where('token_hash', '=', tokenHash)
    .where('session_hash', '=', sessionHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteStepUps(db: Db, expiredBy: Date): Promise<void> {
  await db.deleteFrom('step_ups').where('expires_at', '<=', expiredBy).execute();
}
