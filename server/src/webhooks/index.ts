export { checkCallbackUrl } from './check-callback-url.ts';
export type { PaymentChange } from './emit-event.ts';
export { emitPaymentEvents } from './emit-event.ts';
