import type { Tx } from '../db/transaction.ts';
import type { Caller } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { recordFactorGiven } from './factor-store.ts';

/** The session that a call came with. Refused with UNAUTHENTICATED. */
export function requireSession({ sessionHash }: Pick<Caller, 'sessionHash'>): Buffer {
  if (sessionHash === undefined) throw new Refusal('UNAUTHENTICATED');
  return sessionHash;
}

/** From now on a session counts as one that gave a second factor. Refused with UNAUTHENTICATED when it ended meanwhile. */
export async function elevateSession(tx: Tx, sessionHash: Buffer): Promise<void> {
  if (!(await recordFactorGiven(tx, sessionHash))) throw new Refusal('UNAUTHENTICATED');
}
