/*
 * Connections: the accounts at banks that merchants brought. This module keeps their rows and credentials, and connects
 * their banks. What merchants and administrators do with them is in `manage-connections/`.
 */
export { readActiveConnections } from './active-connections.ts';
export { type ReadCertificate, readCertificate } from './certificate.ts';
export { checkBank } from './check-bank.ts';
export { type Credentials, createRowKey, openCredentials, sealCredentials } from './credentials.ts';
export { bankConfigOf, callbacksAt, createLiveBanks } from './load-banks.ts';
export {
  type ConnectionChange,
  type ConnectionRow,
  claimChecks,
  insertConnection,
  isCheckRunning,
  lockConnection,
  lockConnections,
  type OperatorConnectionRow,
  requestedCheck,
  selectConnection,
  selectConnections,
  selectForOperator,
  storeCheckSteps,
  updateConnection,
} from './store.ts';
