export { counterPages } from './counter-pages.ts';
export { counterCodeRoutes } from './routes.ts';
