/** Rejects on Ctrl-C, on a SIGTERM, and when the process that started us is gone. */
export function interruption(): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'])
    process.once(event, () => reject(new Error('Interrupted.')));
  process.channel?.unref();
  promise.catch(() => {});
  return promise;
}
