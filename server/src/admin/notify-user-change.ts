import type { Tx } from '../db/transaction.ts';
import { cancelMailLinks, writeMail } from '../mail/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { holdPerson } from '../withdrawals/index.ts';
import type { EditableAccount } from './account-change.ts';

/**
 * Notifies the owner of an account that an administrator changed it, and applies the consequences of a new e-mail
 * address. `email` is the address before the change.
 */
export async function notifyUserChange(
  tx: Tx,
  { id, email }: { readonly id: number; readonly email: string },
  changes: Partial<EditableAccount>,
): Promise<void> {
  await writeMessages(tx, [{ merchantId: id, message: { type: 'account' } }]);
  const changedLabels = labels.filter(([columns]) => columns.some((column) => column in changes));
  if (changedLabels.length > 0) {
    const labelList = changedLabels.map(([, label]) => label).join(', ');
    const paragraphs = [
      `Um administrador alterou sua conta: ${labelList}. Se você não esperava por isso, fale com o suporte.`,
    ];
    await writeMail(tx, { userId: id, to: email, kind: 'account', subject: 'Conta alterada', paragraphs });
  }
  if (changes.email !== undefined) await handleNewEmail(tx, id, email);
}

/** How the mail names the changed columns. The e-mail is left out, because a change of e-mail has its own mail. */
const labels: readonly (readonly [columns: readonly (keyof EditableAccount)[], label: string])[] = [
  [['name'], 'nome'],
  [['username'], 'nome de usuário'],
  [['document', 'doc_type'], 'documento'],
  [['role'], 'papel'],
  [['approved'], 'aprovação'],
  [['api_active'], 'uso da API'],
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
  ],
  [['merchant_kind'], 'conta em que você recebe'],
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
