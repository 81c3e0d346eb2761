export { createAdministrator } from './create-administrator.ts';
export { freezeUser } from './freeze-user.ts';
export { adminRoutes } from './routes.ts';
