// The Portuguese words for entries of the audit log, and the comparison of the values before and after an action.

import { auditActions, centsFromBrl, memberRoles, memberRoleTexts } from '@jangada/contract';
import { formatDateTime } from '../../format/date.ts';
import { kycSideNames } from '../../format/kyc-side.ts';
import { formatMoney, formatRate } from '../../format/money.ts';
import { stateLabels } from '../../panel/bank/connection-words.ts';
import { bankAccountLabel, itemTitles } from '../../panel/operation/item-words.ts';
import { movementNames } from '../../panel/operation/movement-names.ts';
import { roleLabels } from '../../panel/users/user-display.tsx';

const actionLabels = new Map<string, string>(Object.entries(auditActions));

/** The name of an action in Portuguese; an unknown action is shown as received. */
export function actionLabel(action: string): string {
  return actionLabels.get(action) ?? action;
}

const fieldLabels = new Map([
  ['name', 'Nome'],
  ['document', 'Documento'],
  ['doc_type', 'Tipo de documento'],
  ['email', 'E-mail'],
  ['role', 'Papel'],
  ['approved', 'Aprovado'],
  ['api_active', 'API ativa'],
  ['api_held', 'API desligada pelo administrador'],
  ['in_rate', 'Tarifa de entrada'],
  ['out_rate', 'Tarifa de saída'],
  ['fix_in_cents', 'Tarifa fixa de entrada'],
  ['fix_out_cents', 'Tarifa fixa de saída'],
  ['crypto_rate', 'Tarifa de cripto'],
  ['reserve_enabled', 'Reserva'],
  ['reserve_rate', 'Percentual da reserva'],
  ['reserve_days', 'Dias da reserva'],
  ['merchant_kind', 'Conta em que recebe'],
  ['balance_cents', 'Saldo'],
  ['amount_cents', 'Valor'],
  ['frozen', 'Congelado'],
  ['frozen_because', 'Motivo do congelamento'],
  ['totp', 'Aplicativo autenticador'],
  ['passkeys', 'Chaves de acesso'],
  ['status', 'Status'],
  ['submission', 'Envio'],
  ['side', 'Imagem'],
  ['withdrawal', 'Saque'],
  ['refund', 'Estorno'],
  ['bank_refund_id', 'Estorno no banco'],
  ['dispute', 'Disputa'],
  ['protocol', 'Protocolo'],
  ['file', 'Arquivo'],
  ['id', 'ID'],
  ['id_envio', 'idEnvio'],
  ['end_to_end_id', 'EndToEndId'],
  ['held_because', 'Motivo da retenção'],
  ['stopped_because', 'Motivo da parada'],
  ['kind', 'Tipo'],
  ['reference', 'Referência'],
  ['item', 'Pendência'],
  ['closed', 'Encerrada'],
  ['happened_at', 'Quando'],
  ['outcome', 'Desfecho'],
  ['proposed', 'Proposta'],
  ['username', 'Usuário'],
  ['connection', 'Conta bancária'],
  ['bank', 'Banco'],
  ['pix_key', 'Chave Pix'],
  ['state', 'Estado'],
  ['order', 'Ordem das contas'],
  ['api_url', 'Endereço da API Pix'],
  ['token_url', 'Endereço do token'],
  ['member', 'Membro'],
  ['holder', 'Titular'],
  ['refund_limit', 'Limite de estornos por dia'],
  ['withdrawal_limit', 'Limite de saques por dia'],
  ['keys', 'Chaves que criou'],
  ['revoked_keys', 'Chaves revogadas'],
  ['identity_review_since', 'Identidade por conferir desde'],
  ['from_cents', 'Aprovação a partir de'],
  ['approvals', 'Aprovações'],
  ['approvers', 'Quem aprova'],
  ['request', 'Pedido de aprovação'],
  ['digest', 'Resumo do pedido'],
]);

/** The name of a field in Portuguese; an unknown field is shown as received. */
export function fieldLabel(field: string): string {
  return fieldLabels.get(field) ?? field;
}

/** The Portuguese names of values that come from a fixed list, such as a status or a role, by field. */
const valueLabels = new Map<string, ReadonlyMap<unknown, string>>([
  [
    'status',
    new Map([
      ['pending', 'Pendente'],
      ['processing', 'Processando'],
      ['completed', 'Concluído'],
      ['failed', 'Falhou'],
      ['approved', 'Aprovada'],
      ['rejected', 'Rejeitada'],
    ]),
  ],
  ['side', new Map<unknown, string>(Object.entries(kycSideNames))],
  [
    'outcome',
    new Map([
      ['suspense', 'Sem dono'],
      ['assigned', 'Atribuído'],
      ['returning', 'Devolvendo'],
      ['returned', 'Devolvido'],
    ]),
  ],
  [
    'proposed',
    new Map([
      ['assign', 'Atribuir'],
      ['return', 'Devolver'],
    ]),
  ],
  // A discrepancy that concerns the bank account itself, not one Pix, has the reference `account`.
  ['reference', new Map([['account', bankAccountLabel]])],
  ['kind', new Map<unknown, string>([...Object.entries(movementNames), ...itemTitles])],
  [
    'role',
    new Map<unknown, string>([
      ...Object.entries(roleLabels),
      ...memberRoles.map((role) => [role, memberRoleTexts[role].label] as const),
    ]),
  ],
  [
    'keys',
    new Map([
      ['keep', 'Mantidas'],
      ['revoke', 'Revogadas'],
    ]),
  ],
  ['state', new Map<unknown, string>(Object.entries(stateLabels))],
]);

/** The value of a field as Portuguese text. A value without a known format is shown as JSON. */
export function valueText(field: string, value: unknown): string {
  if (field.endsWith('_limit') && value === null) return 'sem limite';
  if (value === null || value === undefined || value === '') return '—';
  const label = valueLabels.get(field)?.get(value);
  if (label !== undefined) return label;
  if (typeof value === 'boolean') return value ? 'Sim' : 'Não';
  if (typeof value === 'number' && field.endsWith('_cents')) return formatMoney(value);
  if (typeof value === 'number' && field.endsWith('_limit')) return formatMoney(centsFromBrl(value) ?? 0);
  if (typeof value === 'number' && field.endsWith('_rate')) return formatRate(value);
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT/.test(value) ? formatDateTime(value) : value;
  return JSON.stringify(value);
}

export type Change = { field: string; before: unknown; after: unknown };

/**
 * The values of an entry, as changes and facts. A fact is a value that the entry records although it did not change,
 * such as the id of the withdrawal that was acted on.
 */
export type AuditDiff = { changes: Change[]; facts: { field: string; value: unknown }[] };

type Values = Readonly<Record<string, unknown>>;

/**
 * Splits the fields of an entry into changes and facts. A field has changed if it is present both before and after the
 * action with different values. A field that is present only before or only after is a fact.
 */
export function compareValues(before: Values, after: Values): AuditDiff {
  const beforeValues = new Map(Object.entries(before));
  const afterValues = new Map(Object.entries(after));
  const fields = [...new Set([...beforeValues.keys(), ...afterValues.keys()])];
  const isChanged = (field: string) =>
    beforeValues.has(field) &&
    afterValues.has(field) &&
    JSON.stringify(beforeValues.get(field)) !== JSON.stringify(afterValues.get(field));
  return {
    changes: fields
      .filter(isChanged)
      .map((field) => ({ field, before: beforeValues.get(field), after: afterValues.get(field) })),
    facts: fields
      .filter((field) => !isChanged(field))
      .map((field) => ({ field, value: afterValues.get(field) ?? beforeValues.get(field) })),
  };
}
