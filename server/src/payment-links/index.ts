/** Payment links: pages that create a new charge for each payer. */
export { linkPages } from './link-pages.ts';
export { payLink } from './pay-link.ts';
export type { StoredPaymentLink } from './payment-link.ts';
export { paymentLinkRoutes } from './routes.ts';
export { createLink } from './write-link.ts';
