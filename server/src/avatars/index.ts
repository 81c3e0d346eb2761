export { avatarRoutes } from './routes.ts';
