import { generateSecret, generateURI, verifySync } from 'otplib';
import type { Secrets } from '../secrets.ts';

/*
 * Time-based one-time passwords (TOTP, RFC 6238): the six-digit codes of authenticator apps. Each code belongs to one
 * time step of 30 seconds.
 */

const stepSeconds = 30;
/** An authenticator app's clock may be one step ahead or behind (RFC 6238, 5.2). */
const toleranceSeconds = stepSeconds;

/** 160 random bits in base32, as RFC 4226 recommends. */
export function newTotpSecret(): string {
  return generateSecret();
}

/** The content of the QR code for authenticator apps. */
export function totpUri(secret: string, username: string): string {
  return generateURI({ issuer: 'Jangada', label: username, secret });
}

/**
 * Returns the number of the time step of a six-digit code, or undefined if the code is wrong. A code of `afterStep`,
 * the step of the last consumed code, or of an earlier step counts as wrong, so that each code works once.
 */
export function verifyTotpCode(
  secret: string,
  code: string,
  { now, afterStep }: { readonly now: Date; readonly afterStep: number },
): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const epoch = Math.floor(now.getTime() / 1000);
  const result = verifySync({ secret, token: code, epoch, epochTolerance: toleranceSeconds });
  if (!result.valid) return undefined;
  const step = Math.floor(epoch / stepSeconds) + result.delta;
  return step > afterStep ? step : undefined;
}

/** Encrypts a secret (seals it) together with the user id, so that it is useless in another account's row. */
export function sealTotp(secrets: Secrets, userId: number, secret: string): Buffer {
  return secrets.seal('totp', `${userId}:${secret}`);
}

/** Decrypts a secret. Returns undefined if it was sealed for another account. */
export function openTotp(secrets: Secrets, userId: number, sealed: Buffer): string | undefined {
  const ownerPrefix = `${userId}:`;
  const text = secrets.open('totp', sealed);
  return text.startsWith(ownerPrefix) ? text.slice(ownerPrefix.length) : undefined;
}
