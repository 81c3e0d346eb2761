export { bookReturnsOfPix } from './book-returns-of-pix.ts';
export { refundLoops } from './jobs.ts';
export { requestRefund } from './request-refund.ts';
export { refundRoutes } from './routes.ts';
export { sendRefunds } from './send-refunds.ts';
