export { type Cover, coverReturn, type TakenByBank } from './cover-return.ts';
export { disputeJobs, disputeLoops } from './jobs.ts';
export { disputeRoutes } from './routes.ts';
