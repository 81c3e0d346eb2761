import { insertAuditEntry } from '../audit/index.ts';
import type { TxWithSecrets } from '../db/transaction.ts';
import { dropFactors, endSessions, findByLogin, forgetDevicesOf } from '../identity/index.ts';
import { PLATFORM } from '../ledger/index.ts';
import { cancelMailLinks } from '../mail/index.ts';
import { Refusal } from '../refusal.ts';
import { holdPerson } from '../withdrawals/index.ts';
import { notifyAccountChange } from './change-account.ts';
import { lockAccount } from './store.ts';

/**
 * Removes all second factors of an account whose owner lost them, and holds the account's withdrawals for a day. Ends
 * the account's sessions, forgets its known browsers and cancels its mailed links. The audit log records the platform
 * as the actor, because the operator runs this outside the API. Refused with USER_NOT_FOUND or FACTOR_MISSING.
 */
export async function resetFactor(tx: TxWithSecrets, username: string): Promise<void> {
  const found = await findByLogin(tx.db, username.normalize('NFC').toLowerCase());
  const account = found && (await lockAccount(tx, found.id));
  if (account === undefined) throw new Refusal('USER_NOT_FOUND');
  const { id: userId } = account;
  const { hasTotp, passkeyCount } = (await dropFactors(tx, userId, new Date(0))).before;
  if (!hasTotp && passkeyCount === 0) throw new Refusal('FACTOR_MISSING');
  await endSessions(tx, userId);
  await forgetDevicesOf(tx, userId);
  for (const purpose of ['password', 'email'] as const) await cancelMailLinks(tx, userId, purpose);
  await holdPerson(tx, userId, 'factor-reset');
  const title = 'Segundo fator removido';
  const body =
    'O segundo fator da sua conta foi removido pelo suporte. Todas as sessões foram encerradas, e os saques ficam suspensos por 24 horas.';
  await notifyAccountChange(tx, { userId, kind: 'factor', title, body });
  await insertAuditEntry(tx, {
    actor_id: PLATFORM,
    action: 'second factor removed',
    subject_id: userId,
    reason: null,
    before: { totp: hasTotp, passkeys: passkeyCount },
    after: { totp: false, passkeys: 0 },
  });
}
