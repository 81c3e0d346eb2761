export type { NewAuditEntry } from './audit-entry.ts';
export { checkpointAuditHead, readAuditCheckpoint } from './checkpoint-audit-head.ts';
export { auditLoops } from './jobs.ts';
export { listAuditLog } from './list-audit-log.ts';
export { type ChainFinding, verifyChain } from './verify-chain.ts';
export { insertAuditEntry } from './write-entry.ts';
