export { holdWithdrawals } from './hold-withdrawals.ts';
export { provePin } from './prove-pin.ts';
export { withdrawalRoutes } from './routes.ts';
