import type { Registration, User } from '@jangada/contract';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { networkOf } from '../http/network-of.ts';
import { invariant } from '../invariant.ts';
import { refuseWeakPassword } from '../passwords/index.ts';
import { createAccount } from './create-account.ts';
import { type ClientInfo, openSession } from './open-session.ts';
import { hashPassword, signInHashQueue } from './password.ts';
import { findAccount } from './store.ts';
import { takeAttempt } from './throttle.ts';
import { userOf } from './user.ts';

/**
 * Creates an account and signs it in. Every attempt counts against the address, since a response reveals whether a
 * username, e-mail or document is taken. Refused with USERNAME_TAKEN, EMAIL_TAKEN, DOCUMENT_TAKEN, PASSWORD_COMMON,
 * RATE_LIMITED or OVERLOADED.
 */
export async function registerAccount(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  { password, doctype, ...registration }: Registration,
  visitor: ClientInfo,
): Promise<{ token: string; user: User }> {
  await takeAttempt(deps, {
    key: `register ${networkOf(visitor.address)}`,
    limit: deps.config.registrationsPerAddress,
    windowSeconds: 3600,
  });
  refuseWeakPassword(password, registration);
  const passwordHash = await hashPassword(password, signInHashQueue(visitor.address));
  const docType = doctype === 'cpf' ? 'CPF' : 'CNPJ';
  return inTransaction(deps, async (tx) => {
    const id = await createAccount(tx, { ...registration, docType, passwordHash });
    const account = await findAccount(tx.db, id);
    invariant(account !== undefined, 'a new account has its ledger accounts');
    return { token: await openSession(tx, id, visitor), user: userOf(account) };
  });
}
