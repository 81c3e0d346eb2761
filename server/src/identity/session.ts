import { createHash, randomBytes } from 'node:crypto';

const hour = 3_600_000;
export const SESSION_IDLE_MS = 12 * hour;
export const SESSION_MAX_MS = 7 * 24 * hour;
/** A session's last call is noted at most this often. */
export const SESSION_SEEN_MS = 60_000;
export const TICKET_MS = 30_000;
/** How long a question that we asked may be answered. */
export const CHALLENGE_MS = 5 * 60_000;
/** A second factor that was given counts so long for what asks for it. */
export const FACTOR_FRESH_MS = 5 * 60_000;

/** 256 random bits that show who somebody is. The database keeps only their hash. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256: enough for a secret that is itself random. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
