/** The error that ends an interrupted run. */
export class Interrupted extends Error {}

/**
 * Rejects on Ctrl-C (any number of times), on SIGTERM, on a closed terminal, and when the parent process is
 * gone.
 */
export function rejectOnInterruption(): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'])
    process.on(event, () => reject(new Interrupted('Interrupted.')));
  process.channel?.unref();
  promise.catch(() => {});
  return promise;
}

/** Registers a cleanup to run at the end. */
export type RegisterCleanup = (cleanUp: () => Promise<unknown>) => void;

/**
 * Runs a function, and then the cleanups that it registered, newest first, whether it succeeded, failed or
 * was interrupted.
 */
export async function withCleanups(run: (onEnd: RegisterCleanup) => Promise<void>): Promise<void> {
  const interrupted = rejectOnInterruption();
  const cleanups: (() => Promise<unknown>)[] = [];
  try {
    await Promise.race([run((cleanUp) => void cleanups.push(cleanUp)), interrupted]);
  } finally {
    for (let cleanUp = cleanups.pop(); cleanUp !== undefined; cleanUp = cleanups.pop()) await cleanUp();
  }
}
