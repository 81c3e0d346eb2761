import type { ModuleLoop } from '../deps.ts';
import { sendRecoveryLinks } from './recover-password.ts';

export { resetFactor } from './reset-factor.ts';
export { accountRoutes } from './routes.ts';

/** Recurring work of accounts. */
export const accountLoops: readonly ModuleLoop[] = [
  { name: 'password recoveries', everyMs: 1000, work: sendRecoveryLinks },
];
