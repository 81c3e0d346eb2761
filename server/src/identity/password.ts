import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { siteOf } from '../http/network-of.ts';
import { createWorkQueue, type WorkQueue } from '../work-queue.ts';

// OWASP Password Storage Cheat Sheet: argon2id (this library's default) with 19 MiB and two passes.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** What nobody's password hashes to: verifying against it takes as long as against a real one. */
const nobodysHash = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

// Hashing shares Node's four threads with DNS and files, and the machine's cores with payments: it never takes all.
const entrances = createWorkQueue({
  parallel: Math.max(1, Math.min(2, availableParallelism() - 1)),
  waiting: 50,
});
// Apart: however many strangers come, who is known gets a PIN or a password confirmed.
const confirmations = createWorkQueue({ parallel: 1, waiting: 50 });

/** Where a hash waits, and in which lane (`work-queue.ts`). */
export type HashQueueSlot = { readonly inQueue: WorkQueue; readonly lane: string };

/**
 * With the strangers who come in, or want to; they take turns by site, since a lane for each network would let one party
 * fill the queue with lanes that none is longer than.
 */
export function signInHashQueue(address: string): HashQueueSlot {
  return { inQueue: entrances, lane: siteOf(address) };
}

/** Commands and the demo have no callers. */
const nobodys = signInHashQueue('');

/** With those inside, in a lane beside theirs: who comes by a browser that an account knows, or by a link of its own. */
export function returning(userId: number): HashQueueSlot {
  return { inQueue: confirmations, lane: `${userId} returning` };
}

/** With the accounts that are in. */
export function accountHashQueue(userId: number): HashQueueSlot {
  return { inQueue: confirmations, lane: String(userId) };
}

/** The same password typed on another keyboard may come composed otherwise. */
const canonical = (password: string) => password.normalize('NFC');

/** An argon2id hash in PHC form. Refused with OVERLOADED when too many are waiting. */
export function hashPassword(password: string, { inQueue, lane }: HashQueueSlot = nobodys): Promise<string> {
  return inQueue(() => hash(canonical(password), cost), lane);
}

/** Whether a password is the one of a hash. Without a hash it takes the same time and says no. */
export function verifyPassword(
  passwordHash: string | undefined,
  password: string,
  { inQueue, lane }: HashQueueSlot = nobodys,
): Promise<boolean> {
  return inQueue(() => verify(passwordHash ?? nobodysHash, canonical(password)), lane);
}

/** The same under a key that stands outside the database: what has few values could be guessed from a bare hash. */
export function hashUnderKey(text: string, key: Buffer, { inQueue, lane }: HashQueueSlot): Promise<string> {
  return inQueue(() => hash(text, { ...cost, secret: key }), lane);
}

export function verifyUnderKey(
  keyedHash: string,
  text: string,
  key: Buffer,
  { inQueue, lane }: HashQueueSlot,
): Promise<boolean> {
  return inQueue(() => verify(keyedHash, text, { secret: key }), lane);
}
