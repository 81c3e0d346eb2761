import type { ModuleLoop } from '../deps.ts';
import { findBanksWithDueHints, takeTurn } from '../psp/index.ts';
import { processReturnHints } from './book-returns-of-pix.ts';
import { giveBackByRule } from './decide-held-pix.ts';
import { sendRefunds } from './send-refunds.ts';
import { findBanksWithDueRefunds } from './store.ts';

export { refundApprovalHooks } from './approval-hooks.ts';
export { bookReturnsOfPix } from './book-returns-of-pix.ts';
export { bookUnknownReturns } from './book-unknown-returns.ts';
export { giveBackByRule } from './decide-held-pix.ts';
export { requestRefund } from './request-refund.ts';
export { refundRoutes } from './routes.ts';
export { sendRefunds } from './send-refunds.ts';

/** Recurring work of refunds: sends them, and books the returns that the bank reports. */
export const refundLoops: readonly ModuleLoop[] = [
  {
    name: 'refunds',
    everyMs: 1000,
    sendsOrders: true,
    work: async (deps) =>
      takeTurn(deps, 'refunds', sendRefunds, await findBanksWithDueRefunds(deps.db, deps.clock.now())),
  },
  { name: 'give-back', everyMs: 1000, work: giveBackByRule },
  {
    name: 'returns',
    everyMs: 500,
    work: async (deps) =>
      takeTurn(deps, 'returns', processReturnHints, await findBanksWithDueHints(deps, 'return')),
  },
];
