import * as z from 'zod/mini';
import { disputeStatus } from './dispute.ts';
import { feeStatementState } from './fee-statement.ts';
import { brl } from './money.ts';
import { heldPixReason } from './payer-rules.ts';
import { refundStatus } from './refund.ts';
import {
  cycleReason,
  cycleStatus,
  mandateStatus,
  subscriptionEventTypes,
  subscriptionStatus,
} from './subscription.ts';
import { moment } from './user.ts';
import { paymentEvent, withdrawalEvent } from './webhook.ts';

/** The types of events, in the order in which screens and the documentation list them. */
export const eventTypes = [
  'payment.paid',
  'payment.expired',
  'payment.error',
  'payment.refunded',
  'refund.failed',
  'withdrawal.pending',
  'withdrawal.paid',
  'withdrawal.error',
  'dispute.opened',
  'dispute.closed',
  'connection.broken',
  'connection.restored',
  'fee_statement.closed',
  'fee_statement.paid',
  ...subscriptionEventTypes,
  'batch.completed',
  'pix.held',
  'pix.given_back',
] as const;
export const eventType = z.enum(eventTypes);
export type EventType = (typeof eventTypes)[number];

/** When each event occurs, as shown on screens and in the documentation. */
export const eventTypeTexts: Readonly<Record<EventType, string>> = {
  'payment.paid': 'O banco confirmou o pagamento e o valor já está no saldo.',
  'payment.expired': 'A validade da cobrança passou sem pagamento.',
  'payment.error': 'O banco não criou a cobrança.',
  'payment.refunded': 'Um estorno foi concluído, inteiro ou em parte, ou o banco devolveu o Pix.',
  'refund.failed': 'O banco recusou um estorno e o valor voltou ao saldo.',
  'withdrawal.pending': 'Um saque foi pedido e o valor saiu do saldo.',
  'withdrawal.paid': 'O banco confirmou o envio de um saque.',
  'withdrawal.error': 'O saque não foi feito, ou voltou por inteiro, e o valor está no saldo.',
  'dispute.opened': 'O pagador contestou um pagamento no banco dele.',
  'dispute.closed': 'Uma disputa terminou: perdida, ganha ou cancelada.',
  'connection.broken':
    'Uma conta bancária não funciona há minutos: o banco dela não responde ou recusa as credenciais.',
  'connection.restored': 'O banco de uma conta bancária voltou a responder.',
  'fee_statement.closed': 'A fatura de tarifas de um mês fechou. Só para quem recebe em conta própria.',
  'fee_statement.paid': 'Uma fatura de tarifas foi paga.',
  'mandate.approved': 'O pagador autorizou os débitos de uma assinatura.',
  'mandate.rejected': 'O pagador, ou o banco dele, recusou a autorização.',
  'mandate.cancelled': 'A autorização foi cancelada: não há mais débitos.',
  'mandate.expired': 'A autorização passou do prazo.',
  'cycle.planned': 'O próximo ciclo de uma assinatura se aproxima; se o valor varia, é hora de dizê-lo.',
  'cycle.scheduled': 'O banco do pagador agendou o débito de um ciclo.',
  'cycle.retrying': 'Um débito falhou, e outra tentativa foi marcada.',
  'cycle.paid': 'Um ciclo foi pago, pelo débito ou de outro modo.',
  'cycle.given_up': 'Um ciclo terminou sem pagamento.',
  'cycle.cancelled': 'Um ciclo foi cancelado antes do débito.',
  'subscription.past_due': 'Uma assinatura ficou em atraso: o último ciclo não foi pago.',
  'subscription.recovered': 'Uma assinatura em atraso voltou a estar em dia.',
  'subscription.ended': 'Uma assinatura terminou.',
  'batch.completed': 'Um lote de cobranças terminou: cada linha foi criada, recusada ou cancelada.',
  'pix.held': 'Um Pix recebido não foi creditado à cobrança e espera a sua decisão.',
  'pix.given_back': 'Um Pix que não foi aceito voltou inteiro a quem pagou.',
};

/** The body of the event `refund.failed`. `id` and `paymentId` are both the id of the charge. Amounts in BRL. */
export const refundFailedEvent = z.object({
  type: z.literal('refund.failed'),
  id: z.string(),
  paymentId: z.string(),
  refund: z.object({
    id: z.string(),
    refund_id: z.nullable(z.string()),
    status: refundStatus,
    amount: brl,
    error: z.string(),
  }),
  created_at: moment,
  updated_at: moment,
});
export type RefundFailedEvent = z.infer<typeof refundFailedEvent>;

/** The body of the events of a dispute. `id` and `disputeId` are equal. Amounts in BRL. */
export const disputeEvent = z.object({
  type: z.enum(['dispute.opened', 'dispute.closed']),
  id: z.string(),
  disputeId: z.string(),
  /** The charge whose payment is disputed; null if the disputed Pix belongs to no charge. */
  paymentId: z.nullable(z.string()),
  end_to_end_id: z.string(),
  status: disputeStatus,
  amount: brl,
  /** The part of the balance that is blocked while the dispute is open. */
  blocked_amount: brl,
  /** The amount that the bank has returned to the payer so far. */
  returned_amount: brl,
  /** The deadline for a defence. */
  deadline: moment,
  created_at: moment,
  updated_at: moment,
});
export type DisputeEvent = z.infer<typeof disputeEvent>;

/** The body of the events of an account of the merchant's own. `id` and `connectionId` are equal. */
export const connectionEvent = z.object({
  type: z.enum(['connection.broken', 'connection.restored']),
  id: z.string(),
  connectionId: z.string(),
  /** The id of the bank, and its name. */
  bank: z.string(),
  bank_name: z.string(),
  pix_key: z.string(),
  /** Since when nothing works, or worked. */
  since: moment,
  /** The failure, in words. */
  reason: z.string(),
  created_at: moment,
  updated_at: moment,
});
export type ConnectionEvent = z.infer<typeof connectionEvent>;

/** The body of the events of a monthly fee statement. `id` and `statementId` are equal. The amount is in BRL. */
export const feeStatementEvent = z.object({
  type: z.enum(['fee_statement.closed', 'fee_statement.paid']),
  id: z.string(),
  statementId: z.string(),
  /** The number that people call the statement by. */
  number: z.string(),
  /** The month whose fees it has, as 2026-11. */
  month: z.string(),
  status: feeStatementState,
  amount: brl,
  /** How many payments and withdrawals it has fees of. */
  fees: z.int(),
  /** The last day on which it is paid in time. */
  due_on: z.iso.date(),
  /** The Pix that paid it; null while it is open, or if it was paid by other means. */
  end_to_end_id: z.nullable(z.string()),
  created_at: moment,
  updated_at: moment,
});
export type FeeStatementEvent = z.infer<typeof feeStatementEvent>;

/** The body of the events of a subscription, its mandate and its cycles. `id` and `subscriptionId` are equal. */
export const subscriptionEvent = z.object({
  type: z.enum(subscriptionEventTypes),
  id: z.string(),
  subscriptionId: z.string(),
  status: subscriptionStatus,
  mandate_status: mandateStatus,
  /** This field and `metadata` are present only if the request that created the subscription contained them. */
  external_id: z.optional(z.string()),
  metadata: z.optional(z.record(z.string(), z.string())),
  /** The cycle that the event is about; null in events of the mandate and of the subscription. Its amount is in BRL. */
  cycle: z.nullable(
    z.object({
      number: z.int(),
      status: cycleStatus,
      debit_day: z.string(),
      amount: z.nullable(brl),
      reason: z.nullable(cycleReason),
      /** The code of the payer's bank, such as AM02. */
      code: z.nullable(z.string()),
      /** The charge that paid the cycle, or that its bank debits. */
      payment_id: z.nullable(z.string()),
    }),
  ),
  /** Why the mandate or the subscription ended: the bank's code, if it gave one. */
  code: z.nullable(z.string()),
  created_at: moment,
  updated_at: moment,
});
export type SubscriptionEvent = z.infer<typeof subscriptionEvent>;

/** The body of the event of a batch of charges. `id` and `batchId` are equal. */
export const batchEvent = z.object({
  type: z.literal('batch.completed'),
  id: z.string(),
  batchId: z.string(),
  reference: z.nullable(z.string()),
  /** How many lines it has, and how many of them became charges, were refused, or were cancelled. */
  size: z.int(),
  created: z.int(),
  refused: z.int(),
  cancelled: z.int(),
  created_at: moment,
  updated_at: moment,
});
export type BatchEvent = z.infer<typeof batchEvent>;

/** The body of the events of a Pix that was held. `id` and `heldPixId` are equal. The amount is in BRL. */
export const heldPixEvent = z.object({
  type: z.enum(['pix.held', 'pix.given_back']),
  id: z.string(),
  heldPixId: z.string(),
  /** The charge that the Pix names, and your own id for it. */
  paymentId: z.string(),
  external_id: z.nullable(z.string()),
  end_to_end_id: z.string(),
  why: heldPixReason,
  /** The reason in words. */
  reason: z.string(),
  amount: brl,
  created_at: moment,
  updated_at: moment,
});
export type HeldPixEvent = z.infer<typeof heldPixEvent>;

/**
 * The body of the event with which a merchant tests a webhook endpoint. The event feed (`GET /events`) contains no test
 * events.
 */
export const testEvent = z.object({
  type: z.literal('webhook.test'),
  id: z.string(),
  endpointId: z.string(),
  message: z.string(),
  created_at: moment,
});
export type TestEvent = z.infer<typeof testEvent>;

/** The bodies of the events in the event feed. */
const feedBodies = [
  paymentEvent,
  refundFailedEvent,
  withdrawalEvent,
  disputeEvent,
  connectionEvent,
  feeStatementEvent,
  subscriptionEvent,
  heldPixEvent,
  batchEvent,
] as const;

/** All possible webhook bodies. */
export const eventBody = z.union([...feedBodies, testEvent]);

/** An item of the event feed. A webhook delivers its `data` as the body, and its `id` in the header `webhook-id`. */
export const feedEvent = z.object({
  id: z.string(),
  type: z.string(),
  created_at: moment,
  data: z.union(feedBodies),
});
export type FeedEvent = z.infer<typeof feedEvent>;

/** How long an event stays in the event feed, in days. */
export const EVENT_DAYS = 30;

export const eventId = z.string().check(z.minLength(1), z.maxLength(200));
