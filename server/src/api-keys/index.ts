import type { ModuleJob } from '../deps.ts';
import { warnOfExpiringKeys } from './warn-expiring.ts';

export { authenticateApiKey } from './authenticate-api-key.ts';
export { createKey } from './manage-keys.ts';
export { generateApiKey } from './readable-key.ts';
export { apiKeyRoutes } from './routes.ts';
export { revokeKeysMadeBy } from './scoped-key-store.ts';

/**
 * The daily warning of expiring keys, at nine in the morning in Brasília (12:00 UTC), when people are awake to read it.
 */
export const apiKeyJobs: readonly ModuleJob[] = [
  { name: 'warn-of-expiring-keys', cron: '0 12 * * *', work: warnOfExpiringKeys },
];
