export { type AnswerPage, createPageAnswers } from './answer-page.ts';
export { readPayee } from './load-payment-page.ts';
export { paymentPages } from './payment-pages.ts';
export { checkoutRoutes } from './routes.ts';
export { type PayerPages, servePayers } from './serve-payers.ts';
