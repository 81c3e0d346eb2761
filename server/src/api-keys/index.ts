import type { ModuleJob } from '../deps.ts';
import { warnOfExpiringKeys } from './warn-expiring.ts';

export { authenticateApiKey } from './authenticate-api-key.ts';
export { createKey } from './manage-keys.ts';
export { generateApiKey } from './readable-key.ts';
export { apiKeyRoutes } from './routes.ts';

/** Daily work of keys, at nine in the morning in Brasília, when somebody is there to read the warning. */
export const apiKeyJobs: readonly ModuleJob[] = [
  { name: 'warn-of-expiring-keys', cron: '0 12 * * *', work: warnOfExpiringKeys },
];
