import type { Tx } from '../db/transaction.ts';
import { holdsOwnAccount } from '../identity/index.ts';
import { cancelMailLinks, type NewMail, writeMail } from '../mail/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { holdPerson } from '../withdrawals/index.ts';
import type { EditableAccount } from './account-change.ts';

/**
 * Notifies whoever holds an account, and the person with whom it began, that an administrator changed it or them, and
 * applies the consequences of a new e-mail address. `email` is the person's address before the change.
 */
export async function notifyUserChange(
  tx: Tx,
  { id, email }: { readonly id: number; readonly email: string },
  changes: Partial<EditableAccount>,
): Promise<void> {
  await writeMessages(tx, [{ merchantId: id, message: { type: 'account' } }]);
  const changedLabels = labels.filter(([columns]) => columns.some((column) => column in changes));
  if (await holdsOwnAccount(tx.db, id)) {
    await mailChange(tx, { userId: id, kind: 'person', to: email }, changedLabels);
  } else {
    const isOfPerson = ([, , of]: Label) => of !== 'account';
    const isOfAccount = ([, , of]: Label) => of !== 'person';
    await mailChange(tx, { userId: id, kind: 'person', to: email }, changedLabels.filter(isOfPerson));
    await mailChange(tx, { userId: id, kind: 'account' }, changedLabels.filter(isOfAccount));
  }
  if (changes.email !== undefined) await handleNewEmail(tx, id, email);
}

async function mailChange(
  tx: Tx,
  mail: Pick<NewMail, 'userId' | 'kind' | 'to'>,
  changedLabels: readonly Label[],
): Promise<void> {
  if (changedLabels.length === 0) return;
  const labelList = changedLabels.map(([, label]) => label).join(', ');
  const changed =
    mail.kind === 'person'
      ? 'Um administrador alterou sua conta'
      : 'Um administrador alterou a conta que você tem';
  const paragraphs = [`${changed}: ${labelList}. Se você não esperava por isso, fale com o suporte.`];
  await writeMail(tx, { ...mail, subject: 'Conta alterada', paragraphs });
}

type Label = readonly [
  columns: readonly (keyof EditableAccount)[],
  label: string,
  /** Whom it concerns once somebody else holds the account: both, if it is not said. */
  of?: 'person' | 'account',
];

/** How the mail names the changed columns. The e-mail is left out, because a change of e-mail has its own mail. */
const labels: readonly Label[] = [
  [['name'], 'nome'],
  [['username'], 'nome de usuário', 'person'],
  [['document', 'doc_type'], 'documento'],
  [['role'], 'papel', 'person'],
  [['approved'], 'aprovação', 'account'],
  [['api_active'], 'uso da API', 'account'],
  [
    [
      'in_rate',
      'out_rate',
      'fix_in_cents',
      'fix_out_cents',
      'crypto_rate',
      'reserve_enabled',
      'reserve_rate',
      'reserve_days',
    ],
    'tarifas e reserva',
    'account',
  ],
  [['merchant_kind'], 'conta em que você recebe', 'account'],
];

/** Notifies the previous address, voids the links mailed to it and holds withdrawals. */
async function handleNewEmail(tx: Tx, userId: number, previousEmail: string): Promise<void> {
  await holdPerson(tx, userId, 'email-changed');
  await cancelMailLinks(tx, userId, 'password');
  await cancelMailLinks(tx, userId, 'email');
  await writeMail(tx, {
    userId,
    to: previousEmail,
    kind: 'former-email',
    subject: 'E-mail alterado',
    paragraphs: [
      'O e-mail da sua conta foi alterado por um administrador. Por segurança, os saques ficam suspensos por 24 horas.',
    ],
  });
}
