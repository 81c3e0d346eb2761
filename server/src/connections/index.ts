/*
 * Connections: the accounts at banks that merchants brought. This module keeps their rows and credentials, and connects
 * their banks. What merchants and administrators do with them is in `manage-connections/`.
 */
import type { ModuleJob, ModuleLoop } from '../deps.ts';
import { retireConnections } from './retire-connections.ts';
import { warnOfCertificates } from './warn-certificates.ts';
import { watchConnections } from './watch-connections.ts';

export { readAccountNames, readActiveConnections, readSuspendedConnections } from './active-connections.ts';
export { type ReadCertificate, readCertificate } from './certificate.ts';
export { type BankToCheck, checkBank } from './check-bank.ts';
export { formatConformanceReport } from './conformance-report.ts';
export { type Credentials, openCredentials, sealCredentials, sealUnderNewKey } from './credentials.ts';
export { countBroken } from './health-store.ts';
export { bankToCheck, createLiveBanks } from './load-banks.ts';
export { isNotPermitted, noteAcceptedRecurring, tellOfRefusedRecurring } from './recurring-refused.ts';
export {
  type ConnectionChange,
  type ConnectionRow,
  claimChecks,
  debitAccountColumns,
  debitAccountOf,
  insertConnection,
  isCheckRunning,
  lockConnection,
  lockConnections,
  type OperatorConnectionRow,
  RETIRED,
  requestedCheck,
  selectConnection,
  selectConnections,
  selectForOperator,
  storeCheckSteps,
  updateConnection,
} from './store.ts';
export { tellOfForeignWebhook } from './tell-of-foreign-webhook.ts';
export { recordAndTellWorking } from './watch-connections.ts';

/** Recurring work about merchants' own accounts at banks. */
export const connectionLoops: readonly ModuleLoop[] = [
  { name: 'own accounts', everyMs: 10_000, work: (deps) => watchConnections(deps).then(() => 0) },
];

/** Scheduled jobs about merchants' own accounts. Their odd minute keeps the gateway's jobs from starting together. */
export const connectionJobs: readonly ModuleJob[] = [
  { name: 'warn-certificates', cron: '13 11 * * *', work: warnOfCertificates },
  { name: 'retire-connections', cron: '47 4 * * *', work: retireConnections },
];
