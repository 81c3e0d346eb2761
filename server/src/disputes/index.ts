export {
  allocateBankReturn,
  type BankInitiatedReturn,
  type ReturnAllocation,
} from './allocate-bank-return.ts';
export { type BlockedRefund, blockRefusedRefund } from './block-refused-refund.ts';
export { defendDispute } from './defend-dispute.ts';
export { disputeJobs, disputeLoops } from './jobs.ts';
export { pollDisputes } from './poll-disputes.ts';
export { processDueDisputes } from './process-due-disputes.ts';
export { disputeRoutes } from './routes.ts';
export { listDisputes } from './store.ts';
