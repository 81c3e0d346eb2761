import type { ModuleJob } from '../deps.ts';
import { deleteExpiredSupportAccess } from './store.ts';

/* The operator's support looks into an account: only while an owner lets it, and reading only. */
export { supportAccessRoutes } from './routes.ts';

export const supportAccessJobs: readonly ModuleJob[] = [
  {
    name: 'forget-support-access',
    cron: '31 3 * * *',
    work: ({ db, clock }) => deleteExpiredSupportAccess(db, clock.now()),
  },
];
