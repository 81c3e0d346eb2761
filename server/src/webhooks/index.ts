export { checkCallbackUrl } from './check-callback-url.ts';
export { createWebhookSender, type WebhookSender, type WebhookSenderOptions } from './deliver-webhooks.ts';
export type { PaymentChange } from './emit-event.ts';
export { emitPaymentEvents } from './emit-event.ts';
export { emitWithdrawalEvent } from './emit-withdrawal-event.ts';
export { forgetWebhooks } from './forget-webhooks.ts';
export { webhookLoops } from './jobs.ts';
export { webhookRoutes } from './routes.ts';
