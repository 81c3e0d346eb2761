import {
  type ApprovalKind,
  centsFromBrl,
  type MemberRole,
  mayDo,
  memberRoles,
  memberRoleTexts,
  scopes,
  scopeTexts,
} from '@jangada/contract';
import { formatMomentForSentence } from '../calendar-day.ts';
import { formatBrl } from '../format-brl.ts';
import { PLATFORM } from '../ledger/index.ts';
import { type ApprovalDocument, type PolicyOrder, readDocument, readOrder } from './document.ts';
import { formatAccount, formatConnection, formatPerson, type Known, nothingKnown } from './look-up-names.ts';
import type { RequestRow } from './store.ts';

type OrderFact = { readonly label: string; readonly value: string };

/** An order as people read it: in one sentence, and fact by fact. */
export type Description = {
  readonly summary: string;
  readonly amountCents: number | null;
  readonly facts: readonly OrderFact[];
};

/** The labels of the facts of an order, in the order in which they are shown. What has no label is shown by its name. */
const labels: Readonly<Record<string, string>> = {
  action: 'Ação',
  amount_cents: 'Valor',
  fee_cents: 'Tarifa',
  pix_key: 'Chave Pix',
  pix_key_type: 'Tipo da chave',
  end_to_end_id: 'EndToEndId do Pix',
  day_limit_cents: 'Limite por dia, sem aprovação',
  enabled: 'Política ligada',
  from_cents: 'A partir de',
  approvals: 'Aprovações',
  expires_hours: 'Prazo',
  passkeys_only: 'Só chaves de acesso',
  approvers: 'Quem aprova',
  user: 'Usuário',
  name: 'Nome',
  person: 'Pessoa',
  lost_email: 'E-mail que se perdeu',
  email: 'E-mail',
  role: 'Papel',
  refund_limit: 'Limite de estornos por dia',
  withdrawal_limit: 'Limite de saques por dia',
  keys: 'Fatores',
  staff: 'Administrador desde',
  scopes: 'Escopos',
  bank: 'Banco',
  reason: 'Motivo',
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

/** The labels of what an act on a user changes with it. */
const changeLabels: Readonly<Record<string, string>> = {
  username: 'Nome de usuário',
  document: 'Documento',
  docType: 'Tipo de documento',
  approved: 'Identidade aprovada',
  apiActive: 'API ligada',
  taxes: 'Tarifas',
  merchant_kind: 'Tipo de lojista',
  balance: 'Saldo',
  balance_before: 'Saldo anterior',
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

type Described = Pick<RequestRow, 'kind' | 'document'>;

/** Describes what a request is about. What the document only numbers is named as far as it is known. */
export function describeRequest({ kind, document }: Described, known: Known = nothingKnown): Description {
  const content = readDocument(document);
  const order = content?.order ?? {};
  const amount = order['amount_cents'];
  const amountCents = typeof amount === 'number' ? amount : null;
  const merchantId = content?.account ?? PLATFORM;
  const show = (name: string) => factsOf(name, order[name], { kind, order, merchantId, known });
  const names = [
    ...Object.keys(labels).filter((name) => name in order),
    ...Object.keys(order).filter((name) => !(name in labels)),
  ];
  const summary = `${titleOf(kind, content)}${detailOf({ kind, order, merchantId, known }, content, amountCents)}`;
  return { summary, amountCents, facts: names.flatMap(show) };
}

type OrderOf = {
  readonly kind: ApprovalKind;
  readonly order: ApprovalDocument['order'];
  readonly merchantId: number;
  readonly known: Known;
};

function titleOf(kind: ApprovalKind, content: ApprovalDocument | undefined): string {
  const policy = content && readOrder('policy', content);
  if (policy === undefined) return titles[kind];
  if (!policy.enabled) return 'Desligar a política de aprovação';
  return policy.approvers === undefined ? titles[kind] : 'Ligar a política de aprovação';
}

/** What follows the title: whom and how much it concerns, and what may be dangerous about it. */
function detailOf(of: OrderOf, content: ApprovalDocument | undefined, amountCents: number | null): string {
  const { kind, order, merchantId, known } = of;
  const { pix_key: pixKey, name, email, action } = order;
  const amount = amountCents === null ? '' : ` de ${formatBrl(amountCents)}`;
  const to = typeof pixKey === 'string' && amountCents !== null ? ` para ${pixKey}` : '';
  const account = formatAccount(known, order['user']);
  const policy = content && readOrder('policy', content);
  switch (kind) {
    case 'policy':
      return policy?.enabled === true ? `: ${policyText(policy, merchantId, known)}` : '';
    case 'destination': {
      const limit = shownValue('day_limit_cents', order['day_limit_cents'], of);
      return `: ${pixKey}, até ${limit} por dia sem aprovação`;
    }
    case 'member':
      return `: ${formatPerson(known, order['person'])}, ${shownValue('role', order['role'], of)}`;
    case 'key':
      return `: ${[name ?? action, shownValue('scopes', order['scopes'] ?? [], of)].filter((part) => part !== '' && part !== undefined).join(', com ')}`;
    case 'connection':
      return `: ${[action, name].filter((part) => typeof part === 'string' && part !== '').join(', ')}`;
    case 'held-withdrawal':
      return `${amount}${to}, de ${account}`;
    case 'unmatched-pix':
      return `${amount}: ${order['user'] === undefined ? 'devolver a quem pagou' : `atribuir a ${account}`}`;
    case 'administrator':
    case 'approver':
      return `: ${name} (${email})`;
    case 'recovery':
      return `: ${name}, com o e-mail ${email}`;
    case 'open-item':
      return `: ${shownValue('kind', order['kind'], of)}`;
    default:
      return `${amount}${to}`;
  }
}

const termNames = ['from_cents', 'approvals', 'expires_hours', 'passkeys_only'] as const;

/** The terms of a policy: those that change, or all of a first one. */
function policyText(policy: PolicyOrder, merchantId: number, known: Known): string {
  const of = { kind: 'policy', order: policy, merchantId, known } as const;
  const isChange = policy.approvers === undefined && known.policy?.isOn === true;
  return termNames
    .filter((name) => name !== 'from_cents' || merchantId !== PLATFORM)
    .filter((name) => !isChange || policy[name] !== policyBefore(known, name))
    .map((name) => `${(labels[name] ?? name).toLowerCase()}: ${shownValue(name, policy[name], of)}`)
    .join('; ');
}

function policyBefore({ policy }: Known, name: string): unknown {
  if (policy?.isOn !== true) return undefined;
  const { fromCents, approvals, expiresHours, passkeysOnly } = policy;
  return new Map<string, unknown>([
    ['enabled', true],
    ['from_cents', fromCents],
    ['approvals', approvals],
    ['expires_hours', expiresHours],
    ['passkeys_only', passkeysOnly],
  ]).get(name);
}

/** What a fact was before, in the words of the order; undefined where nothing was, or nobody knows. */
function beforeOf(name: string, { kind, order, known }: OrderOf): unknown {
  if (kind === 'policy') return 'approvers' in order ? undefined : policyBefore(known, name);
  if (kind === 'destination' && name === 'day_limit_cents')
    return known.policy?.destinations.get(String(order['pix_key']));
  if (kind === 'key' && order['action'] === 'Alterar') {
    const key = known.keys.get(String(order['id']));
    return name === 'scopes' ? key?.scopes : name === 'name' ? key?.name : undefined;
  }
  const member = kind === 'member' ? known.members.get(Number(order['person'])) : undefined;
  if (member === undefined) return undefined;
  if (name === 'role') return memberRoleTexts[member.role].label;
  if (name === 'refund_limit') return member.refundLimit;
  return name === 'withdrawal_limit' ? member.withdrawalLimit : undefined;
}

function factsOf(name: string, value: unknown, of: OrderOf): OrderFact[] {
  if (name === 'changes' && typeof value === 'object' && value !== null)
    return Object.entries(value).map(([changed, after]) => ({
      label: `Também muda: ${changeLabels[changed] ?? labels[changed] ?? changed}`,
      value: textOf(changed, after, of),
    }));
  // The operator's acts have no amount from which on they wait.
  if (of.kind === 'policy' && of.merchantId === PLATFORM && name === 'from_cents') return [];
  return [{ label: labelOf(name, of), value: shownValue(name, value, of) }];
}

function labelOf(name: string, { kind }: OrderOf): string {
  if (name === 'user' && (kind === 'held-withdrawal' || kind === 'unmatched-pix')) return 'Lojista';
  if (name === 'email' && kind === 'recovery') return 'E-mail novo';
  return labels[name] ?? name;
}

/** The text of a fact, with what it was before if it changes: `R$ 100,00 → R$ 500,00`. */
function shownValue(name: string, value: unknown, of: OrderOf): string {
  const after = textOf(name, value, of);
  const before = beforeOf(name, of);
  if (before === undefined) return after;
  const beforeText = textOf(name, before, asItWas(of));
  return beforeText === after ? after : `${beforeText} → ${after}`;
}

/** What a limit before the change meant depends on the role that the member had. */
function asItWas(of: OrderOf): OrderOf {
  const member = of.kind === 'member' ? of.known.members.get(Number(of.order['person'])) : undefined;
  if (member === undefined) return of;
  return { ...of, order: { ...of.order, role: memberRoleTexts[member.role].label } };
}

const keyTypeWords = new Map<unknown, string>([
  ['cpf', 'CPF'],
  ['cnpj', 'CNPJ'],
  ['email', 'E-mail'],
  ['phone', 'Telefone'],
  ['random', 'Aleatória'],
]);

const itemWords = new Map<unknown, string>([
  ['payout-not-debited', 'saída que os livros não conhecem'],
  ['withdrawal-differs', 'saque diferente no banco'],
]);

function textOf(name: string, value: unknown, of: OrderOf): string {
  const { known } = of;
  switch (name) {
    case 'person':
      return formatPerson(known, value);
    case 'user':
      return value === undefined || value === null ? '—' : formatAccount(known, value);
    case 'connection':
      return formatConnection(known, value);
    case 'accounts':
      return Array.isArray(value) ? value.map((id) => formatConnection(known, id)).join(', ') : String(value);
    case 'pix_key_type':
      return keyTypeWords.get(value) ?? String(value);
    case 'kind':
      return itemWords.get(value) ?? String(value);
    case 'role':
      return value === 'ADMIN' ? 'Administrador' : String(value);
    case 'refund_limit':
      return limitText(value, of, 'refund');
    case 'withdrawal_limit':
      return limitText(value, of, 'withdraw');
    case 'expires_hours':
      return hoursText(Number(value));
    case 'scopes':
      return Array.isArray(value) ? value.map(scopeText).join(', ') : String(value);
    case 'keys':
      return factorsText(value);
    case 'approvers':
      return Array.isArray(value) ? value.map(nameOf).join(', ') : String(value);
    case 'staff':
      return staffText(value, known);
    default:
      return plainText(name, value);
  }
}

function plainText(name: string, value: unknown): string {
  if (typeof value === 'number' && name.endsWith('_cents')) return formatBrl(value);
  if (typeof value === 'boolean') return value ? 'sim' : 'não';
  if (value === null || value === undefined || value === '') return '—';
  if (Array.isArray(value)) return value.map(String).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function limitText(value: unknown, { order }: OrderOf, permission: 'refund' | 'withdraw'): string {
  const role = roleNamed(order['role']);
  if (role !== undefined && !mayDo(role, permission)) return 'não se aplica';
  return typeof value === 'number' ? formatBrl(centsFromBrl(value) ?? 0) : 'sem limite';
}

function roleNamed(label: unknown): MemberRole | undefined {
  return memberRoles.find((role) => memberRoleTexts[role].label === label);
}

function hoursText(hours: number): string {
  if (hours % 24 === 0) return hours === 24 ? '1 dia' : `${hours / 24} dias`;
  return hours === 1 ? '1 hora' : `${hours} horas`;
}

function factorsText(value: unknown): string {
  const keys: readonly unknown[] = Array.isArray(value) ? value : [];
  const isApp = (key: unknown) => (key as { public_key?: unknown } | null)?.public_key === null;
  const passkeys = keys.filter((key) => !isApp(key)).length;
  return [
    ...(passkeys === 0 ? [] : [passkeys === 1 ? '1 chave de acesso' : `${passkeys} chaves de acesso`]),
    ...(keys.some(isApp) ? ['aplicativo autenticador'] : []),
  ].join(' e ');
}

const nameOf = (person: unknown) => String((person as { name?: unknown } | null)?.name ?? '—');

function staffText(value: unknown, known: Known): string {
  const { since, by } = (value ?? {}) as { since?: unknown; by?: unknown };
  const moment = formatMomentForSentence(new Date(String(since)));
  return `${moment}, por ${formatPerson(known, by)}`;
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
