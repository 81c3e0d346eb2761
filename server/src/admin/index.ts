export { createAdministrator } from './administrators.ts';
export { freezeUser } from './freeze-user.ts';
export { adminRoutes } from './routes.ts';
