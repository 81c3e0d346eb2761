export { holdWithdrawals } from './hold-withdrawals.ts';
export { withdrawalJobs, withdrawalLoops } from './jobs.ts';
export { provePin } from './prove-pin.ts';
export { withdrawalRoutes } from './routes.ts';
