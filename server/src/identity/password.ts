import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import type { Tx } from '../db/transaction.ts';
import { siteOf } from '../http/network-of.ts';
import { cancelMailLinks } from '../mail/index.ts';
import { createWorkQueue, type WorkQueue } from '../work-queue.ts';
import { deleteChallengesOf } from './factor-store.ts';
import { endSessions } from './session.ts';
import { updatePasswordHash } from './store.ts';

// OWASP Password Storage Cheat Sheet: argon2id (this library's default) with 19 MiB and two passes.
const argonCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * A hash that no password matches. Verifying it takes as long as verifying a real one, so that the response time does
 * not reveal which accounts exist.
 */
const dummyHash = `$argon2id$v=19$m=${argonCost.memoryCost},t=${argonCost.timeCost},p=${argonCost.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

// Hashing runs in Node's pool of four threads, which DNS and files also need, and on the CPU cores that process
// payments. It must never occupy all of the threads or all of the cores.
const signInQueue = createWorkQueue({
  parallel: Math.max(1, Math.min(2, availableParallelism() - 1)),
  waiting: 50,
});
// A separate queue: however many strangers sign in, known users can still confirm a PIN or password.
const confirmationQueue = createWorkQueue({ parallel: 1, waiting: 50 });

/**
 * The queue and the lane in which a hash waits. The lanes of a queue take turns, so that a long lane does not block the
 * others.
 */
export type HashQueueSlot = { readonly queue: WorkQueue; readonly lane: string };

/**
 * The queue for strangers who sign in or register, with a lane per site (an IPv4 address or an IPv6 /48). A lane per
 * network would be too narrow: one IPv6 party easily has many networks and could fill the queue with many short lanes.
 */
export function signInHashQueue(address: string): HashQueueSlot {
  return { queue: signInQueue, lane: siteOf(address) };
}

/** The queue for commands and the demo, which have no caller. */
const queueWithoutCaller = signInHashQueue('');

/**
 * The queue of signed-in accounts, in a second lane per account: for sign-ins from a known browser, and for passwords
 * set by a mailed link. The lane is separate so that these and the account's open sessions do not block each other.
 */
export function returningUserHashQueue(userId: number): HashQueueSlot {
  return { queue: confirmationQueue, lane: `${userId} returning` };
}

/** The queue of signed-in accounts, with a lane per account for the passwords and PINs entered in its sessions. */
export function accountHashQueue(userId: number): HashQueueSlot {
  return { queue: confirmationQueue, lane: String(userId) };
}

/** Normalizes a password for hashing, because another keyboard may encode the same characters differently. */
const normalizePassword = (password: string) => password.normalize('NFC');

/** Returns an argon2id hash in PHC format. Refused with OVERLOADED when the queue is full. */
export function hashPassword(
  password: string,
  { queue, lane }: HashQueueSlot = queueWithoutCaller,
): Promise<string> {
  return queue(() => hash(normalizePassword(password), argonCost), lane);
}

/** Verifies a password. Without a hash, which means that the account is unknown, returns false after the same time. */
export function verifyPassword(
  passwordHash: string | undefined,
  password: string,
  { queue, lane }: HashQueueSlot = queueWithoutCaller,
): Promise<boolean> {
  return queue(() => verify(passwordHash ?? dummyHash, normalizePassword(password)), lane);
}

/**
 * Hashes a short text, such as a PIN, with a key that is not in the database. Without such a key, whoever gets the hash
 * could find the text by trying all of the few possible texts.
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
 * Sets a new password and ends all sessions except `keptSessionHash`. Also cancels open challenges, such as unfinished
 * sign-ins, and mailed links, because somebody who knew the old password may have started them.
 */
export async function replacePassword(
  tx: Tx,
  userId: number,
  { passwordHash, keptSessionHash }: { readonly passwordHash: string; readonly keptSessionHash?: Buffer },
): Promise<void> {
  await updatePasswordHash(tx.db, userId, passwordHash, tx.now);
  await deleteChallengesOf(tx, userId);
  for (const purpose of ['password', 'email'] as const) await cancelMailLinks(tx, userId, purpose);
  await endSessions(tx, userId, { keptSessionHash });
}
