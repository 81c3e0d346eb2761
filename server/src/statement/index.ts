/** The statement of a merchant: the movements of one balance, read by page or exported as a file. */

export { formatDecimal, formatTextCell } from './csv.ts';
export { statementRoutes } from './routes.ts';
