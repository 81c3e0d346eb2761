export { openSecrets } from './open-secrets.ts';
export { gatewayRoutes } from './routes.ts';
export { findMasterKey } from './secret-key.ts';
export type { ServerIdentity } from './server-identity.ts';
export { findUnsafeSettings, readServerIdentity } from './server-identity.ts';
export { readStamp, stampDatabase } from './stamp.ts';
export { systemHealthRoutes } from './system-health.ts';
