export { createPayment, type NewCharge } from './create-payment.ts';
export { paymentLoops } from './jobs.ts';
export { paymentRoutes } from './routes.ts';
export { settleReceived } from './settle-received.ts';
