import type { AdminUser } from '@jangada/contract';
import { insertAuditEntry } from '../audit/index.ts';
import { inTransaction, type TxWithSecrets } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import {
  changeUser,
  closeFrozenSockets,
  endSessions,
  holdsOwnAccount,
  refuseMember,
} from '../identity/index.ts';
import { cancelMailLinks, type NewMail, writeMail } from '../mail/index.ts';
import { Refusal } from '../refusal.ts';
import { makeWithdrawalsDueAfterUnfreeze } from '../withdrawals/index.ts';
import { filterActiveAdministrators } from './administrators.ts';
import { readUser } from './find-users.ts';
import { type LockedAccount, lockAccountAndAdministrators } from './store.ts';

/** `actorId` is the administrator who freezes or unfreezes the account `userId`. */
export type FreezeRequest = { readonly actorId: number; readonly userId: number; readonly reason: string };

type FreezeDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'secrets' | 'log'>;

/**
 * Freezes an account, with immediate effect: its sessions grant no access and their sockets close, its mailed links are
 * void, its API keys are refused, its unsent withdrawals and refunds wait, and nothing new can be created. Payments of
 * its open charges are still credited. Refused with USER_NOT_FOUND, OWN_ACCOUNT, ALREADY_FROZEN, and FORBIDDEN when the
 * caller is no longer an administrator.
 */
export async function freezeUser(deps: FreezeDeps, request: FreezeRequest): Promise<AdminUser> {
  const { actorId, userId, reason } = request;
  await inTransaction(deps, async (tx) => {
    const account = await lockOtherAccount(tx, request);
    if (account.frozen_at !== null) throw new Refusal('ALREADY_FROZEN');
    await changeUser(tx, userId, { frozen_at: tx.now, frozen_because: reason });
    await closeFrozenSockets(tx, userId);
    for (const purpose of ['password', 'email'] as const) await cancelMailLinks(tx, userId, purpose);
    await tellHolderAndPerson(tx, userId, frozenMail, personFrozenMail);
    await insertAuditEntry(tx, {
      actor_id: actorId,
      action: 'user frozen',
      subject_id: userId,
      reason,
      before: { frozen: false },
      after: { frozen: true },
    });
  });
  deps.log.warn({ actorId, userId }, 'an account was frozen');
  return readUser(deps, String(userId));
}

/**
 * Unfreezes an account: withdrawals and refunds that waited are sent. Sessions from before the freeze end, so the owner
 * must sign in again. Refused with USER_NOT_FOUND, OWN_ACCOUNT, NOT_FROZEN and FORBIDDEN.
 */
export async function unfreezeUser(deps: FreezeDeps, request: FreezeRequest): Promise<AdminUser> {
  const { actorId, userId, reason } = request;
  await inTransaction(deps, async (tx) => {
    const account = await lockOtherAccount(tx, request);
    if (account.frozen_at === null) throw new Refusal('NOT_FROZEN');
    await changeUser(tx, userId, { frozen_at: null, frozen_because: null });
    await endSessions(tx, userId);
    await makeWithdrawalsDueAfterUnfreeze(tx, userId);
    await tellHolderAndPerson(tx, userId, unfrozenMail, personUnfrozenMail);
    await insertAuditEntry(tx, {
      actor_id: actorId,
      action: 'user unfrozen',
      subject_id: userId,
      reason,
      before: { frozen: true, frozen_because: account.frozen_because },
      after: { frozen: false },
    });
  });
  deps.log.warn({ actorId, userId }, 'an account was unfrozen');
  return readUser(deps, String(userId));
}

const frozenMail: Omit<NewMail, 'userId'> = {
  kind: 'account',
  subject: 'Sua conta foi bloqueada',
  paragraphs: [
    'O operador bloqueou sua conta. As sessões foram encerradas, a chave de API não vale e nenhum saque sai.',
    'O que for pago nas suas cobranças abertas continua sendo creditado. Fale com o suporte.',
  ],
};

const unfrozenMail: Omit<NewMail, 'userId'> = {
  kind: 'account',
  subject: 'Sua conta foi desbloqueada',
  paragraphs: ['O operador desbloqueou sua conta. Entre de novo para usá-la.'],
};

type MailText = Omit<NewMail, 'userId'>;

const personFrozenMail: MailText = {
  kind: 'person',
  subject: 'O seu acesso foi bloqueado',
  paragraphs: ['O operador bloqueou o seu acesso. As suas sessões foram encerradas. Fale com o suporte.'],
};

const personUnfrozenMail: MailText = {
  kind: 'person',
  subject: 'O seu acesso foi desbloqueado',
  paragraphs: ['O operador desbloqueou o seu acesso. Entre de novo.'],
};

/** An account and the person with whom it began are frozen together; after a handover somebody else holds it. */
async function tellHolderAndPerson(
  tx: TxWithSecrets,
  userId: number,
  toHolder: MailText,
  toPerson: MailText,
): Promise<void> {
  await writeMail(tx, { ...toHolder, userId });
  if (!(await holdsOwnAccount(tx.db, userId))) await writeMail(tx, { ...toPerson, userId });
}

/** Locks the account to freeze or unfreeze. Refuses the administrator's own account, and one of which they are a member. */
async function lockOtherAccount(
  tx: TxWithSecrets,
  { actorId, userId }: FreezeRequest,
): Promise<LockedAccount> {
  const accounts = await lockAccountAndAdministrators(tx.db, userId);
  const account = accounts.find(({ id }) => id === userId);
  if (account === undefined) throw new Refusal('USER_NOT_FOUND');
  if (actorId === userId) throw new Refusal('OWN_ACCOUNT', { message: 'Ninguém congela a própria conta.' });
  await refuseMember(tx, actorId, userId);
  if (!filterActiveAdministrators(accounts).some(({ id }) => id === actorId)) throw new Refusal('FORBIDDEN');
  return account;
}
