import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import type { Tx } from '../db/transaction.ts';
import { siteOf } from '../http/network-of.ts';
import { cancelLinks } from '../mail/index.ts';
import { createWorkQueue, type WorkQueue } from '../work-queue.ts';
import { deleteChallengesOf } from './factor-store.ts';
import { endSessions } from './session.ts';
import { updatePasswordHash } from './store.ts';

// OWASP Password Storage Cheat Sheet: argon2id (this library's default) with 19 MiB and two passes.
const argonCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A hash that no password matches: verifying against it takes as long as against a real one. */
const unmatchableHash = `$argon2id$v=19$m=${argonCost.memoryCost},t=${argonCost.timeCost},p=${argonCost.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

// Hashing shares Node's four threads with DNS and files, and the CPU cores with payments, so it must never use all of
// them.
const signInQueue = createWorkQueue({
  parallel: Math.max(1, Math.min(2, availableParallelism() - 1)),
  waiting: 50,
});
// A separate queue: however many strangers sign in, known users can still confirm a PIN or password.
const confirmationQueue = createWorkQueue({ parallel: 1, waiting: 50 });

/**
 * The queue in which a hash waits, and its lane: the lanes of a queue take turns, so that no lane keeps out another.
 */
export type HashQueueSlot = { readonly queue: WorkQueue; readonly lane: string };

/**
 * The queue of strangers who sign in or register. Lanes are per site: with a lane per network, one party could fill the
 * queue with many short lanes.
 */
export function signInHashQueue(address: string): HashQueueSlot {
  return { queue: signInQueue, lane: siteOf(address) };
}

/** The queue for commands and the demo, which have no caller. */
const noCallerQueue = signInHashQueue('');

/**
 * The queue of signed-in accounts, with a second lane per account for sign-ins from a known browser and mailed links.
 */
export function returningUserHashQueue(userId: number): HashQueueSlot {
  return { queue: confirmationQueue, lane: `${userId} returning` };
}

/** The queue of signed-in accounts, with a lane per account. */
export function accountHashQueue(userId: number): HashQueueSlot {
  return { queue: confirmationQueue, lane: String(userId) };
}

/** The form in which a password is hashed: another keyboard may compose the same characters differently. */
const canonical = (password: string) => password.normalize('NFC');

/** Returns an argon2id hash in PHC form. Refused with OVERLOADED when too many are waiting. */
export function hashPassword(
  password: string,
  { queue, lane }: HashQueueSlot = noCallerQueue,
): Promise<string> {
  return queue(() => hash(canonical(password), argonCost), lane);
}

/** Verifies a password. Without a hash it takes the same time and returns false. */
export function verifyPassword(
  passwordHash: string | undefined,
  password: string,
  { queue, lane }: HashQueueSlot = noCallerQueue,
): Promise<boolean> {
  return queue(() => verify(passwordHash ?? unmatchableHash, canonical(password)), lane);
}

/**
 * Hashes a short text, such as a PIN, with a key that is not in the database: from a hash without a key the text could
 * be guessed, because there are only few possible texts.
 */
export function hashUnderKey(text: string, key: Buffer, { queue, lane }: HashQueueSlot): Promise<string> {
  return queue(() => hash(text, { ...argonCost, secret: key }), lane);
}

export function verifyUnderKey(
  keyedHash: string,
  text: string,
  key: Buffer,
  { queue, lane }: HashQueueSlot,
): Promise<boolean> {
  return queue(() => verify(keyedHash, text, { secret: key }), lane);
}

/**
 * Sets a new password and ends everything the old one opened: all sessions except `keptSession`, unfinished sign-ins
 * and mailed links.
 */
export async function replacePassword(
  tx: Tx,
  userId: number,
  { passwordHash, keptSession }: { readonly passwordHash: string; readonly keptSession?: Buffer },
): Promise<void> {
  await updatePasswordHash(tx.db, userId, passwordHash, tx.now);
  await deleteChallengesOf(tx, userId);
  for (const purpose of ['password', 'email'] as const) await cancelLinks(tx, userId, purpose);
  await endSessions(tx, userId, { keptSession });
}
