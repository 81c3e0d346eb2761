import type { ModuleLoop } from '../deps.ts';
import { atEachBank } from '../psp/index.ts';
import { processReturnHints } from './book-returns-of-pix.ts';
import { sendRefunds } from './send-refunds.ts';

export { bookReturnsOfPix } from './book-returns-of-pix.ts';
export { bookUnknownReturns } from './book-unknown-returns.ts';
export { requestRefund } from './request-refund.ts';
export { refundRoutes } from './routes.ts';
export { sendRefunds } from './send-refunds.ts';

/** Recurring work of refunds: sends them, and books the returns that the bank reports. */
export const refundLoops: readonly ModuleLoop[] = [
  { name: 'refunds', everyMs: 1000, sendsOrders: true, work: (deps) => atEachBank(deps, sendRefunds) },
  { name: 'returns', everyMs: 500, work: (deps) => atEachBank(deps, processReturnHints) },
];
