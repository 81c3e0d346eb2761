import { createHash, randomBytes } from 'node:crypto';

const hour = 3_600_000;
export const SESSION_IDLE_MS = 12 * hour;
export const SESSION_MAX_MS = 7 * 24 * hour;
/** A session's last call is recorded at most this often. */
export const SESSION_SEEN_MS = 60_000;
export const TICKET_MS = 30_000;
/** Lifetime of a challenge. */
export const CHALLENGE_MS = 5 * 60_000;
/** How long a second factor stays valid after it was given. */
export const FACTOR_FRESH_MS = 5 * 60_000;

/** A bearer token of 256 random bits. The database stores only its hash. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256 is enough for a secret that is itself random. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
