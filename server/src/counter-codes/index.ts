export type { StoredCounterCode } from './counter-code.ts';
export { counterCodePages } from './counter-code-pages.ts';
export { counterCodeRoutes } from './routes.ts';
export { createCode } from './write-code.ts';
