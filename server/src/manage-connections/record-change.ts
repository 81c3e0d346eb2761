import type { AuditAction } from '@jangada/contract';
import { insertAuditEntry } from '../audit/index.ts';
import type { ConnectionRow } from '../connections/index.ts';
import type { TxWithSecrets } from '../db/transaction.ts';
import { writeMail } from '../mail/index.ts';
import { saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';

/** The texts about each change. They omit names, which are user input. */
const changes = {
  activated: {
    action: 'connection activated',
    title: 'Conta bancária ativada',
    body: 'Uma conta bancária foi ativada para receber os seus pagamentos.',
  },
  'credentials replaced': {
    action: 'connection credentials replaced',
    title: 'Credenciais do banco alteradas',
    body: 'Credenciais novas foram enviadas para uma das suas contas bancárias. Elas valem quando a verificação passar.',
  },
  'debit account set': {
    action: 'connection debit account set',
    title: 'Conta para débitos alterada',
    body: 'A agência, o número ou o tipo da conta em que os débitos do Pix Automático entram foram informados.',
  },
  ordered: {
    action: 'connections ordered',
    title: 'Ordem das contas bancárias alterada',
    body: 'A ordem em que as suas contas bancárias recebem foi alterada.',
  },
  suspended: {
    action: 'connection suspended',
    title: 'Conta bancária suspensa',
    body: 'Uma das suas contas bancárias foi suspensa: nada novo pode ser recebido nela.',
  },
  'suspended by operator': {
    action: 'connection suspended',
    title: 'Conta bancária suspensa pelo operador',
    body: 'O operador suspendeu uma das suas contas bancárias: nada novo pode ser recebido nela até ele a reativar.',
  },
  resumed: {
    action: 'connection resumed',
    title: 'Conta bancária reativada',
    body: 'O operador reativou uma das suas contas bancárias: ela volta a receber.',
  },
  retiring: {
    action: 'connection retired',
    title: 'Conta bancária em encerramento',
    body: 'Nada novo pode ser recebido em uma das suas contas bancárias. O que começou nela continua até o fim do prazo de estorno.',
  },
  addressed: {
    action: 'connection addresses set',
    title: 'Endereços do banco informados',
    body: 'O operador informou os endereços do banco da sua conta. Ela já pode ser verificada.',
  },
} as const satisfies Record<string, { action: AuditAction; title: string; body: string }>;

/**
 * Records a change of an account in the audit log, and tells the owner by mail, in the panel and by push. `actorId`: who
 * made it, the owner or an administrator.
 */
export async function recordChange(
  tx: TxWithSecrets,
  change: keyof typeof changes,
  row: Pick<ConnectionRow, 'id' | 'merchant_id' | 'bank' | 'pix_key'>,
  {
    actorId,
    reason = null,
    before = {},
    after = {},
  }: {
    readonly actorId: number;
    readonly reason?: string | null;
    readonly before?: Record<string, unknown>;
    readonly after?: Record<string, unknown>;
  },
): Promise<void> {
  const { action, title, body } = changes[change];
  const { id, merchant_id: merchantId, bank, pix_key } = row;
  await insertAuditEntry(tx, {
    actor_id: actorId,
    action,
    subject_id: merchantId,
    reason,
    before,
    after: { connection: String(id), bank, pix_key, ...after },
  });
  const reasons = reason === null ? [] : [`Motivo: ${reason}`];
  // An alarm tells the owner to change the password, which does not help against what the operator did.
  const kind = actorId === merchantId ? 'bank' : 'account';
  await writeMail(tx, {
    userId: merchantId,
    kind,
    subject: title,
    paragraphs: [body, ...reasons],
  });
  // The order is of all accounts, so its notification leads to none of them.
  const data = {
    type: `connection.${change.replaceAll(' ', '-')}`,
    ...(change !== 'ordered' && { id: String(id) }),
  };
  const notifications = await saveNotifications(tx, [{ merchantId, title, body, data }]);
  await writeMessages(tx, [...notifications, { merchantId, message: { type: 'account' } }]);
}
