export { accountLoops } from './jobs.ts';
export { accountRoutes } from './routes.ts';
