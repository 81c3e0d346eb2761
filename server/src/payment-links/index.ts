/** Payment links: pages that create a new charge for each payer. */

export { createLinkCharge } from './create-link-charge.ts';
export { linkPages } from './link-pages.ts';
export type { StoredPaymentLink } from './payment-link.ts';
export { paymentLinkRoutes } from './routes.ts';
export { createLink } from './write-link.ts';
