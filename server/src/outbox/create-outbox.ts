import type { Wake, WrittenWork } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { type Loop, startLoop } from '../jobs/index.ts';
import { ANNOUNCED_AT_ONCE, announce } from './announce.ts';

export type OutboxOptions = Pick<Deps, 'db' | 'clock' | 'log'> & {
  /** Also called after each commit, to wake other work of this process. */
  readonly onWake?: Wake;
};

/**
 * The loop that announces the messages which transactions wrote for open screens. `wake` is called after each commit
 * that wrote something (`setWakeCallback`); it may be called at any time, even before the start.
 */
export type Outbox = Pick<Loop, 'healthy' | 'stop'> & { start(): void; wake(written?: WrittenWork): void };

// Usually a commit wakes the loop. This interval finds messages whose process crashed after the commit.
const everyMs = 1000;
// Messages that are committed within this time are announced together.
const restMs = 50;

/** Creates the loop; any number of processes may announce from one database. */
export function createOutbox(options: OutboxOptions): Outbox {
  let loop: Loop | undefined;
  return {
    wake(written) {
      loop?.wake();
      if (written !== undefined) options.onWake?.(written);
    },
    start() {
      loop ??= startLoop(options.log, {
        name: 'outbox',
        everyMs,
        restMs,
        work: () => announceBatch(options),
      });
    },
    healthy: () => loop?.healthy() ?? false,
    stop: async () => loop?.stop(),
  };
}

/** Announces one batch. Returns 0 unless the batch was full, because only then more messages may be waiting. */
async function announceBatch(options: OutboxOptions): Promise<number> {
  const announced = await announce(options);
  return announced === ANNOUNCED_AT_ONCE ? announced : 0;
}
