/*
 * The monthly statements of the fees that merchants owe the operator, because payments at accounts of their own cannot
 * have fees kept back: closing a month, paying by Pix or by other means, and the warning before charges stop.
 */
import type { ModuleJob } from '../deps.ts';
import { closeFeeStatements } from './close-statements.ts';
import { warnOverdue } from './warn-overdue.ts';

export { closeFeeStatements } from './close-statements.ts';
export type { StoredFeeStatement } from './fee-statement.ts';
export { makeStatementCharge } from './make-charge.ts';
export { type FeePayment, lockStatementsOfPix, markStatementsPaid } from './pay-by-pix.ts';
export { feeStatementRoutes } from './routes.ts';
export { listStatements } from './store.ts';
export { feesAreOverdue, warnOverdue } from './warn-overdue.ts';

/** Scheduled jobs of fee statements. They run every hour, so nothing is left undone by a gateway that was down. */
export const feeStatementJobs: readonly ModuleJob[] = [
  { name: 'close-fee-statements', cron: '11 * * * *', work: closeFeeStatements },
  { name: 'warn-overdue-fees', cron: '41 * * * *', work: warnOverdue },
];
