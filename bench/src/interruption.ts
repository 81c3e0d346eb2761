/** Somebody wants it to end. */
export class Interrupted extends Error {}

/** Rejects on Ctrl-C, which may come more than once, on a SIGTERM, and when the process that started us is gone. */
export function interruption(): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'])
    process.on(event, () => reject(new Interrupted('Interrupted.')));
  process.channel?.unref();
  promise.catch(() => {});
  return promise;
}
