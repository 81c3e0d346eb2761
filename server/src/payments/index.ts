export { createPayment, type NewCharge } from './create-payment.ts';
export { paymentJobs, paymentLoops } from './jobs.ts';
export { paymentRoutes } from './routes.ts';
export { settleReceived } from './settle-received.ts';
export { createNoticeWork, type NoticeWork } from './work-notices.ts';
