export { readBeginning } from './day-store.ts';
export { bankWatchLoops } from './jobs.ts';
export { closeItem, type ItemClosure, type NewOpenItem, type OpenItemKind, openItem } from './open-item.ts';
export { reconcileDay } from './reconcile-days.ts';
export { bankWatchRoutes } from './routes.ts';
export { assertBankCovers, isBankInDoubt, isBankInDoubtForDisplay, watchBalance } from './watch-balance.ts';
