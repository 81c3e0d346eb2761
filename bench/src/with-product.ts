import { startStack } from '../../e2e/stack.ts';

/**
 * Starts the whole product on free ports with data of its own, hands out its origin (`http://localhost:PORT`), and
 * ends and removes it, also when somebody interrupts.
 */
export async function withProduct<Found>(use: (origin: string) => Promise<Found>): Promise<Found> {
  const interrupted = interruption();
  const stack = await startStack();
  try {
    return await Promise.race([use(stack.url), interrupted]);
  } finally {
    await stack.stop();
    stack.remove();
  }
}

/** Rejects on Ctrl-C, on a SIGTERM, and when the process that started us is gone. */
function interruption(): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'])
    process.once(event, () => reject(new Error('Interrupted.')));
  process.channel?.unref();
  promise.catch(() => {});
  return promise;
}
