export { clientCertificateEnd } from './client-certificate.ts';
export { withTimeout } from './live-warnings.ts';
export { type Queue, type ReconciliationState, readQueues, readReconciliationState } from './queues-store.ts';
export { type BackgroundHealth, gatewayRoutes } from './routes.ts';
export { findMasterKey, openSecrets } from './secret-key.ts';
export { findUnsafeSettings, readDataDirectory } from './server-settings.ts';
export {
  canOpenStamp,
  prepareRestoredDatabase,
  readStamp,
  reportServerChange,
  stampDatabase,
} from './stamp.ts';
export { systemHealthRoutes } from './system-health.ts';
export { readVerifications, saveVerification, type Verification } from './verifications.ts';
export { createWriteCheck, type WriteCheck } from './write-check.ts';
