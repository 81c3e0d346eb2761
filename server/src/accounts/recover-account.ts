import { randomBytes } from 'node:crypto';
import { requireOperatorApproval } from '../approvals/index.ts';
import { insertAuditEntry } from '../audit/index.ts';
import { inTransaction, type TxWithSecrets } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import {
  changeUser,
  dropFactors,
  forgetDevicesOf,
  hashPassword,
  normalizeEmail,
  refuseOwnAccount,
  replacePassword,
  returningUserHashQueue,
  searchText,
  uniqueViolationRefusal,
} from '../identity/index.ts';
import { createMailLink, isMailEnabled, writeMail } from '../mail/index.ts';
import { tellMembers, tellOwners } from '../members/index.ts';
import { Refusal } from '../refusal.ts';
import { holdPerson } from '../withdrawals/index.ts';
import { notifyAccountChange } from './change-account.ts';
import { type Account, findAccountToRecover, lockAccount, selectMemberships } from './store.ts';

/** The operator's decision to give a person back what they lost, taken by people who verified who it is. */
export type AccountRecovery = {
  /** The administrator who acts. */
  readonly actorId: number;
  /** The person who lost password, factors and mailbox. */
  readonly personId: number;
  /** The address to which the link for a new password goes, and which replaces the one that was lost. */
  readonly email: string;
  readonly reason: string;
};

const linkLifetimeMs = 24 * 3_600_000;

/**
 * Carries out a recovery that other administrators have approved. No administrator decides it alone: without a policy of
 * the operator that demands approvals it is refused with APPROVALS_OFF. Refused like `recoverAccount`, with RECOVERY_OFF
 * where no mail is sent, and with APPROVAL_REQUESTED until it is approved.
 */
export async function recoverApprovedAccount(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'secrets'>,
  { actorId, personId, email, reason }: AccountRecovery,
): Promise<void> {
  if (!isMailEnabled(deps.config)) throw new Refusal('RECOVERY_OFF');
  const person = await findAccountToRecover(deps.db, personId);
  if (person === undefined) throw new Refusal('USER_NOT_FOUND');
  const order = { user: personId, name: person.name, lost_email: person.email, email, reason };
  if (!(await requireOperatorApproval(deps, actorId, 'recovery', order)))
    throw new Refusal('APPROVALS_OFF', { message: approvalsOffText });
  await inTransaction(deps, (tx) => recoverAccount(tx, { actorId, personId, email, reason }));
}

const approvalsOffText =
  'Devolver o acesso precisa de dois administradores: ligue antes a política de aprovação do operador, em Aprovações.';

/**
 * Gives a person who lost everything access again: takes away the password, the factors and the sessions of whoever may
 * have them, replaces the e-mail, and mails a link for a new password there. Money that leaves on their word, and from
 * every account of which they are an owner, is held for three days, and every member of these accounts is told. The
 * caller has made sure that the gateway sends mail, and that as many administrators decided as have to. Refused with
 * USER_NOT_FOUND, OWN_ACCOUNT, ACCOUNT_FROZEN, EMAIL_TAKEN, and FORBIDDEN for staff, whom only `admin:reset-factor` helps.
 */
export async function recoverAccount(tx: TxWithSecrets, recovery: AccountRecovery): Promise<void> {
  const { actorId, personId, reason } = recovery;
  const person = await lockRecoverable(tx, recovery);
  const memberships = await selectMemberships(tx, personId);
  // An administrator gives nobody access to an account of their own.
  for (const { merchant_id } of memberships) await refuseOwnAccount(tx, actorId, merchant_id);
  const { before } = await dropFactors(tx, personId, new Date(0));
  const unknownPassword = randomBytes(32).toString('base64url');
  const passwordHash = await hashPassword(unknownPassword, returningUserHashQueue(personId));
  await replacePassword(tx, personId, { passwordHash });
  await forgetDevicesOf(tx, personId);
  const email = normalizeEmail(recovery.email);
  await replaceEmail(tx, person, email);
  await holdPerson(tx, personId, 'recovered', { everyOwned: true });
  await insertAuditEntry(tx, {
    actor_id: actorId,
    action: 'account recovered',
    subject_id: personId,
    reason,
    before: { email: person.email, totp: before.hasTotp, passkeys: before.passkeyCount },
    after: { email, totp: false, passkeys: 0 },
  });
  await tellEverybody(tx, person, memberships);
  await mailLink(tx, personId);
}

async function lockRecoverable(tx: TxWithSecrets, { actorId, personId }: AccountRecovery): Promise<Account> {
  const person = await lockAccount(tx, personId);
  if (person === undefined) throw new Refusal('USER_NOT_FOUND');
  await refuseOwnAccount(tx, actorId, personId);
  if (person.role !== 'USER')
    throw new Refusal('FORBIDDEN', { message: 'O acesso da equipe se recupera pela linha de comando.' });
  if (person.frozen_at !== null) throw new Refusal('ACCOUNT_FROZEN');
  return person;
}

async function replaceEmail(tx: TxWithSecrets, person: Account, email: string): Promise<void> {
  if (email === person.email) return;
  try {
    await changeUser(tx, person.id, { email, search_text: searchText({ ...person, email }) });
  } catch (error) {
    throw uniqueViolationRefusal(error) ?? error;
  }
}

/** Tells the lost mailbox, every member of the accounts that the person owns, and the owners of the others. */
async function tellEverybody(
  tx: TxWithSecrets,
  { id, name, email }: Account,
  memberships: Awaited<ReturnType<typeof selectMemberships>>,
): Promise<void> {
  await notifyAccountChange(tx, {
    userId: id,
    kind: 'email',
    title: 'Acesso recuperado pelo suporte',
    body: 'O suporte recuperou o acesso ao seu usuário: o e-mail mudou, o segundo fator e as sessões acabaram, e os saques ficam suspensos por 72 horas.',
    formerEmail: email,
  });
  for (const { merchant_id, role } of memberships) {
    const isOwner = role === 'owner';
    const held = isOwner
      ? 'Os saques da conta ficam suspensos'
      : 'Os saques que essa pessoa pedir ficam suspensos';
    const text = (who: string) =>
      `O suporte recuperou o acesso de ${who}. ${held} por 72 horas. Se isso for estranho, fale com o suporte.`;
    const news = {
      kind: 'recovery',
      exceptId: id,
      title: 'Acesso de um membro recuperado',
      mail: text(email),
      panel: text(`${name} (${email})`),
    } as const;
    await (isOwner ? tellMembers : tellOwners)(tx, merchant_id, news);
  }
}

async function mailLink(tx: TxWithSecrets, userId: number): Promise<void> {
  const linkId = await createMailLink(tx, { userId, purpose: 'password', lifetimeMs: linkLifetimeMs });
  await writeMail(tx, {
    userId,
    kind: 'password-recovery',
    subject: 'Recupere o seu acesso',
    paragraphs: [
      'O suporte recuperou o seu acesso, como você pediu. Abra o link para criar uma senha: ele vale por 24 horas e uma vez só. Depois, cadastre um segundo fator.',
      'Por segurança, os saques ficam suspensos por 72 horas.',
    ],
    linkId,
  });
}
