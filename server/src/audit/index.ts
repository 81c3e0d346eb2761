import type { ModuleLoop } from '../deps.ts';
import { checkpointAuditHead } from './checkpoint-audit-head.ts';

export { checkpointAuditHead, readAuditCheckpoint } from './checkpoint-audit-head.ts';
export { listAuditLog } from './list-audit-log.ts';
export type { NewAuditEntry } from './store.ts';
export { type ChainFinding, verifyChain } from './verify-chain.ts';
export { insertAuditEntry } from './write-entry.ts';

/**
 * Every process with background work keeps a checkpoint of the audit log on its own machine: an attacker who controls
 * one machine does not thereby control the others.
 */
export const auditLoops: readonly ModuleLoop[] = [
  {
    name: 'audit end',
    everyMs: 3_600_000,
    async work(deps) {
      await checkpointAuditHead(deps);
      return 0;
    },
  },
];
