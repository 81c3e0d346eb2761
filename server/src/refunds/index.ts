export { bookReturns } from './book-returns.ts';
export { refundLoops } from './jobs.ts';
export { refundRoutes } from './routes.ts';
