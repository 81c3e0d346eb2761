import { errors } from '@jangada/contract';
import type { Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';
import {
  advanceSignCounter,
  findPasskey,
  findTotp,
  readFactors,
  takeRecoveryCode,
  takeTotpStep,
} from './factor-store.ts';
import type { ClientInfo } from './open-session.ts';
import { credentialIdOf, type SubmittedCredential, verifyAssertion } from './passkey.ts';
import { hashRecoveryCode, parseRecoveryCode } from './recovery-code.ts';
import { notifyFactorChange } from './second-factor.ts';
import { hashToken } from './session.ts';
import type { AttemptLimit } from './store.ts';
import { isKnownDevice } from './store.ts';
import { hashForLimitKey } from './throttle.ts';
import { openTotp, verifyTotpCode } from './totp.ts';

type FactorDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'secrets' | 'log'>;

/** A second factor as submitted: a TOTP or recovery code, or a passkey's assertion. */
export type SubmittedFactor = {
  readonly code?: string | undefined;
  readonly credential?: SubmittedCredential | undefined;
};

/**
 * A factor that was verified but not consumed yet. It can be consumed once, so of two concurrent uses only one
 * succeeds.
 */
type VerifiedFactor =
  | { readonly method: 'totp'; readonly sealedSecret: Buffer; readonly step: number }
  | { readonly method: 'recovery-code'; readonly hash: Buffer }
  | { readonly method: 'passkey'; readonly id: string; readonly signCount: number };

/**
 * Verifies a submitted factor and returns it, or undefined if it is invalid. A passkey must have signed
 * `webauthnChallenge`.
 */
export async function verifyFactor(
  deps: FactorDeps,
  { userId, webauthnChallenge }: { readonly userId: number; readonly webauthnChallenge: string | null },
  { code, credential }: SubmittedFactor,
): Promise<VerifiedFactor | undefined> {
  if (credential !== undefined)
    return webauthnChallenge === null
      ? undefined
      : verifyPasskey(deps, { userId, webauthnChallenge }, credential);
  const digits = code?.replace(/\s/g, '') ?? '';
  if (/^\d{6}$/.test(digits)) return verifyTotp(deps, userId, digits);
  const isRecoveryCode = code !== undefined && parseRecoveryCode(code) !== undefined;
  return isRecoveryCode
    ? { method: 'recovery-code', hash: hashRecoveryCode(deps.secrets, userId, code) }
    : undefined;
}

async function verifyTotp(
  { db, clock, secrets }: FactorDeps,
  userId: number,
  code: string,
): Promise<VerifiedFactor | undefined> {
  const totp = await findTotp(db, userId);
  if (totp === undefined || totp.confirmed_at === null) return undefined;
  const secret = openTotp(secrets, userId, totp.sealed_secret);
  const step = secret && verifyTotpCode(secret, code, { now: clock.now(), afterStep: totp.last_step });
  return step ? { method: 'totp', sealedSecret: totp.sealed_secret, step } : undefined;
}

async function verifyPasskey(
  deps: FactorDeps,
  expected: { readonly userId: number; readonly webauthnChallenge: string },
  credential: SubmittedCredential,
): Promise<VerifiedFactor | undefined> {
  const credentialId = credentialIdOf(credential);
  const passkey = credentialId && (await findPasskey(deps.db, credentialId));
  if (passkey?.user_id !== expected.userId) return undefined;
  const verification = { expectedChallenge: expected.webauthnChallenge, isSoleProof: false };
  const signCount = await verifyAssertion(deps, passkey, verification, credential);
  return signCount === undefined ? undefined : { method: 'passkey', id: passkey.id, signCount };
}

/** Consumes a verified factor. Returns false if a concurrent request consumed it first. */
export function tryConsumeFactor(tx: Tx, userId: number, factor: VerifiedFactor): Promise<boolean> {
  switch (factor.method) {
    case 'totp':
      return takeTotpStep(tx, userId, factor);
    case 'recovery-code':
      return takeRecoveryCode(tx, userId, factor.hash);
    case 'passkey':
      return advanceSignCounter(tx, { userId, ...factor });
  }
}

/** Requires exactly one of code and credential. Refused with INVALID_BODY. */
export function checkSubmittedFactor({ code, credential }: SubmittedFactor): void {
  if ((code === undefined) === (credential === undefined))
    throw new Refusal('INVALID_BODY', { message: 'Informe o código, ou a resposta da chave de acesso.' });
}

/** Returns the refusal for an invalid factor, with a message about the code or about the passkey. */
export function wrongFactorRefusal({ credential }: SubmittedFactor): Refusal {
  const { message } = errors[credential === undefined ? 'SECOND_FACTOR_WRONG' : 'PASSKEY_NOT_ACCEPTED'];
  return new Refusal('SECOND_FACTOR_WRONG', { message });
}

/**
 * Consumes a verified factor. Refused with SECOND_FACTOR_WRONG if a concurrent request consumed it first. The owner is
 * notified of each recovery code that is used.
 */
export async function consumeFactor(tx: Tx, userId: number, factor: VerifiedFactor): Promise<void> {
  if (!(await tryConsumeFactor(tx, userId, factor))) throw new Refusal('SECOND_FACTOR_WRONG');
  if (factor.method !== 'recovery-code') return;
  const { recoveryCodeCount } = await readFactors(tx.db, userId);
  await notifyFactorChange(tx, userId, {
    type: 'security.recovery-code-used',
    title: 'Código de recuperação usado',
    body: `Um código de recuperação da sua conta foi usado no lugar do segundo fator. Códigos que restam: ${recoveryCodeCount}.`,
  });
}

const quarterHourSeconds = 900;
const daySeconds = 86_400;

/**
 * Returns the limits on guessing an account's codes at sign-in. They count across challenges, because everybody who
 * knows the password can request a new challenge. A browser that signed in to the account before has limits of its own.
 */
export async function signInGuessLimits(
  { db }: Pick<Deps, 'db'>,
  userId: number,
  { device }: Pick<ClientInfo, 'device'>,
): Promise<AttemptLimit[]> {
  const isKnown = device !== undefined && (await isKnownDevice(db, userId, hashToken(device)));
  const key = `factor ${userId}${isKnown ? ` device ${hashForLimitKey(device)}` : ''}`;
  return guessLimits(key);
}

/**
 * Returns the limits on guessing codes in an open session. They count per session, so that a session thief cannot use
 * up the owner's guesses.
 */
export function sessionGuessLimits(sessionHash: Buffer): AttemptLimit[] {
  return guessLimits(`factor session ${hashForLimitKey(sessionHash)}`);
}

/**
 * At any moment three of the million possible codes are valid: those of the current time step and of the steps before
 * and after it. With 20 guesses a day, somebody who knows only the password has about a 1 in 50 chance of finding a
 * code within a year.
 */
function guessLimits(key: string): AttemptLimit[] {
  return [
    { key, limit: 5, windowSeconds: quarterHourSeconds },
    { key: `${key} day`, limit: 20, windowSeconds: daySeconds },
  ];
}
