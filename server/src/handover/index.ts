/* Handing an account over: another owner becomes its holder, and the operator looks at the identity behind it anew. */
export { handoverRoutes } from './routes.ts';
