export type { StoredCounterCode } from './counter-code.ts';
export { counterPages } from './counter-pages.ts';
export { counterCodeRoutes } from './routes.ts';
export { createCode } from './write-code.ts';
