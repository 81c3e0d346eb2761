import { createServer } from 'node:http';
import { listen } from './local-server.ts';
import { FIRST_START_OUTPUT, LENDER, SEEDED_DATA, type Stack, startStack } from './stack.ts';

/**
 * Vitest calls this function before the first test file. It starts the product once, as `npm start` does, and stops it again, so
 * that its data can be copied. Then it serves the URLs of running products over HTTP: each worker that asks gets a product of its
 * own, which is started at its first call. Returns the cleanup.
 */
export async function setup(): Promise<() => Promise<void>> {
  const first = await startStack();
  await stopInOrder(first);
  process.env[FIRST_START_OUTPUT] = first.output();
  process.env[SEEDED_DATA] = first.settings['DATA_DIR'];
  // All sign-ins of a worker's test files come from one address, which would reach the usual limits.
  const settings = {
    ADMIN_EMAIL: 'contas@jangada.test',
    SIGN_INS_PER_ADDRESS: '10000',
    REGISTRATIONS_PER_ADDRESS: '10000',
  };
  const stacksByWorker = new Map<string | undefined, Promise<Stack>>();
  const lender = createServer(async ({ url }, response) => {
    const starting = stacksByWorker.get(url) ?? startStack(settings);
    stacksByWorker.set(url, starting);
    await starting.then(
      (stack) => response.end(JSON.stringify(stack)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  process.env[LENDER] = await listen(lender);
  return async () => {
    lender.close();
    const stacks = (await Promise.allSettled(stacksByWorker.values())).flatMap((result) =>
      result.status === 'fulfilled' ? [result.value] : [],
    );
    await Promise.all(stacks.map(stopInOrder));
    for (const stack of [first, ...stacks]) stack.remove();
  };
}

/**
 * Stops a product.
 * @throws if it did not end in order
 */
async function stopInOrder(stack: Stack): Promise<void> {
  const code = await stack.stop();
  if (code !== 0) throw new Error(`The product ended with code ${code}`);
}
