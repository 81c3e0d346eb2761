import { insertAuditEntry } from '../audit/index.ts';
import type { KeyedTx } from '../db/transaction.ts';
import { PLATFORM } from '../ledger/index.ts';
import { Refusal } from '../refusal.ts';
import { endSessions } from './end-sessions.ts';
import {
  deleteChallengesOf,
  deletePasskeysOf,
  deleteTotp,
  lockFactors,
  readFactors,
  replaceRecoveryCodes,
} from './factor-store.ts';
import { hasFactor } from './second-factor.ts';
import { findByLogin } from './store.ts';
import { tellFactor } from './tell-factor.ts';

/**
 * Takes all second factors from an account whose owner lost them, ends its sessions, and says so in the audit log: the
 * operator did it, from outside the API. Refused with USER_NOT_FOUND or FACTOR_MISSING.
 */
export async function resetFactor(tx: KeyedTx, username: string): Promise<void> {
  const [account] = await findByLogin(tx.db, username.normalize('NFC').toLowerCase());
  if (account === undefined) throw new Refusal('USER_NOT_FOUND');
  const { id: userId } = account;
  await lockFactors(tx, userId);
  const before = await readFactors(tx.db, userId);
  if (!hasFactor(before)) throw new Refusal('FACTOR_MISSING');
  await deleteTotp(tx, userId);
  await deletePasskeysOf(tx, userId);
  await replaceRecoveryCodes(tx, userId, []);
  await deleteChallengesOf(tx, userId);
  await endSessions(tx, userId);
  await tellFactor(tx, userId, {
    type: 'security.factor-reset',
    title: 'Segundo fator removido',
    body: 'O segundo fator da sua conta foi removido pelo operador, e as sessões foram encerradas.',
  });
  const { totp, passkeys } = before;
  await insertAuditEntry(tx, {
    actor_id: PLATFORM,
    action: 'second factor removed',
    subject_id: userId,
    reason: null,
    before: { totp, passkeys },
    after: { totp: false, passkeys: 0 },
  });
}
