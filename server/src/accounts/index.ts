import type { ModuleLoop } from '../deps.ts';
import { sendRecoveryLinks } from './recover-password.ts';

export { resetApprovals } from './reset-approvals.ts';
export { resetFactor } from './reset-factor.ts';
export { accountRoutes } from './routes.ts';

/**
 * Sends the mails for queued password recoveries, so that a recovery request answers without looking up the account.
 */
export const accountLoops: readonly ModuleLoop[] = [
  { name: 'password recoveries', everyMs: 1000, work: sendRecoveryLinks },
];
