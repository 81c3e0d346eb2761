import type { Wake } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { type Loop, repeat } from '../jobs/index.ts';
import { ANNOUNCED_AT_ONCE, announce } from './announce.ts';

export type OutboxOptions = Pick<Deps, 'db' | 'clock' | 'log'> & {
  /** Told of each commit too: other work of this process that begins with one. */
  readonly onWake?: Wake;
};

/**
 * Announces what transactions wrote for open screens, together with what others committed meanwhile. `wake` may be called
 * at any time, before the start too: `followCommits` has it called after each commit that wrote something.
 */
export type Outbox = Pick<Loop, 'healthy' | 'stop'> & { start(): void; wake: Wake };

// Finds messages of a process that committed them and died before announcing them.
const everyMs = 1000;
const restMs = 50;

/** Any number of processes may announce from one database. */
export function createOutbox(options: OutboxOptions): Outbox {
  let loop: Loop | undefined;
  return {
    wake(among) {
      loop?.wake();
      options.onWake?.(among);
    },
    start() {
      loop ??= repeat(options.log, { name: 'outbox', everyMs, restMs, work: () => announceSome(options) });
    },
    healthy: () => loop?.healthy() ?? false,
    stop: async () => loop?.stop(),
  };
}

/** Above 0: a whole batch was taken, so more may wait. */
async function announceSome(options: OutboxOptions): Promise<number> {
  const taken = await announce(options);
  return taken === ANNOUNCED_AT_ONCE ? taken : 0;
}
