import type { ModuleLoop } from '../deps.ts';
import { checkpointAuditHead } from './checkpoint-audit-head.ts';

export { checkpointAuditHead, readAuditCheckpoint } from './checkpoint-audit-head.ts';
export { listAuditLog } from './list-audit-log.ts';
export type { NewAuditEntry } from './store.ts';
export { type ChainFinding, verifyChain } from './verify-chain.ts';
export { insertAuditEntry } from './write-entry.ts';

/** Each process that works keeps it beside itself: who reaches one machine does not reach all. */
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
