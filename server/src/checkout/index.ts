export { type AnswerPage, createPageAnswers } from './answer-page.ts';
export { readPayee } from './read-payee.ts';
export { checkoutRoutes } from './routes.ts';
