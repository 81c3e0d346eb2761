import type { Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { findPasskey, findTotp, takeRecoveryCode, takeSignature, takeTotpStep } from './factor-store.ts';
import { credentialIdOf, readSignature, type SubmittedCredential } from './passkey.ts';
import { hashRecoveryCode, readRecoveryCode } from './recovery-code.ts';
import { openTotp, stepOfCode } from './totp.ts';

type FactorDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'secrets' | 'log'>;

/** A second factor as submitted: a TOTP or recovery code, or a passkey's assertion. */
export type SubmittedFactor = {
  readonly code?: string | undefined;
  readonly credential?: SubmittedCredential | undefined;
};

/** A valid factor that is not consumed yet: of two concurrent uses only one succeeds. */
export type VerifiedFactor =
  | { readonly method: 'totp'; readonly sealedSecret: Buffer; readonly step: number }
  | { readonly method: 'recovery-code'; readonly hash: Buffer }
  | { readonly method: 'passkey'; readonly id: string; readonly signCount: number };

/**
 * Verifies a submitted factor; undefined if it is invalid. `webauthnChallenge`: the challenge a passkey must have
 * signed.
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
  const isRecovery = code !== undefined && readRecoveryCode(code) !== undefined;
  return isRecovery
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
  const step = secret && stepOfCode(secret, code, { now: clock.now(), afterStep: totp.last_step });
  return step ? { method: 'totp', sealedSecret: totp.sealed_secret, step } : undefined;
}

async function verifyPasskey(
  deps: FactorDeps,
  asked: { readonly userId: number; readonly webauthnChallenge: string },
  credential: SubmittedCredential,
): Promise<VerifiedFactor | undefined> {
  const credentialId = credentialIdOf(credential);
  const passkey = credentialId && (await findPasskey(deps.db, credentialId));
  if (passkey?.user_id !== asked.userId) return undefined;
  const question = { expectedChallenge: asked.webauthnChallenge, alone: false };
  const signCount = await readSignature(deps, passkey, question, credential);
  return signCount === undefined ? undefined : { method: 'passkey', id: passkey.id, signCount };
}

/** False if a concurrent request consumed it first. */
export function tryConsumeFactor(tx: Tx, userId: number, factor: VerifiedFactor): Promise<boolean> {
  switch (factor.method) {
    case 'totp':
      return takeTotpStep(tx, userId, factor);
    case 'recovery-code':
      return takeRecoveryCode(tx, userId, factor.hash);
    case 'passkey':
      return takeSignature(tx, { userId, ...factor });
  }
}
