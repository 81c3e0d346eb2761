/** Counter codes: static QR codes that a merchant prints for the counter, and that any number of payers may pay. */

export type { StoredCounterCode } from './counter-code.ts';
export { counterCodePages } from './counter-code-pages.ts';
export { counterCodeRoutes } from './routes.ts';
export { createCode } from './write-code.ts';
