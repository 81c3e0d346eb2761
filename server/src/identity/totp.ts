import { generateSecret, generateURI, verifySync } from 'otplib';
import type { Secrets } from '../secrets.ts';

const stepSeconds = 30;
/** A clock may be a step early or late (RFC 6238, 5.2). */
const tolerance = stepSeconds;

/** 160 random bits, as RFC 4226 wants them, in base32. */
export function newTotpSecret(): string {
  return generateSecret();
}

/** What an authenticator app reads from the QR code. */
export function totpUri(secret: string, username: string): string {
  return generateURI({ issuer: 'Jangada', label: username, secret });
}

/** The time step of a code of six digits; undefined when it is wrong, or of a step up to `afterStep`. */
export function stepOfCode(
  secret: string,
  code: string,
  { now, afterStep }: { readonly now: Date; readonly afterStep: number },
): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const epoch = Math.floor(now.getTime() / 1000);
  const result = verifySync({ secret, token: code, epoch, epochTolerance: tolerance });
  if (!result.valid) return undefined;
  const step = Math.floor(epoch / stepSeconds) + result.delta;
  return step > afterStep ? step : undefined;
}

/** Sealed with whose it is: moved to another account's row it opens nothing. */
export function sealTotp(secrets: Secrets, userId: number, secret: string): Buffer {
  return secrets.seal('totp', `${userId}:${secret}`);
}

/** Undefined when it was sealed for somebody else. */
export function openTotp(secrets: Secrets, userId: number, sealed: Buffer): string | undefined {
  const owner = `${userId}:`;
  const text = secrets.open('totp', sealed);
  return text.startsWith(owner) ? text.slice(owner.length) : undefined;
}
