/*
 * Charges that repeat by Pix Automático: subscriptions, the mandates that payers allow at their banks, and the cycles that
 * these banks debit. `next-step.ts` decides what is done about a cycle; the loops do it.
 */
import type { ModuleLoop } from '../deps.ts';
import { planCycles } from './plan-cycles.ts';
import { takeHints } from './take-hints.ts';
import { workCycles } from './work-cycles.ts';
import { workMandates } from './work-mandates.ts';

export { chargeCycle } from './change-subscription.ts';
export { readCustomerSubscriptions } from './customer-subscriptions.ts';
export { dueDayOf } from './cycle-days.ts';
export { subscriptionPages } from './payer-page.ts';
export { subscriptionRoutes } from './routes.ts';
export { subscriptionPageUrl } from './subscription-response.ts';
export { firstCycleInTime } from './work-mandates.ts';

/** Recurring work of subscriptions. Each loop returns how many items were due; above 0 it runs again without a pause. */
export const subscriptionLoops: readonly ModuleLoop[] = [
  { name: 'mandate hints', everyMs: 1000, work: takeHints },
  { name: 'mandates', everyMs: 2000, work: workMandates },
  { name: 'plan cycles', everyMs: 15_000, work: planCycles },
  { name: 'cycles', everyMs: 2000, work: workCycles },
];
