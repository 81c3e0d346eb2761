import { randomUUID } from 'node:crypto';
import type { Deps } from '../deps.ts';
import { networkOf } from '../http/network-of.ts';
import { foldEmail, opaqueKey, takeAttempts } from '../identity/index.ts';
import { isMailOn } from '../mail/index.ts';
import { Refusal } from '../refusal.ts';
import { insertRecovery } from './store.ts';

const hour = 3600;

/**
 * Queues a password recovery request for an e-mail address. Does the same work whether or not the account exists:
 * `sendRecoveryLinks` checks that later. Refused with RECOVERY_OFF, and with RATE_LIMITED per network and per e-mail,
 * known or not; the limit per e-mail is so high that nobody can use it up for the owner from one network.
 */
export async function recoverPassword(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  typed: string,
  address: string,
): Promise<void> {
  if (!isMailOn(deps.config)) throw new Refusal('RECOVERY_OFF');
  const email = foldEmail(typed);
  const network = networkOf(address);
  const name = opaqueKey(email);
  await takeAttempts(deps, [
    { key: `recover at ${network}`, limit: 30, windowSeconds: hour },
    { key: `recover ${name} at ${network}`, limit: 5, windowSeconds: hour },
    { key: `recover ${name}`, limit: 20, windowSeconds: hour },
  ]);
  await insertRecovery(deps.db, randomUUID(), email, deps.clock.now());
}
