export type { AuditEntry } from './audit-entry.ts';
export { keepAuditEnd, readKeptEnd } from './keep-end.ts';
export { type ChainFinding, verifyChain } from './verify-chain.ts';
export { insertAuditEntry } from './write-entry.ts';
