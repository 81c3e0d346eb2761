/** The run was interrupted. */
export class Interrupted extends Error {}

/** Rejects on Ctrl-C (any number of times), on SIGTERM, and when the parent process is gone. */
export function interruption(): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'])
    process.on(event, () => reject(new Interrupted('Interrupted.')));
  process.channel?.unref();
  promise.catch(() => {});
  return promise;
}
