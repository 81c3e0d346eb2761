export { linkPages } from './link-pages.ts';
export { paymentLinkRoutes } from './routes.ts';
