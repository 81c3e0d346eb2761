import {
  apiWithdrawal,
  chargeStatus,
  createdPayment,
  disputeEvent,
  disputeStatus,
  errorEnvelope,
  eventType,
  feedEvent,
  payer,
  paymentEvent,
  paymentRefunds,
  paymentStatus,
  publicWithdrawalStatus,
  refund,
  refundFailedEvent,
  refundStatus,
  type Schema,
  testEvent,
  timelineEntry,
  transaction,
  webhookAttempt,
  webhookDelivery,
  webhookDeliveryDetail,
  webhookEndpoint,
  withdrawalEvent,
} from '@jangada/contract';
import { z } from 'zod';

/**
 * The names of schemas in the OpenAPI document, for code generators. Only schemas of responses and webhooks are named:
 * in a named schema generators often treat a field with a default as required, which is wrong for requests.
 */
export const namedSchemas = z.registry<{ id: string }, Schema>();

const schemasByName = {
  Error: errorEnvelope,
  ChargeStatus: chargeStatus,
  Payer: payer,
  CreatedPayment: createdPayment,
  Payment: paymentStatus,
  ListedPayment: transaction,
  TimelineEntry: timelineEntry,
  RefundStatus: refundStatus,
  Refund: refund,
  PaymentRefunds: paymentRefunds,
  WithdrawalStatus: publicWithdrawalStatus,
  Withdrawal: apiWithdrawal,
  DisputeStatus: disputeStatus,
  WebhookEndpoint: webhookEndpoint,
  WebhookDelivery: webhookDelivery,
  WebhookDeliveryDetail: webhookDeliveryDetail,
  WebhookAttempt: webhookAttempt,
  EventType: eventType,
  Event: feedEvent,
  PaymentEvent: paymentEvent,
  RefundFailedEvent: refundFailedEvent,
  WithdrawalEvent: withdrawalEvent,
  DisputeEvent: disputeEvent,
  TestEvent: testEvent,
} satisfies Record<string, Schema>;

for (const [id, schema] of Object.entries(schemasByName)) namedSchemas.add(schema, { id });
