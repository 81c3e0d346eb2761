import type { BodyOf, changePassword as endpoint } from '@jangada/contract';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import {
  accountHashQueue,
  confirmPassword,
  hashPassword,
  replacePassword,
  requireFactor,
} from '../identity/index.ts';
import { refuseWeakPassword } from '../passwords/index.ts';
import { Refusal } from '../refusal.ts';
import { notifyAccountChange } from './notify-account-change.ts';
import { findOwner, isSessionAlive, lockAccount } from './store.ts';

type ChangeDeps = Pick<Deps, 'db' | 'clock'>;

/**
 * Changes the password of the caller's account and ends its other sessions and mailed links. Refused with
 * PASSWORD_COMMON, and as `requireFactor` and `confirmPassword`.
 */
export async function changePassword(
  deps: ChangeDeps,
  caller: Caller,
  { current_password, new_password }: BodyOf<typeof endpoint>,
  stepUp: string | undefined,
): Promise<void> {
  const { userId, sessionHash } = caller;
  const owner = await findOwner(deps.db, userId);
  if (owner === undefined || sessionHash === undefined) throw new Refusal('UNAUTHENTICATED');
  await confirmPassword(deps, caller, current_password);
  await requireFactor(deps, caller, stepUp);
  if (new_password === current_password)
    throw new Refusal('PASSWORD_COMMON', { message: 'A senha nova é igual à atual. Escolha outra.' });
  refuseWeakPassword(new_password, owner);
  const passwordHash = await hashPassword(new_password, accountHashQueue(userId));
  await inTransaction(deps, async (tx) => {
    await lockAccount(tx, userId);
    // The password may have been reset by a link meanwhile, which ended this session; the reset takes precedence.
    if (!(await isSessionAlive(tx, sessionHash))) throw new Refusal('UNAUTHENTICATED');
    await replacePassword(tx, userId, { passwordHash, kept: sessionHash });
    const body = 'A senha da sua conta foi alterada, e as outras sessões foram encerradas.';
    await notifyAccountChange(tx, { userId, kind: 'password', title: 'Senha alterada', body });
  });
}
