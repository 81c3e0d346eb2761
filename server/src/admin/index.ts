export { createAdministrator } from './create-administrator.ts';
export { adminRoutes } from './routes.ts';
