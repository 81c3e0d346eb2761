export { refundLoops } from './jobs.ts';
export { refundRoutes } from './routes.ts';
