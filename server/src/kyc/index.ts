export { kycLoops } from './jobs.ts';
export { kycRoutes } from './routes.ts';
