import type { Tx } from '../db/transaction.ts';
import type { Caller } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { recordFactorGiven } from './factor-store.ts';

/** Returns the session hash of a call. Refused with UNAUTHENTICATED without one. */
export function requireSession({ sessionHash }: Pick<Caller, 'sessionHash'>): Buffer {
  if (sessionHash === undefined) throw new Refusal('UNAUTHENTICATED');
  return sessionHash;
}

/** Records that a session gave a second factor. Refused with UNAUTHENTICATED if it ended meanwhile. */
export async function elevateSession(tx: Tx, sessionHash: Buffer): Promise<void> {
  if (!(await recordFactorGiven(tx, sessionHash))) throw new Refusal('UNAUTHENTICATED');
}
