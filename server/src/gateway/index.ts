/*
 * The gateway as a whole: the stamp that binds a database to it, its master key, and its health.
 */
export { tryWithTimeout } from './live-warnings.ts';
export { findOrCreateMasterKey, loadSecrets } from './master-key.ts';
export { type Queue, type ReconciliationState, readQueues, readReconciliationState } from './queues-store.ts';
export { type BackgroundHealth, gatewayRoutes } from './routes.ts';
export { findUnsafeSettings, readDataDirectory } from './server-settings.ts';
export {
  canDecryptCheckText,
  prepareRestoredDatabase,
  readStamp,
  reportServerChange,
  stampDatabase,
} from './stamp.ts';
export { systemHealthRoutes } from './system-health.ts';
export { readVerifications, saveVerification, type Verification } from './verifications.ts';
export { createWriteCheck, type WriteCheck, writeTime } from './write-check.ts';
