export { authenticateApiKey } from './authenticate-api-key.ts';
export { createKey } from './create-key.ts';
export { generateApiKey } from './generate-api-key.ts';
export { apiKeyJobs } from './jobs.ts';
export { apiKeyRoutes } from './routes.ts';
