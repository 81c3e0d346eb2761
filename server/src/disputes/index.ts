export { attendDisputes } from './attend-disputes.ts';
export { type Cover, coverReturn, type TakenByBank } from './cover-return.ts';
export { defendDispute } from './defend-dispute.ts';
export { disputeJobs, disputeLoops } from './jobs.ts';
export { readDisputes } from './read-disputes.ts';
export { disputeRoutes } from './routes.ts';
export { type Secured, secureRefused } from './secure-refused.ts';
export { listDisputes } from './store.ts';
