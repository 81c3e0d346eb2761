export type { PaymentChange } from './emit-event.ts';
export { emitPaymentEvents } from './emit-event.ts';
