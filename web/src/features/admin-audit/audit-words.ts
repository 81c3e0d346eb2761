import { auditActions } from '@jangada/contract';
import { formatDateTime } from '../../format/date.ts';
import { kycSideNames } from '../../format/kyc-side.ts';
import { formatMoney, formatRate } from '../../format/money.ts';
import { accountName, itemTitles } from '../../panel/operation/item-words.ts';
import { movementNames } from '../../panel/operation/movement-names.ts';
import { roleWords } from '../../panel/users/user-look.tsx';

const actionWords = new Map<string, string>(Object.entries(auditActions));

/** The act in words; one that we do not know is shown raw. */
export function actionWord(action: string): string {
  return actionWords.get(action) ?? action;
}

const fieldWords = new Map([
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
]);

/** The name of a field in words; one that we do not know is shown raw. */
export function fieldWord(field: string): string {
  return fieldWords.get(field) ?? field;
}

/** Words of the gateway that stand as values, by their fields. */
const wordsOf = new Map<string, ReadonlyMap<unknown, string>>([
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
  ['reference', new Map([['account', accountName]])],
  ['kind', new Map<unknown, string>([...Object.entries(movementNames), ...itemTitles])],
  ['role', new Map<unknown, string>(Object.entries(roleWords))],
]);

/** A value of a field as people read it; one that we do not know is shown raw. */
export function valueWord(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '—';
  const word = wordsOf.get(field)?.get(value);
  if (word !== undefined) return word;
  if (typeof value === 'boolean') return value ? 'Sim' : 'Não';
  if (typeof value === 'number' && field.endsWith('_cents')) return formatMoney(value);
  if (typeof value === 'number' && field.endsWith('_rate')) return formatRate(value);
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT/.test(value) ? formatDateTime(value) : value;
  return JSON.stringify(value);
}

export type Change = { field: string; before: unknown; after: unknown };
export type AuditDiff = { changes: Change[]; facts: { field: string; value: unknown }[] };

type Values = Readonly<Record<string, unknown>>;

/** Separates changed fields from those that are only mentioned: present on one side only, or equal on both. */
export function differenceOf(before: Values, after: Values): AuditDiff {
  const was = new Map(Object.entries(before));
  const is = new Map(Object.entries(after));
  const fields = [...new Set([...was.keys(), ...is.keys()])];
  const changed = (field: string) =>
    was.has(field) && is.has(field) && JSON.stringify(was.get(field)) !== JSON.stringify(is.get(field));
  return {
    changes: fields.filter(changed).map((field) => ({ field, before: was.get(field), after: is.get(field) })),
    facts: fields
      .filter((field) => !changed(field))
      .map((field) => ({ field, value: is.get(field) ?? was.get(field) })),
  };
}
