import { type ApprovalKind, centsFromBrl, scopes, scopeTexts } from '@jangada/contract';
import { formatMomentForSentence } from '../calendar-day.ts';
import { formatBrl } from '../format-brl.ts';
import { type ApprovalDocument, readDocument, readOrder } from './document.ts';
import type { RequestRow } from './store.ts';

/** An order as people read it: in one sentence, and fact by fact. */
export type Description = {
  readonly summary: string;
  readonly amountCents: number | null;
  readonly facts: readonly { readonly label: string; readonly value: string }[];
};

/** The labels of the facts of an order, in the order in which they are shown. What has no label is shown by its name. */
const labels: Readonly<Record<string, string>> = {
  amount_cents: 'Valor',
  fee_cents: 'Tarifa',
  pix_key: 'Chave Pix',
  pix_key_type: 'Tipo da chave',
  end_to_end_id: 'Pix devolvido',
  day_limit_cents: 'Limite por dia, sem aprovação',
  from_cents: 'A partir de',
  approvals: 'Aprovações',
  expires_hours: 'Prazo, em horas',
  passkeys_only: 'Só chaves de acesso',
  enabled: 'Política ligada',
  name: 'Nome',
  person: 'Pessoa',
  email: 'E-mail',
  role: 'Papel',
  refund_limit: 'Limite de estornos por dia',
  withdrawal_limit: 'Limite de saques por dia',
  scopes: 'Escopos',
  bank: 'Banco',
  action: 'Ação',
  reason: 'Motivo',
  user: 'Usuário',
  connection: 'Conta bancária',
  accounts: 'Contas, em ordem',
  credentials: 'Resumo das credenciais',
  kind: 'Tipo',
  reference: 'Referência',
  expires_at: 'Vence em',
  allowed_addresses: 'Endereços permitidos',
  bank_order_id: 'Ordem no banco',
  id: 'Identificador',
};

const titles: Readonly<Record<ApprovalKind, string>> = {
  withdrawal: 'Saque',
  refund: 'Estorno',
  destination: 'Novo destino de saque por API',
  key: 'Chave de API que move dinheiro',
  connection: 'Mudança de conta bancária',
  member: 'Membro que move dinheiro',
  approver: 'Nova pessoa que aprova',
  policy: 'Mudança da política de aprovação',
  'held-withdrawal': 'Liberar um saque retido',
  'unmatched-pix': 'Dar destino a um Pix sem dono',
  'open-item': 'Encerrar um item em aberto',
  payouts: 'Retomar os envios',
  administrator: 'Tornar administrador',
  recovery: 'Devolver o acesso a uma conta',
};

/** Describes what a request is about. */
export function describeRequest({ kind, document }: Pick<RequestRow, 'kind' | 'document'>): Description {
  const content = readDocument(document);
  const order = content?.order ?? {};
  const amount = order['amount_cents'];
  const amountCents = typeof amount === 'number' ? amount : null;
  const known = Object.entries(labels).flatMap(([name, label]) =>
    name in order ? [{ label, value: valueText(name, order[name]) }] : [],
  );
  const others = Object.entries(order).flatMap(([name, value]) =>
    name in labels || name === 'keys' || name === 'approvers'
      ? []
      : [{ label: name, value: valueText(name, value) }],
  );
  return { summary: summaryOf(kind, content, amountCents), amountCents, facts: [...known, ...others] };
}

function summaryOf(
  kind: ApprovalKind,
  content: ApprovalDocument | undefined,
  amountCents: number | null,
): string {
  const { pix_key: pixKey, name, email } = content?.order ?? {};
  const title = titles[kind];
  if (amountCents !== null)
    return `${title} de ${formatBrl(amountCents)}${typeof pixKey === 'string' ? ` para ${pixKey}` : ''}`;
  const policy = content && readOrder('policy', content);
  if (policy !== undefined)
    return policy.enabled
      ? `${title}: a partir de ${formatBrl(policy.from_cents)}, aprovações: ${policy.approvals}`
      : 'Desligar a política de aprovação';
  const subject = [name, email, pixKey].filter((part) => typeof part === 'string' && part !== '')[0];
  return subject === undefined ? title : `${title}: ${subject}`;
}

const keyTypeWords = new Map<unknown, string>([
  ['cpf', 'CPF'],
  ['cnpj', 'CNPJ'],
  ['email', 'E-mail'],
  ['phone', 'Telefone'],
  ['random', 'Aleatória'],
]);

function valueText(name: string, value: unknown): string {
  if (name === 'pix_key_type') return keyTypeWords.get(value) ?? String(value);
  if (name.endsWith('_limit') && typeof value === 'number') return formatBrl(centsFromBrl(value) ?? 0);
  if (name === 'role' && value === 'ADMIN') return 'Administrador';
  if (name === 'scopes' && Array.isArray(value)) return value.map(scopeText).join(', ');
  if (typeof value === 'number' && name.endsWith('_cents')) return formatBrl(value);
  if (typeof value === 'boolean') return value ? 'Sim' : 'Não';
  if (value === null || value === undefined) return '—';
  if (Array.isArray(value)) return value.map(String).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function scopeText(scope: unknown): string {
  const known = scopes.find((name) => name === scope);
  return known === undefined ? String(scope) : scopeTexts[known].label;
}

/** The sentence about a request in a mail, which names no person and no key. */
export function mailSentence(request: Pick<RequestRow, 'kind' | 'document' | 'expires_at'>): string {
  const { amountCents } = describeRequest(request);
  const amount = amountCents === null ? '' : ` de ${formatBrl(amountCents)}`;
  return `${titles[request.kind]}${amount}, com prazo até ${formatMomentForSentence(request.expires_at)}.`;
}
