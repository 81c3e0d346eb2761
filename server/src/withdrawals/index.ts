export { holdWithdrawals } from './hold-withdrawals.ts';
export { withdrawalJobs, withdrawalLoops } from './jobs.ts';
export { provePin } from './prove-pin.ts';
export { type PayoutState, readPayoutState } from './read-payout-state.ts';
export { withdrawalRoutes } from './routes.ts';
export { makeFrozenDue } from './store.ts';
export { resumePayouts, stopPayouts } from './switch-payouts.ts';
