/** What customers owe and have paid, and the page on which each of them sees it. */

export { customerPages } from './customer-pages.ts';
export { customerChargeRoutes } from './routes.ts';
