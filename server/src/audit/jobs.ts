import type { Deps } from '../deps.ts';
import { checkpointAuditHead } from './checkpoint-audit-head.ts';

/** Each process that works keeps it beside itself: who reaches one machine does not reach all. */
export const auditLoops: readonly {
  readonly name: string;
  readonly everyMs: number;
  readonly work: (deps: Deps) => Promise<number>;
}[] = [
  {
    name: 'audit end',
    everyMs: 3_600_000,
    async work(deps) {
      await checkpointAuditHead(deps);
      return 0;
    },
  },
];
