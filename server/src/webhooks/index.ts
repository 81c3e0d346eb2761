import type { ModuleLoop } from '../deps.ts';
import { giveUpDeliveries } from './prune-webhooks.ts';
import { warnFailing } from './warn-failing.ts';

export { createWorkAnnouncer, WEBHOOK_WORK_CHANNEL } from './announce-work.ts';
export { createWebhookSender, type WebhookSender, type WebhookSenderOptions } from './deliver-webhooks.ts';
export {
  buildPaymentEventsSql,
  emitBatchCompleted,
  emitConnectionEvent,
  emitDisputeEvent,
  emitFeeStatementEvent,
  emitHeldPixEvents,
  emitPaymentEvents,
  emitRefundFailed,
  emitSubscriptionEvent,
  emitWithdrawalEvent,
  type PaymentChange,
} from './emit-events.ts';
export { selectAttemptsOf } from './log-store.ts';
export { addWebhookEndpoint, checkCallbackUrl } from './manage-endpoints.ts';
export { pruneWebhooks } from './prune-webhooks.ts';
export { webhookRoutes } from './routes.ts';

/** Periodic webhook work, apart from sending. */
export const webhookLoops: readonly ModuleLoop[] = [
  { name: 'old webhooks', everyMs: 60_000, work: giveUpDeliveries },
  { name: 'failing webhooks', everyMs: 60_000, work: warnFailing },
];
