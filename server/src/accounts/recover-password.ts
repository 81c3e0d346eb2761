import { randomUUID } from 'node:crypto';
import type { Deps } from '../deps.ts';
import { networkOf } from '../http/network-of.ts';
import { foldEmail, opaqueKey, takeAttempts } from '../identity/index.ts';
import { isMailOn } from '../mail/index.ts';
import { Refusal } from '../refusal.ts';
import { insertRecovery } from './store.ts';

const hour = 3600;

/**
 * Notes that somebody wants to open the account of an e-mail address again. What is done here is the same whether there
 * is such an account: `sendRecoveryLinks` looks. Refused with RECOVERY_OFF, and RATE_LIMITED by address and by e-mail, known
 * or not; the e-mail's own allowance is so large that nobody uses it up for its owner from one place.
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
