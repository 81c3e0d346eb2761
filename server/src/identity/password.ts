import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { createWorkQueue } from '../work-queue.ts';

// OWASP Password Storage Cheat Sheet: argon2id (this library's default) with 19 MiB and two passes.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** What nobody's password hashes to: verifying against it takes as long as against a real one. */
const nobodysHash = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

// Hashing shares Node's four threads with DNS and files, and the machine's cores with payments: it never takes all.
const queue = createWorkQueue({
  parallel: Math.max(1, Math.min(3, availableParallelism() - 1)),
  waiting: 50,
});

/** The same password typed on another keyboard may come composed otherwise. */
const canonical = (password: string) => password.normalize('NFC');

/** An argon2id hash in PHC form. Refused with OVERLOADED when too many are waiting. */
export function hashPassword(password: string): Promise<string> {
  return queue(() => hash(canonical(password), cost));
}

/** Whether a password is the one of a hash. Without a hash it takes the same time and says no. */
export function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  return queue(() => verify(passwordHash ?? nobodysHash, canonical(password)));
}

/** The same under a key that stands outside the database: what has few values could be guessed from a bare hash. */
export function hashUnderKey(text: string, key: Buffer): Promise<string> {
  return queue(() => hash(text, { ...cost, secret: key }));
}

export function verifyUnderKey(keyedHash: string, text: string, key: Buffer): Promise<boolean> {
  return queue(() => verify(keyedHash, text, { secret: key }));
}
