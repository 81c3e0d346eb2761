export { accountLoops } from './jobs.ts';
export { resetFactor } from './reset-factor.ts';
export { accountRoutes } from './routes.ts';
