import { type EventType, eventTypes } from '@jangada/contract';

/** The display name of each event type. */
const eventLabels: Record<EventType, string> = {
  'payment.paid': 'Pagamento recebido',
  'payment.expired': 'Cobrança expirada',
  'payment.error': 'Cobrança com erro',
  'payment.refunded': 'Pagamento estornado',
  'refund.failed': 'Estorno recusado',
  'withdrawal.pending': 'Saque pedido',
  'withdrawal.paid': 'Saque concluído',
  'withdrawal.error': 'Saque com erro',
  'dispute.opened': 'Disputa aberta',
  'dispute.closed': 'Disputa encerrada',
  'connection.broken': 'Conta bancária parada',
  'connection.restored': 'Conta bancária de volta',
  'fee_statement.closed': 'Fatura de tarifas fechada',
  'fee_statement.paid': 'Fatura de tarifas paga',
  'mandate.approved': 'Débito autorizado',
  'mandate.rejected': 'Autorização recusada',
  'mandate.cancelled': 'Autorização cancelada',
  'mandate.expired': 'Autorização vencida',
  'cycle.planned': 'Cobrança de assinatura prevista',
  'cycle.scheduled': 'Débito agendado',
  'cycle.retrying': 'Débito com nova tentativa',
  'cycle.paid': 'Débito pago',
  'cycle.given_up': 'Débito não feito',
  'cycle.cancelled': 'Débito cancelado',
  'subscription.past_due': 'Assinatura em atraso',
  'subscription.recovered': 'Assinatura em dia de novo',
  'subscription.ended': 'Assinatura encerrada',
  'batch.completed': 'Lote concluído',
  'pix.held': 'Pix retido',
  'pix.given_back': 'Pix devolvido',
};

/** The type of the event that a merchant sends to test an endpoint. */
export const TEST_TYPE = 'webhook.test';

/** The display name of an event type; a type that this dashboard does not know is returned unchanged. */
export function eventLabel(type: string): string {
  if (type === TEST_TYPE) return 'Evento de teste';
  const knownType = eventTypes.find((eventType) => eventType === type);
  return knownType === undefined ? type : eventLabels[knownType];
}

const subscriptionPattern = /^(mandate|cycle|subscription)\./;

/** The event types grouped by subject, as the form of an endpoint lists them. */
export const eventGroups: readonly { label: string; types: readonly EventType[] }[] = [
  { label: 'Pagamentos', types: eventTypes.filter((type) => /^(payment|refund|pix|batch)\./.test(type)) },
  { label: 'Saques', types: eventTypes.filter((type) => type.startsWith('withdrawal.')) },
  { label: 'Disputas', types: eventTypes.filter((type) => type.startsWith('dispute.')) },
  { label: 'Contas bancárias', types: eventTypes.filter((type) => type.startsWith('connection.')) },
  { label: 'Assinaturas', types: eventTypes.filter((type) => subscriptionPattern.test(type)) },
  { label: 'Tarifas', types: eventTypes.filter((type) => type.startsWith('fee_statement.')) },
];

/** The events that an endpoint receives, in one line. */
export function eventsSummary(events: readonly EventType[]): string {
  if (events.length === 0) return 'Todos os eventos';
  const [first, second, ...more] = events.map(eventLabel);
  if (second === undefined) return `${first}`;
  return more.length === 0 ? `${first} e ${second}` : `${first}, ${second} e mais ${more.length}`;
}

/** A kind of subject: its event types, its display name, and the screen that shows it. */
type Subject = {
  readonly typePattern: RegExp;
  readonly label: string;
  readonly path: 'transactions' | 'withdrawalHistory' | 'disputes' | 'fees' | 'subscriptions';
};

const subjects: readonly Subject[] = [
  { typePattern: /^(payment|refund)\./, label: 'Cobrança', path: 'transactions' },
  { typePattern: /^withdrawal\./, label: 'Saque', path: 'withdrawalHistory' },
  { typePattern: /^dispute\./, label: 'Disputa', path: 'disputes' },
  { typePattern: /^fee_statement\./, label: 'Fatura', path: 'fees' },
  { typePattern: subscriptionPattern, label: 'Assinatura', path: 'subscriptions' },
];

/**
 * The kind of subject that an event is about, and the screen that shows it; undefined for test events and unknown
 * types.
 */
export function subjectOf(type: string): Pick<Subject, 'label' | 'path'> | undefined {
  return subjects.find(({ typePattern }) => typePattern.test(type));
}
