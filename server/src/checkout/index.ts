/** The payers' pages: payment page and receipt, how all pages for payers are sent, and the merchant's brand on them. */

export { type AnswerPage, createAnswerPage } from './answer-page.ts';
export { institutionOf, nameInCode, readPayee } from './load-payment-page.ts';
export { type AddPayerRoutes, mountPayerPages } from './mount-payer-pages.ts';
export { paymentPages } from './payment-pages.ts';
export { checkoutRoutes } from './routes.ts';
