export type { AuditEntry } from './audit-entry.ts';
export { auditLoops } from './jobs.ts';
export { keepAuditEnd, readKeptEnd } from './keep-end.ts';
export { listAuditLog } from './list-audit-log.ts';
export { type ChainFinding, verifyChain } from './verify-chain.ts';
export { insertAuditEntry } from './write-entry.ts';
