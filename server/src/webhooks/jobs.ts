import type { Deps } from '../deps.ts';
import { expireOldDeliveries } from './expire-old-deliveries.ts';
import { moveBacklogs } from './move-backlog.ts';
import { releaseStrandedHeld } from './release-stranded-held.ts';
import { warnFailing } from './warn-failing.ts';

/** Periodic webhook work, apart from sending. */
export const webhookLoops: readonly {
  readonly name: string;
  readonly everyMs: number;
  readonly work: (deps: Deps) => Promise<number>;
}[] = [
  { name: 'old webhooks', everyMs: 10 * 60_000, work: expireOldDeliveries },
  { name: 'failing webhooks', everyMs: 60_000, work: warnFailing },
  { name: 'moved webhooks', everyMs: 5000, work: moveBacklogs },
  { name: 'held webhooks', everyMs: 10_000, work: releaseStrandedHeld },
];
